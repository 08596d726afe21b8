import type {Context} from '../ports/storage.ts';
import {accessToken} from './access-token.ts';
import type {Flow} from './flow.ts';
import {signInEndOf} from './token-claims.ts';
import {fingerprintOf, type TokenFacts} from './token-set.ts';

/**
 * Takes a saved sign-in up again, renewing it where that is due: its token is in the vault when the flow returns.
 *
 * @throws SetupError `auth-sign-in-required` when it has ended; `network-*` and `platform-*` when that cannot be found out
 */
export const resumeSignIn: Flow<Context, TokenFacts> = async function* (context, ports, signal) {
  const token = yield* accessToken(context, ports, signal);
  ports.vault.set('access-token', token.accessToken);
  const kept = await ports.credentials.get(context);
  const ends = signInEndOf(kept ?? {});
  const facts: TokenFacts = {
    account: kept?.account ?? context.clientId,
    fingerprint: fingerprintOf(token.accessToken),
    renewable: kept?.refreshToken !== undefined || kept?.clientSecret !== undefined,
    ...(token.expiresAt === undefined ? {} : {expiresAt: token.expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
  };
  yield {type: 'token-obtained', ...facts};
  return facts;
};
