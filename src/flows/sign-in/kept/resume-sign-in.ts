import type {Context} from '../../../domain/context.ts';
import {fingerprintOf} from '../../../domain/fingerprint.ts';
import {Secret} from '../../../domain/secret.ts';
import {signInEndOf, willBeRenewed} from '../../../domain/sign-in-lifecycle.ts';
import type {Token, TokenSet} from '../../../domain/tokens.ts';
import {type RunTokens, type ServerTokens, signInsOf, tokenFor} from '../../../domain/tokens.ts';
import type {Flow, Run} from '../../flow.ts';
import {obtained} from '../oauth/token-set.ts';
import {accessTokenInstead, accessTokenNow, accessTokenOnceMore} from '../renewal/access-token.ts';

/** A saved sign-in as a run goes on with it. */
export type ResumedSignIn = {readonly token: Token; readonly serverTokens: ServerTokens};

type Look = Flow<Context, ResumedSignIn>;

/**
 * Takes a saved sign-in up again because a person asks for it, renewing it where that is due, with the tokens of a server
 * that has its own.
 *
 * @throws SetupError `auth-sign-in-required` when it has ended; `network-*` and `platform-*` when that cannot be found out
 */
export const resumeSignIn: Look = (context, run) => resume(accessTokenOnceMore, context, run);

/** The same to show how it stands: a renewal that is not tried by itself any more stays so. @throws as `resumeSignIn` */
export const lookAtSignIn: Look = (context, run) => resume(accessTokenNow, context, run);

/** The access tokens of a saved sign-in, renewed where that is due. @throws SetupError as `resumeSignIn` */
export const takeTokens: Flow<Context, TakenTokens> = (context, run) => take(accessTokenOnceMore, context, run);

type Way = typeof accessTokenNow;

const resume = async (way: Way, context: Context, run: Run): Promise<ResumedSignIn> => {
  const {ports} = run;
  const {signIn, expiresAt, serverTokens} = await take(way, context, run);
  const kept = await ports.credentials.get(context);
  const ends = signInEndOf(kept ?? {});
  const token: Token = {
    account: kept?.account ?? context.clientId,
    fingerprint: fingerprintOf(signIn.reveal()),
    renewable: willBeRenewed(kept ?? {}, ports.clock.now()),
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
    ...(kept?.failure && !kept.refused ? {failure: kept.failure.message} : {}),
    access: signIn,
  };
  run.tell(obtained(token));
  return {token, serverTokens};
};

type TakenTokens = Pick<TokenSet, 'expiresAt'> & {readonly signIn: Secret; readonly serverTokens: ServerTokens};

const take = async (way: Way, context: Context, run: Run): Promise<TakenTokens> => {
  const token = await way(context, run);
  const [, own] = signInsOf(context);
  const observability = own && (await way(own, run));
  return {
    signIn: new Secret(token.accessToken),
    ...(token.expiresAt === undefined ? {} : {expiresAt: token.expiresAt}),
    serverTokens: observability ? {observability: new Secret(observability.accessToken)} : {},
  };
};

type Refused = {readonly context: Context; readonly tokens: RunTokens};

/**
 * Renews the tokens that this run has although their time is not over: because a server has refused one, as the identity
 * provider has other keys, or because the last renewal failed.
 *
 * @throws SetupError as `resumeSignIn`
 */
export const renewSignIn: Flow<Refused, RunTokens> = async ({context, tokens}, run) => {
  const [signIn, own] = signInsOf(context);
  // A person asks for it, so a renewal that failed, or got no answer, is tried again.
  const input = {context: signIn ?? context, refused: tokens.signIn.reveal(), despite: 'all' as const};
  const fresh = await accessTokenInstead(input, run);
  const renewed = {signIn: new Secret(fresh.accessToken)};
  if (!own) return renewed;
  const refused = tokenFor('observability', tokens).reveal();
  const {accessToken: observability} = await accessTokenInstead({context: own, refused, despite: 'all'}, run);
  return {...renewed, observability: new Secret(observability)};
};
