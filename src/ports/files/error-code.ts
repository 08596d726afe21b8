/** Returns the system's code of an error. */
export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
