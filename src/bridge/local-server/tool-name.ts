/** The name of the tool that is offered while the platform's own tools are not available. */
export const SIGN_IN = 'sign_in';
