import type {Context} from '../../../domain/context.ts';
import {signInEndOf} from '../../../domain/jwt.ts';
import {willBeRenewed} from '../../../domain/renewal.ts';
import {tokenNames} from '../../../domain/secret-names.ts';
import {signInsOf, type TokenContext} from '../../../domain/server-tokens.ts';
import type {TokenFacts, TokenSet} from '../../../domain/tokens.ts';
import type {Flow} from '../../flow.ts';
import {fingerprintOf} from '../oauth/token-set.ts';
import {accessToken, accessTokenInstead} from './access-token.ts';

/**
 * Takes a saved sign-in up again, renewing it where that is due: its tokens are in the vault when the flow returns, those
 * of a server that has its own among them.
 *
 * @throws SetupError `auth-sign-in-required` when it has ended; `network-*` and `platform-*` when that cannot be found out
 */
export const resumeSignIn: Flow<Context, TokenFacts> = async function* (context, ports, signal) {
  const token = yield* takeTokens(context, ports, signal);
  const kept = await ports.credentials.get(context);
  const ends = signInEndOf(kept ?? {});
  const facts: TokenFacts = {
    account: kept?.account ?? context.clientId,
    fingerprint: fingerprintOf(token.accessToken),
    renewable: willBeRenewed(kept ?? {}, ports.clock.now()),
    ...(token.expiresAt === undefined ? {} : {expiresAt: token.expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
  };
  yield {type: 'token-obtained', ...facts};
  return facts;
};

/** Puts the tokens of a saved sign-in into the vault, renewed where that is due. @throws SetupError as `resumeSignIn` */
export const takeTokens: Flow<Context, TokenSet> = async function* (context, ports, signal) {
  const {vault} = ports;
  const token = yield* accessToken(context, ports, signal);
  vault.set(tokenNames().access, token.accessToken);
  vault.set(tokenNames('observability').access, undefined);
  for (const own of signInsOf(context).slice(1)) {
    const {accessToken: ownToken} = yield* accessToken(own, ports, signal);
    vault.set(namesOf(own).access, ownToken);
  }
  return token;
};

/**
 * Renews the tokens that this run has, because a server has refused one although its time is not over: the identity
 * provider has other keys. They are in the vault when the flow returns.
 *
 * @throws SetupError as `resumeSignIn`
 */
export const renewSignIn: Flow<Context, void> = async function* (context, ports, signal) {
  const {vault} = ports;
  for (const one of signInsOf(context)) {
    const {access} = namesOf(one);
    const renewal = accessTokenInstead({context: one, refused: vault.get(access) ?? ''}, ports, signal);
    const {accessToken: fresh} = yield* renewal;
    vault.set(access, fresh);
  }
};

const namesOf = ({audience}: TokenContext) => tokenNames(audience === undefined ? undefined : 'observability');
