import {contextFlags} from '../../domain/context.ts';
import type {Credentials} from '../../domain/credentials.ts';
import {Secret} from '../../domain/secret.ts';
import {isPaused} from '../../domain/sign-in-lifecycle.ts';
import {wantedOf} from '../../domain/token-request.ts';
import type {TokenContext, TokenSet} from '../../domain/tokens.ts';
import {type ErrorCode, familyOf, isErrorCode, SetupError, throwUnsent} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import type {Ports} from '../../ports/ports.ts';
import {duration} from '../../text.ts';
import type {Tell} from '../flow.ts';
import {requestToken} from './client-credentials.ts';
import {type OAuthClient, oauthClient} from './oauth-client.ts';
import {statusOf} from './oauth-errors.ts';
import {askedOf, parametersOf} from './request-parameters.ts';
import {grantRefresh} from './sign-in-end.ts';
import {tokenSetOf} from './token-response.ts';

/**
 * The error for an answer whose tokens are of no use although the request has used up the refresh token. `refreshToken`
 * is the new one from the answer, which replaces the old one. The cause says why the answer was refused.
 */
export class SpentError extends Error {
  override readonly name = 'SpentError';
  readonly refreshToken: string;
  constructor(refreshToken: string, cause: unknown) {
    super('The answer was refused, and brought a new refresh token.', {cause});
    this.refreshToken = refreshToken;
  }
}

/**
 * Requests new tokens. No abort signal reaches the request: once it is sent, its answer may bring the only refresh
 * token that still works, which has to be stored even if no caller waits for it any more.
 *
 * @throws SetupError if the identity provider refuses or cannot be asked; SpentError
 */
export const requestRenewal = async (
  context: TokenContext,
  current: Credentials,
  ports: Ports,
  tell: Tell,
): Promise<TokenSet> => {
  try {
    // A refresh token that got no answer is sent again only after the provider has answered a request for its metadata.
    return await request(context, current, {ports, tell}, !current.unanswered);
  } catch (error) {
    // The stored metadata is outdated. The server did not understand the request, so the refresh token is not used up.
    if (!(error instanceof SetupError) || !isMisfit(error)) throw error;
    const {metadata} = await ports.providers.get(context.issuer);
    if (!metadata) throw error;
    await forget(context.issuer, ports);
    return request(context, current, {ports, tell}, false);
  }
};

/** Whether there is no longer a token endpoint at the requested address. */
const isMisfit = (error: SetupError): boolean =>
  error.code === 'network-redirected' || error.code === 'platform-not-json' || goneStatuses.has(statusOf(error) ?? 0);

/** The endpoint is gone, or it has moved: a redirect is never followed with a refresh token. */
const goneStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

const forget = async (issuer: string, {providers}: Ports) => {
  await providers.put(issuer, {metadata: undefined, keys: undefined});
  await providers.keep();
};

type Surroundings = {readonly ports: Ports; readonly tell: Tell};

const request = async (
  context: TokenContext,
  current: Credentials,
  {ports, tell}: Surroundings,
  fromKept: boolean,
): Promise<TokenSet> => {
  const {signal} = new AbortController();
  const {issuer, clientId, signIn} = context;
  const wanted = wantedOf(context);
  if (signIn !== 'browser') {
    const secret = new Secret(current.clientSecret ?? '');
    const input = {issuer, clientId, method: signIn, secret, fromKept, wanted};
    return tokenSetOf(await requestToken(input, {ports, signal, tell}), ports.clock.now());
  }
  const refreshToken = current.refreshToken ?? '';
  const input = {issuer, clientId, authentication: {method: 'none'}, anyTime: true, fromKept} as const;
  const client = await oauthClient(input, {ports, signal, tell}).catch(throwUnsent);
  // Keys that cannot be fetched must not cost the new refresh token: the old one would be used up by then.
  if (context.scopes?.includes('openid')) await client.fetchKeys().catch(throwUnsent);
  const asked = askedOf(wanted, client, 'person');
  const refresh = (parameters: Record<string, string>) =>
    client.attempt(configuration => client.library.refreshTokenGrant(configuration, refreshToken, parameters), {
      at: 'renewal',
      asked,
    });
  const {resource, scope} = parametersOf(asked);
  // Some identity providers want the scopes again (RFC 6749 6).
  const parameters = {...(scope === undefined ? {} : {scope}), ...(resource === undefined ? {} : {resource})};
  const answer = await refresh(parameters)
    .catch(error => {
      // An identity provider refuses unknown scopes or resources before it uses up the refresh token (RFC 8707 2, RFC
      // 6749 5.2).
      const isAsked = Object.keys(parameters).length > 0;
      if (isAsked && error instanceof SetupError && isAboutParameters(error)) return refresh({});
      throw error;
    })
    .catch(async error => {
      const brought = client.refreshTokenBrought();
      // An ID token for another client or from another issuer ends the sign-in; nothing of the answer is kept.
      const isForeign =
        error instanceof SetupError && error.code === 'auth-id-token-refused' && !error.about.isUnproven;
      if (brought !== undefined && !isForeign) {
        // The stored keys may be the reason: another key can have the same name as one of them.
        await forget(issuer, ports);
        throw new SpentError(brought, error);
      }
      throw isWithoutGrant(error) ? grantMissing(context, client, error) : error;
    });
  const {sub: subject} = answer.claims() ?? {};
  if (current.subject !== undefined && subject !== undefined && subject !== current.subject) {
    throw new SetupError('auth-id-token-refused', `${issuer} sent tokens of another account.`, {
      about: {url: issuer},
    });
  }
  // An answer without a new refresh token leaves the old one valid (RFC 6749 6).
  return {refreshToken, ...tokenSetOf(answer, ports.clock.now())};
};

const isAboutParameters = ({code}: SetupError) => code === 'auth-resource-refused' || code === 'auth-scope-refused';

const isWithoutGrant = (error: unknown): error is SetupError =>
  error instanceof SetupError && error.code === 'auth-grant-missing';

/** The error when the client may not renew, with the setting to change if this kind of provider has a known one. */
const grantMissing = ({issuer, clientId, ...context}: TokenContext, {provider}: OAuthClient, error: SetupError) => {
  const grant =
    provider.id === 'standard' || provider.settings.grant === undefined
      ? `${grantRefresh(clientId)}.`
      : (error.remedy ?? {of: error.code});
  return new SetupError('auth-grant-missing', `${issuer} does not let ${clientId} renew a sign-in.`, {
    cause: error.cause,
    about: error.about,
    remedy: [grant, phrase`If it happens again, sign in again: ${setup('login', contextFlags(context).join(' '))}.`],
  });
};

/**
 * Whether an error says that the identity provider no longer renews this sign-in; after any other error a later attempt
 * may work (RFC 6749 5.2).
 */
export const isRefusal = ({code, about}: SetupError): boolean =>
  refusals.has(code) && !about.isUnproven && !about.isUnexplained;

const refusals: ReadonlySet<ErrorCode> = new Set([
  'auth-grant-refused',
  'auth-client-refused',
  // The client has changed since the person signed in.
  'auth-client-confidential',
  'auth-client-disabled',
  'auth-client-unknown',
  'auth-service-account-off',
  // The person has to do something first.
  'auth-consent-required',
  'auth-interaction-required',
  'auth-permission-missing',
  // The tokens are for another account or client.
  'auth-id-token-refused',
]);

/**
 * Whether the identity provider itself refused a renewal without saying that the sign-in has ended, and for a reason
 * that does not pass by itself. The sign-in has probably ended then.
 */
export const isUnclear = (error: SetupError): boolean =>
  error.about.isByEndpoint === true &&
  !isRefusal(error) &&
  (error.code === 'platform-rejected' || familyOf(error.code) === 'auth');

/** Whether a renewal may work later with the same credentials. */
export const isPassing = ({code, about}: SetupError): boolean =>
  familyOf(code) === 'network' || familyOf(code) === 'platform' || passing.has(code) || about.isUnproven === true;

const passing: ReadonlySet<ErrorCode> = new Set([
  'local-locked',
  'local-limit-reached',
  'local-write-failed',
  // The metadata is wrong at the moment.
  'auth-issuer-mismatch',
]);

/**
 * Whether a portal or a proxy answered instead of the identity provider. No pause is needed then: the provider was not
 * asked, and a person who has dealt with the portal tries again at once.
 */
export const isOfThisNetwork = ({code}: SetupError): boolean => thisNetwork.has(code);

const thisNetwork: ReadonlySet<ErrorCode> = new Set([
  'network-portal',
  'network-proxy',
  'network-proxy-sign-in',
  'network-proxy-denied',
]);

/** Whether the identity provider may have carried out a request whose answer never came. */
export const isOutcomeUnknown = ({code, about}: SetupError): boolean => unclear.has(code) && about.isUnsent !== true;

const unclear: ReadonlySet<ErrorCode> = new Set(['network-timeout', 'network-reset', 'network-lost', 'network-failed']);

/**
 * Returns why no renewal is tried at the moment: the failure of the last one, which may be another process's.
 *
 * @param now milliseconds since the epoch
 * @param isWanted whether a person asks for the renewal: only a pause that the identity provider asked for then counts
 */
export const failureBefore = (
  stored: Credentials | undefined,
  now: number,
  isWanted: boolean,
  context: Pick<TokenContext, 'name' | 'actsAs'>,
): SetupError | undefined => {
  const {failure, retryAt = 0} = stored ?? {};
  const {askedUntil = 0} = failure ?? {};
  const code = isErrorCode(failure?.code) ? failure.code : undefined;
  const until = isWanted ? askedUntil : retryAt;
  if (!failure || !code || !isPaused(until, now)) return undefined;
  const retryAfter = until - now;
  const wait = `Wait ${retryAfter < 1000 ? 'a moment' : duration(retryAfter)}: until then, this program does not try again.`;
  // A pause that the identity provider asked for holds for a person too.
  const isFree = !isPaused(askedUntil, now);
  return new SetupError(code, failure.message, {
    remedy: isFree
      ? phrase`${wait} If the identity provider answers again before that, run ${setup('token', `--renew ${contextFlags(context).join(' ')}`)}.`
      : wait,
    about: {retryAfter},
  });
};

/**
 * Returns the error for a renewal that was not begun because its result could not be stored. A SetupError with another
 * code than `local-write-failed` is returned as it is.
 */
export const unkeepable = ({name}: TokenContext, path: string, error: unknown): unknown => {
  if (error instanceof SetupError && error.code !== 'local-write-failed') return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupError(
    'local-write-failed',
    `Your sign-in to ${name} was not renewed, because the new tokens could not be saved: ${reason}`,
    {cause: error, about: {path}, ...(error instanceof SetupError ? {remedy: error.remedy} : {})},
  );
};
