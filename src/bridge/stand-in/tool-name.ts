/** The tool that is offered where the platform's own cannot be. */
export const SIGN_IN = 'sign_in';
