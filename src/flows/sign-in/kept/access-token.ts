import {currentContextIn} from '../../../domain/config.ts';
import {Secret} from '../../../domain/secret.ts';
import {type Credentials, keyOf, secretKeyOf} from '../../../domain/sign-in/credentials.ts';
import {isRenewable} from '../../../domain/sign-in/renewal.ts';
import {askedResource, type TokenContext} from '../../../domain/sign-in/server-tokens.ts';
import {chanceOf, isGood, isUsable} from '../../../domain/sign-in/token-validity.ts';
import type {TokenSet} from '../../../domain/sign-in/tokens.ts';
import {ago} from '../../../duration.ts';
import {familyOf, SetupError} from '../../../errors/errors.ts';
import type {Ports} from '../../../ports/ports.ts';
import type {Flow} from '../../flow.ts';
import {type Run, reportingToItsEnd, type Tell} from '../../reporting.ts';
import {oauthClient} from '../oauth/oauth-client.ts';
import {tokenSetOf} from '../oauth/token-set.ts';
import {requestToken} from '../obtain-token.ts';
import {grantRefresh} from './sign-in-end.ts';

/** How long a renewal that could not be asked for is left alone while the token is good, in milliseconds. */
const RETRY_AFTER = 60_000;

/**
 * A valid access token of a context, or of one of its servers that has tokens of its own. One that is still good comes from the disk without network. Else one process at a
 * time renews it, and the others read what it got: lock, read again, renew if that is still needed, write, use
 * (RFC 9700 4.14.2). A renewal that is refused ends the sign-in; one that cannot be asked for changes nothing, and a
 * token that is still good is used on.
 *
 * Once the renewal is asked for it is seen to its end, also by who was told to stop: the refresh token that it brings may
 * be the only one that still works.
 *
 * @throws SetupError `auth-sign-in-required` when nothing is kept to renew with, or when the renewal was refused now or
 *   before; `network-*` and `platform-*` when it could not be asked for
 */
export const accessToken: Flow<TokenContext, TokenSet> = (context, ports, signal) =>
  tokenBeside({context}, ports, signal);

/** A sign-in, and a token of it that a server refuses although its time is not over. */
export type RefusedToken = {readonly context: TokenContext; readonly refused: string};

/**
 * The same when a server has refused the token that is kept: one that another process has got since, or a renewed one.
 *
 * @throws SetupError as `accessToken`; also `network-*` and `platform-*` while the refused token is not at its end
 */
export const accessTokenInstead: Flow<RefusedToken, TokenSet> = (input, ports, signal) =>
  tokenBeside(input, ports, signal);

type Wanted = {readonly context: TokenContext; readonly refused?: string};

const tokenBeside: Flow<Wanted, TokenSet> = ({context, refused}, ports, signal) =>
  reportingToItsEnd(async tell => {
    signal.throwIfAborted();
    const found = await ports.credentials.get(context);
    const usable = usableToken(found, ports, refused);
    if (usable && serves(found, ports)) return usable;
    const kept = await withSecret(found, context, ports);
    if (!kept || !isRenewable(kept)) {
      if (usable) return usable;
      throw await signInRequired(context, kept, ports);
    }
    try {
      return await renew({context, ...(refused === undefined ? {} : {refused})}, {ports, signal, tell});
    } catch (error) {
      if (usable && error instanceof SetupError && isPassing(error)) return usable;
      throw error;
    }
  });

const renew = async ({context, refused}: Wanted, {ports, signal, tell}: Run): Promise<TokenSet> => {
  let refusal: SetupError | undefined;
  let fresh: TokenSet | undefined;
  let asked = false;
  const change = async (kept: Credentials | undefined): Promise<Credentials | undefined> => {
    // Another process may have renewed it, or signed out, while this one waited for the lock.
    if (usableToken(kept, ports, refused) && serves(kept, ports)) return kept;
    const current = await withSecret(kept, context, ports);
    if (!current || !isRenewable(current)) return kept;
    signal.throwIfAborted();
    asked = true;
    try {
      fresh = await requestRenewal(context, current, ports, tell);
      return {...withoutToken(kept ?? keyOf(context)), ...fresh, obtainedAt: ports.clock.now()};
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      const now = ports.clock.now();
      // Who comes next does not have to wait for a server that is slow to fail, as long as the token is good.
      if (isPassing(error) && kept && usableToken(kept, ports, refused)) return {...kept, retryAt: now + RETRY_AFTER};
      if (!isRefusal(error)) throw error;
      refusal = error;
      return {...withoutToken(kept ?? keyOf(context)), refused: {at: now, reason: error.message}};
    }
  };
  const update = ports.credentials.update(context, change);
  const renewed = await Promise.race([update, stopped(signal, () => !asked)]).catch((error): Credentials => {
    // It was given, and serves now, although it could not be kept.
    if (!fresh || !(error instanceof SetupError)) throw error;
    tell({type: 'warning', message: `Your sign-in was renewed, but that could not be kept. ${error.message}`});
    return {...keyOf(context), ...fresh};
  });
  const token = usableToken(renewed, ports, refused);
  if (token) return token;
  if (refusal || renewed?.refused || !renewed) throw await signInRequired(context, renewed, ports, refusal);
  throw new SetupError(
    'auth-token-refused',
    `${context.issuer} gives tokens that have ended already. Is the clock right?`,
    {about: {url: context.issuer}},
  );
};

/** Ends when somebody wants to stop while that still may be: a wait for the lock can be long. */
const stopped = (signal: AbortSignal, mayStop: () => boolean): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => {
      if (mayStop()) reject(signal.reason);
    };
    signal.addEventListener('abort', stop, {once: true});
  });

/**
 * Asks for new tokens. Nobody's wish to stop reaches it: once the request is out, what it brings may be the only refresh
 * token that still works, so it is to be kept even if nobody waits for it any more.
 */
export const requestRenewal = async (
  context: TokenContext,
  current: Credentials,
  ports: Ports,
  tell: Tell,
): Promise<TokenSet> => {
  const {signal} = new AbortController();
  const {issuer, clientId, signIn} = context;
  const resource = askedResource(context);
  const asked = resource === undefined ? {} : {resource};
  if (signIn !== 'browser') {
    const input = {issuer, clientId, method: signIn, secret: new Secret(current.clientSecret ?? ''), ...asked};
    return tokenSetOf(await requestToken(input, {ports, signal, tell}), ports.clock.now());
  }
  const refreshToken = current.refreshToken ?? '';
  const input = {issuer, clientId, authentication: {method: 'none'}, clock: 'server'} as const;
  const client = await oauthClient(input, {ports, signal, tell});
  // Keys that cannot be had must not cost the new refresh token, the old one being used up by then.
  if (context.scopes?.includes('openid')) await client.fetchKeys();
  const refresh = (parameters: Record<string, string>) =>
    client.attempt(configuration => client.library.refreshTokenGrant(configuration, refreshToken, parameters));
  const answer = await refresh(asked)
    .catch(error => {
      // One that is not known any more is refused before the refresh token is used up (RFC 8707 2).
      if (resource !== undefined && error instanceof SetupError && error.code === 'auth-resource-refused')
        return refresh({});
      throw error;
    })
    .catch(error => {
      throw isWithoutGrant(error) ? grantMissing(context, error) : error;
    });
  // One that returns no new refresh token leaves the old one valid (RFC 6749 6).
  return {refreshToken, ...tokenSetOf(answer, ports.clock.now())};
};

const usableToken = (
  credentials: Credentials | undefined,
  {clock}: Ports,
  refused: string | undefined,
): TokenSet | undefined => {
  if (credentials?.accessToken === undefined || !isUsable(credentials, clock.now())) return undefined;
  if (credentials.accessToken === refused) return undefined;
  const {accessToken, expiresAt} = credentials;
  return {accessToken, ...(expiresAt === undefined ? {} : {expiresAt})};
};

/** Whether it is good as it is, so that nobody has to be asked. */
const serves = (credentials: Credentials | undefined, {clock}: Ports): boolean =>
  credentials !== undefined && isGood(credentials, clock.now(), chanceOf(process.pid));

/** Only these say that what was sent is no good; anything else may be better in a minute (RFC 6749 5.2). */
const isRefusal = ({code}: SetupError) => code === 'auth-grant-refused' || code === 'auth-client-refused';

const isPassing = ({code}: SetupError) =>
  familyOf(code) === 'network' ||
  familyOf(code) === 'platform' ||
  code === 'local-locked' ||
  code === 'local-write-failed';

/** With the secret of the client, which is kept once, with the sign-in itself. */
const withSecret = async (
  kept: Credentials | undefined,
  context: TokenContext,
  {credentials}: Ports,
): Promise<Credentials | undefined> => {
  const {audience, signIn} = context;
  if (audience === undefined || signIn === 'browser') return kept;
  const {clientSecret} = (await credentials.get(secretKeyOf(context))) ?? {};
  return clientSecret === undefined ? kept : {...keyOf(context), ...kept, clientSecret};
};

const withoutToken = ({clientSecret, account, ...kept}: Credentials): Credentials => ({
  ...keyOf(kept),
  ...(clientSecret === undefined ? {} : {clientSecret}),
  ...(account === undefined ? {} : {account}),
});

/** Who once signed in without a secret is known to be a public client: it lacks the grant alone (RFC 6749 5.2). */
const isWithoutGrant = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'error' in error.cause &&
  error.cause.error === 'unauthorized_client';

const grantMissing = ({name, issuer, clientId}: TokenContext, cause: unknown) =>
  new SetupError('auth-grant-missing', `${issuer} does not let ${clientId} renew a sign-in.`, {
    cause,
    about: {url: issuer},
    remedy: `${grantRefresh(clientId)}. If it stays, sign in again: npx setup login --context ${name}.`,
  });

const signInRequired = async (
  {name, issuer, clientId, signIn}: TokenContext,
  kept: Credentials | undefined,
  {clock, config}: Ports,
  cause?: SetupError,
) => {
  const {refused} = kept ?? {};
  const current = currentContextIn(await config.read());
  const isOther = current !== undefined && current.name !== name;
  if (!refused && kept?.accessToken !== undefined && signIn === 'browser') {
    const message = `Your sign-in to ${name} has ended: it came without a refresh token to renew it with.`;
    const remedy = `${grantRefresh(clientId)}, then sign in again: npx setup login --context ${name}.`;
    const about = {reason: 'It came without a refresh token to renew it with.'};
    return new SetupError('auth-sign-in-required', message, {remedy, about});
  }
  const options = {cause, ...(isOther ? {remedy: `Sign in again: npx setup login --context ${name}.`} : {})};
  if (!refused) return new SetupError('auth-sign-in-required', `You are not signed in to ${name}.`, options);
  const reason = `${issuer} refused to renew it ${ago(clock.now() - refused.at)}.`;
  const message = `Your sign-in to ${name} has ended: ${reason}`;
  return new SetupError('auth-sign-in-required', message, {...options, about: {reason}});
};
