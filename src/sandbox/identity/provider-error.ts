/** An error of the provider's own interfaces. */
export type ProviderError = {readonly code: string; readonly message: string; readonly description: string};

/**
 * An error as a release sends it: with its texts, or with objects from which a client is to make texts in its language.
 */
export const errorBody = (
  {code, message, description}: ProviderError,
  {translatedErrors}: {translatedErrors: boolean},
) =>
  translatedErrors
    ? {code, message: translated(code, 'message', message), description: translated(code, 'description', description)}
    : {code, message, description};

const translated = (code: string, member: string, defaultValue: string) => ({
  key: `error.${code.toLowerCase()}.${member}`,
  defaultValue,
});
