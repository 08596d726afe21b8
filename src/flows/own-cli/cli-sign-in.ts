import {expiryOf} from '../../domain/tokens.ts';
import {type Named, textIn} from './cli-values.ts';

/** How the CLI is signed in, as it sees that itself. */
export type CliSignIn = {
  readonly token: string;
  /** For how long it still uses the token, in milliseconds. */
  readonly left: number;
  /** When the token ends, or ended; in milliseconds since the epoch. Absent where it does not say. */
  readonly endedAt?: number;
  /** By what it gets another token. */
  readonly renewal: 'refresh-token' | 'refresh-token-ended' | 'secret' | 'none';
};

/** The CLI takes a token as ended this long before its end, in milliseconds. */
const MARGIN = 60_000;

/**
 * What the CLI makes of its credentials: a token that is no JWT has ended, and one that has ended is renewed by the
 * refresh token of a person, else by the secret of a client. Undefined where it is signed out.
 *
 * @param now milliseconds since the epoch
 */
export const cliSignIn = (credentials: Named | undefined, now: number): CliSignIn | undefined => {
  const token = textIn(credentials, 'token');
  if (token === undefined) return undefined;
  const endedAt = expiryOf(token);
  const left = endedAt === undefined ? 0 : Math.max(0, endedAt - MARGIN - now);
  return {token, left, ...(endedAt === undefined ? {} : {endedAt}), renewal: renewalOf(credentials, now)};
};

const renewalOf = (credentials: Named | undefined, now: number): CliSignIn['renewal'] => {
  const refreshToken = textIn(credentials, 'refreshToken');
  if (textIn(credentials, 'authMethod') === 'authorization_code' && refreshToken !== undefined) {
    return (expiryOf(refreshToken) ?? Number.POSITIVE_INFINITY) > now ? 'refresh-token' : 'refresh-token-ended';
  }
  const hasSecret = textIn(credentials, 'clientId') !== undefined && textIn(credentials, 'clientSecret') !== undefined;
  return hasSecret ? 'secret' : 'none';
};
