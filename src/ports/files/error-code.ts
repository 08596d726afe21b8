/** The system's name for what went wrong. */
export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
