import {isOfClient, scopesIn} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, requestFlags, signIn} from '../../errors/remedy.ts';

/** The scopes with which people sign in, for a token that does not name its own. */
const usual = ['openid', 'profile', 'email'];

/**
 * Returns the error for a token without a scope that the refusing server demands (RFC 6750 3.1). It names the scopes
 * that are demanded and those that the token has.
 *
 * @param error the error of a call with the token
 * @returns undefined if the server demands no scope, or none that the token lacks: then something else is missing
 */
export const missingScope = (error: unknown, token: string): SetupError | undefined => {
  if (!(error instanceof SetupError) || error.code !== 'auth-permission-missing') return undefined;
  const {demanded, url = 'The server'} = error.about;
  const granted = scopesIn(token);
  const lacking = demanded?.filter(scope => !granted?.includes(scope)) ?? [];
  if (demanded === undefined || lacking.length === 0) return undefined;
  const before = granted ?? (isOfClient(token) ? [] : usual);
  const toRequest = [...new Set([...before, ...lacking])];
  const has = granted === undefined ? 'names none' : `has ${granted.join(' ')}`;
  const scope = demanded.length === 1 ? 'scope' : 'scopes';
  return new SetupError(
    'auth-scope-missing',
    `${url} requires the ${scope} ${demanded.join(' ')}, but the token ${has} (403).`,
    {
      cause: error,
      about: {...error.about, toRequest},
      remedy: {
        do: `Sign in again and ask for ${lacking.join(' ')} too.`,
        flag: phrase`Run ${signIn(requestFlags({scopes: toRequest}))}.`,
      },
    },
  );
};
