import {type About, type ErrorCode, findSetupError, type Remedy, SetupError} from '../../errors/errors.ts';
import {busyError} from '../../errors/http-status.ts';
import {causeOf, operatorsChange, settingOf} from '../../identity-providers/catalogue.ts';
import type {Cause, GuideValues, IdentityProvider, RequestStage} from '../../identity-providers/identity-provider.ts';
import {cleanText, duration} from '../../text.ts';
import {issuerMismatch} from '../metadata.ts';
import type {ClientAuthentication} from './client-authentication.ts';
import type {AskedToken} from './request-parameters.ts';

/** A request to an identity provider, and the client that made it. */
export type Asking = {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  readonly provider: IdentityProvider;
  readonly at: RequestStage;
  readonly asked?: AskedToken | undefined;
  readonly redirectUri?: string | undefined;
};

/** How an identity provider refused a request: the OAuth error, if there is one, and its description. */
export type RefusalAnswer = {
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  /** The claims that it demands at the next sign-in, if it says so (OpenID Connect Core 5.5). */
  readonly claims?: string | undefined;
};

/**
 * Returns the error for a refusal whose cause is known, in this program's words and with the setting that fixes it.
 * Otherwise returns undefined.
 */
export const refusalError = (answer: RefusalAnswer, asking: Asking, cause?: unknown): SetupError | undefined => {
  const {provider, issuer, at, authentication, asked} = asking;
  const refused = causeOf(provider, {at, error: answer.error, says: answer.description});
  if (refused === undefined) return undefined;
  // A client that sent no secret is not told that its secret is wrong, and a client that sent a secret is not told that
  // the secret is missing.
  const isPublic = authentication.method === 'none';
  const found = isPublic ? (forPublic[refused] ?? refused) : (forConfidential[refused] ?? refused);
  const {code, message} = refusals[found];
  const reason = reasonOf(answer);
  const about: About = {
    url: issuer,
    ...(found === 'redirect' ? {flag: 'redirect-uri'} : {}),
    ...(found === 'secret-or-method' || isUnsaid(answer) ? {isMethodUnclear: true as const} : {}),
    ...(found === 'scope' && asked?.isOfflineAdded ? {isOfflineRefused: true as const} : {}),
    ...(found === 'resource' && provider.target === 'audience' && asked?.audience !== undefined
      ? {isDialect: true as const}
      : {}),
    ...(reason === '' ? {} : {said: reason}),
    ...(answer.claims === undefined ? {} : {claims: answer.claims}),
  };
  const setting = settingOf(provider, found, valuesOf(asking));
  // Some identity providers issue no token to a service account that requests no scope, and do not say which it may
  // request.
  const isWithoutScope = found === 'scope' && asked?.scopes.length === 0;
  const remedy = isWithoutScope ? nameScope : ofPeople.has(found) ? setting : operatorsChange(provider, setting);
  const words = `${message(asking)}${reason === '' ? '' : ` (${reason})`}.`;
  // The remedy for an ended sign-in is a command that names the deployment; the table of errors has it.
  return new SetupError(code, words, {cause, about, ...(found === 'ended' ? {} : {remedy})});
};

/** The causes that mean something else for a client without a secret. */
const forPublic: Readonly<Partial<Record<Cause, Cause>>> = {
  secret: 'confidential',
  'secret-method': 'confidential',
  'secret-or-method': 'confidential',
};

/** The causes that mean something else for a client with a secret, which requests only the grant client_credentials. */
const forConfidential: Readonly<Partial<Record<Cause, Cause>>> = {confidential: 'secret', grant: 'service-account'};

/**
 * Whether the answer is nothing but `unauthorized_client`: some identity providers answer this if the secret was sent
 * by another method than the client is registered for.
 */
const isUnsaid = ({error, description = ''}: RefusalAnswer): boolean =>
  error === 'unauthorized_client' && description === '';

const nameScope: Remedy = {
  do: 'Request a scope that this client may have.',
  flag: 'To request a scope that this client may have, pass --scopes.',
};

/** The causes that the person can deal with themselves. */
const ofPeople: ReadonlySet<Cause> = new Set(['secret', 'secret-or-method', 'interaction', 'ended']);

/** Returns the error and its description as one text to show. */
export const reasonOf = ({error, description}: RefusalAnswer): string =>
  cleanText([error, description].filter(Boolean).join(': '));

/**
 * Reads an error from the parameters of an address: the standard's (RFC 6749 4.1.2.1), or those of the provider's own
 * error page.
 */
export const refusalInAddress = (query: URLSearchParams | undefined): RefusalAnswer | undefined => {
  const error = query?.get('error') ?? query?.get('errorCode');
  if (!error) return undefined;
  const description = query?.get('error_description') ?? query?.get('errorMessage');
  return {error: cleanText(error), ...(description ? {description: cleanText(description)} : {})};
};

/** The values for the placeholders of a sentence about this request. */
export const valuesOf = ({
  issuer,
  clientId,
  asked,
  redirectUri,
}: Omit<Asking, 'authentication' | 'provider' | 'at'>): GuideValues => ({
  issuer,
  clientId,
  ...(asked ? {scopes: asked.scopes.join(' ')} : {}),
  ...(redirectUri === undefined ? {} : {redirect: redirectUri}),
  ...((asked?.audience ?? asked?.resource) === undefined ? {} : {audience: asked?.audience ?? asked?.resource ?? ''}),
});

/** Says that the identity provider refused a sign-in, or its renewal. */
const signInRefused = ({issuer, at}: Pick<Asking, 'issuer' | 'at'>): string =>
  `${issuer} refused ${at === 'renewal' ? 'to renew the sign-in' : 'the sign-in'}`;

type Words = {readonly code: ErrorCode; readonly message: (asking: Asking) => string};

/** The error for each cause: its code, and its sentence without the given reason and without a full stop. */
const refusals: Readonly<Record<Cause, Words>> = {
  grant: {
    code: 'auth-grant-missing',
    message: ({issuer, clientId}) => `${issuer} does not allow ${clientId} this grant type`,
  },
  pkce: {
    code: 'auth-pkce-missing',
    message: ({issuer, clientId}) => `${issuer} does not accept PKCE with S256 from ${clientId}`,
  },
  par: {
    code: 'auth-par-required',
    message: ({issuer, clientId}) =>
      `${issuer} requires pushed authorization requests from ${clientId}, but names no endpoint for them`,
  },
  dpop: {
    code: 'auth-dpop-required',
    message: ({issuer, clientId}) => `${issuer} issues only DPoP-bound tokens to ${clientId}`,
  },
  scope: {
    code: 'auth-scope-refused',
    message: ({issuer, clientId, asked: {scopes = []} = {}}) =>
      scopes.length === 0
        ? `${issuer} issues no token to ${clientId} without a scope`
        : `${issuer} does not grant ${clientId} these scopes: ${cleanText(scopes.join(' '))}`,
  },
  audience: {code: 'auth-token-refused', message: ({issuer}) => `${issuer} issued a token for a different audience`},
  opaque: {
    code: 'auth-token-opaque',
    message: ({issuer, clientId}) => `${issuer} issues access tokens that are not JWTs to ${clientId}`,
  },
  secret: {
    code: 'auth-client-refused',
    message: ({issuer, clientId}) => `${issuer} refused the client ID or the secret of ${clientId}`,
  },
  'secret-method': {
    code: 'auth-method-refused',
    message: ({issuer, clientId}) => `${issuer} does not let ${clientId} sign in this way`,
  },
  'secret-or-method': {
    code: 'auth-client-refused',
    message: ({issuer, clientId}) => `${issuer} refused the secret of ${clientId}, or the way it is sent`,
  },
  'service-account': {
    code: 'auth-service-account-off',
    message: ({issuer, clientId}) => `${issuer} doesn’t let ${clientId} sign in as a service account`,
  },
  disabled: {code: 'auth-client-disabled', message: ({issuer, clientId}) => `${clientId} is disabled at ${issuer}`},
  'unknown-client': {
    code: 'auth-client-unknown',
    message: ({issuer, clientId}) => `${issuer} has no client ${clientId}`,
  },
  redirect: {
    code: 'auth-redirect-refused',
    message: ({issuer, clientId, redirectUri}) =>
      `${issuer} has no client ${clientId} with the redirect URL ${redirectUri}`,
  },
  consent: {
    code: 'auth-consent-required',
    message: ({issuer, clientId}) => `${issuer} requires a permission that ${clientId} has not been given`,
  },
  interaction: {
    code: 'auth-interaction-required',
    message: ({issuer}) => `${issuer} needs you to complete another step in the browser`,
  },
  assignment: {
    code: 'auth-permission-missing',
    message: ({issuer, clientId}) => `${issuer} does not let this account use ${clientId}`,
  },
  ended: {code: 'auth-grant-refused', message: signInRefused},
  device: {
    code: 'auth-device-missing',
    message: ({issuer, clientId}) => `${issuer} does not let ${clientId} sign people in with a code`,
  },
  confidential: {
    code: 'auth-client-confidential',
    message: ({issuer, clientId}) => `${issuer} doesn’t let ${clientId} sign in without a secret`,
  },
  resource: {
    code: 'auth-resource-refused',
    message: ({issuer, asked}) => {
      const target = asked?.resource ?? asked?.audience;
      return `${issuer} does not issue tokens for ${target === undefined ? 'this resource' : cleanText(target)}`;
    },
  },
};

/** A request, and what is known about its answer. */
type Asked = Asking & {
  /** How far this machine's clock is ahead of the server's, in milliseconds; undefined if the server did not say. */
  readonly skew: number | undefined;
  /** Whether the token endpoint's last answer had an ID token. */
  readonly hasIdToken?: boolean;
};

type Options = {readonly cause: unknown; readonly about: About & {readonly url: string}};

/** Whether a value is a response. Its class may be Node's or undici's. */
const isResponse = (value: unknown): value is Response => Object.prototype.toString.call(value) === '[object Response]';

/** The response that an error of the library is about. */
const answerOf = (error: unknown): Response | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('response' in error && isResponse(error.response)) return error.response;
  return isResponse(error.cause) ? error.cause : undefined;
};

/** Returns the status of the response that an error is about; the error may be the library's or our own. */
export const statusOf = (error: unknown): number | undefined =>
  findSetupError(error)?.about.status ?? answerOf(findSetupError(error)?.cause ?? error)?.status;

/** Translates the error of a library request into one of this program. */
export const translate = (error: unknown, input: Asked, library: typeof import('openid-client')): SetupError => {
  const {issuer, clientId} = input;
  const status = statusOf(error);
  const isRefused = status !== undefined && status >= 400 && status < 500;
  const about = {url: issuer, ...(isRefused ? {status, isByEndpoint: true as const} : {})};
  const options: Options = {cause: error, about};
  const busy = busyIn(error, issuer, options);
  if (busy) return busy;
  if (error instanceof library.WWWAuthenticateChallengeError) {
    return isForClients(error.cause, input)
      ? clientRefused(issuer, clientId, '', options)
      : new SetupError('platform-error', `Something in front of ${issuer} requires its own sign-in (401).`, options);
  }
  if (error instanceof library.AuthorizationResponseError) return authorizationRefused(error, input, options);
  if (error instanceof library.ResponseBodyError) return errorAnswer(error, input, options);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // A status outside 2xx was reported before. Of the statuses 2xx, the library accepts only one for each endpoint.
  if (code === 'OAUTH_RESPONSE_IS_NOT_JSON' || (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && status !== undefined)) {
    const message = `${issuer} is not an identity provider: it doesn’t return JSON.`;
    return new SetupError('platform-not-json', message, options);
  }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return issuerMismatch(issuer, issuerCalled(error), options);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    const message = clockMessage(issuer, input.skew);
    return new SetupError('auth-clock', message, options);
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    return new SetupError('auth-id-token-refused', `${issuer} sent an ID token that is not for this sign-in.`, options);
  }
  if (typeof code === 'string' && input.hasIdToken && isOfIdToken(error)) {
    const message = `${issuer} sent an invalid ID token: its signature, key or format is wrong (${code}).`;
    const about = {...options.about, isUnproven: true as const};
    return new SetupError('auth-id-token-refused', message, {...options, about});
  }
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    const message = `${issuer} sent an answer that the protocol does not allow (${code}).`;
    return new SetupError('platform-invalid-answer', message, options);
  }
  return new SetupError('bug', `The sign-in at ${issuer} failed for an unknown reason.`, options);
};

/**
 * Whether an error is about the ID token: for every other part of an answer, the library's error has the answer's body.
 */
const isOfIdToken = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (typeof at.cause === 'object' && at.cause !== null && 'body' in at.cause) return false;
  }
  return true;
};

const busyIn = (error: unknown, issuer: string, options: Options): SetupError | undefined => {
  const answer = answerOf(error);
  return answer && busyError(issuer, {status: answer.status, header: name => answer.headers.get(name)}, options);
};

/**
 * A Basic or Bearer challenge tells a client that its secret is wrong. Any other challenge comes from a proxy (RFC 6749
 * 5.2).
 */
const isForClients = (challenges: readonly {readonly scheme: string}[], {authentication}: Asked): boolean =>
  authentication.method !== 'none' && challenges.some(({scheme}) => /^(basic|bearer)$/i.test(scheme));

type Answer = {
  readonly error: string;
  readonly error_description?: string | undefined;
  readonly status?: number;
  readonly cause?: unknown;
};

type Refused = {readonly answer: Answer; readonly reason: string; readonly input: Asked};

/**
 * The meaning of an error of RFC 6749 5.2, unless the kind of provider gives it another one. The first row that fits
 * decides.
 */
type Row = {
  readonly fits: (refused: Refused) => boolean;
  readonly code: ErrorCode;
  /** The sentence, without the reason and without a full stop. */
  readonly says: (asked: Asked) => string;
  /** The cause that tells which setting to change; absent if the table of errors says it better. */
  readonly cause?: Cause;
};

const isPublic = ({input}: Refused) => input.authentication.method === 'none';

const errorTable: readonly Row[] = [
  {
    fits: ({answer}) => answer.error === 'invalid_grant',
    code: 'auth-grant-refused',
    says: signInRefused,
  },
  {
    // The client signed people in without a secret before. Since then it has been removed or has got a secret (RFC 6749
    // 5.2 has one error for both).
    fits: refused => refused.answer.error === 'invalid_client' && isPublic(refused) && refused.input.at === 'renewal',
    code: 'auth-client-unknown',
    says: ({issuer, clientId}) => `${issuer} no longer has a client ${clientId}, or it needs a secret now`,
  },
  {
    fits: refused => refused.answer.error === 'invalid_client' && isPublic(refused),
    code: 'auth-client-confidential',
    says: ({issuer, clientId}) => `${issuer} doesn’t let ${clientId} sign in without a secret`,
  },
  {
    fits: ({answer}) => answer.error === 'invalid_client',
    code: 'auth-client-refused',
    says: ({issuer, clientId}) => `${issuer} refused the client ID or the secret of ${clientId}`,
  },
  {
    // These two errors are about the server, whatever the status is (RFC 6749 4.1.2.1).
    fits: ({answer}) =>
      (answer.status ?? 400) >= 500 || ['server_error', 'temporarily_unavailable'].includes(answer.error),
    code: 'platform-error',
    says: ({issuer, clientId}) => `${issuer} issued no token to ${clientId}`,
  },
  {
    // Only pushed requests get such an answer at this stage: some providers accept them only from clients with a
    // secret.
    fits: ({input}) => input.at === 'authorization',
    code: 'auth-par-required',
    says: ({issuer, clientId}) => `${issuer} requires pushed authorization requests from ${clientId}, but refuses them`,
    cause: 'par',
  },
  {
    fits: () => true,
    code: 'platform-rejected',
    says: ({issuer, clientId}) => `${issuer} issued no token to ${clientId}`,
  },
];

const errorAnswer = (answer: Answer, input: Asked, options: Options): SetupError => {
  const {error, error_description: description} = answer;
  const reason = reasonOf({error, description});
  const {claims} = (answer.cause ?? {}) as {claims?: unknown};
  const refusal = {error, description, ...(typeof claims === 'string' ? {claims} : {})};
  const known = refusalError(refusal, input, options.cause);
  if (known) return known.with(options.about);
  const row = errorTable.find(({fits}) => fits({answer, reason, input}));
  const message = `${row?.says(input) ?? input.issuer} (${reason}).`;
  // RFC 6749 5.2 has one error for an unknown client, a wrong secret and a method that the client is not registered
  // for.
  const isUnsaid = row?.code === 'auth-client-refused' && !description;
  const isUnclear = isUnsaid ? {isMethodUnclear: true as const} : {};
  const about = {...options.about, ...isUnclear, said: reason};
  const remedy =
    row?.cause === undefined
      ? {}
      : {remedy: operatorsChange(input.provider, settingOf(input.provider, row.cause, valuesOf(input)))};
  return new SetupError(row?.code ?? 'platform-rejected', message, {...options, ...remedy, about});
};

const authorizationRefused = (answer: Answer, input: Asked, options: Options): SetupError => {
  const {issuer} = input;
  const {error, error_description: description} = answer;
  const known = refusalError({error, description}, {...input, at: 'authorization'}, options.cause);
  if (known) return known;
  if (error === 'access_denied') {
    const reason = description ? ` (${reasonOf({error, description})})` : '';
    return new SetupError('auth-declined', `The sign-in at ${issuer} was declined${reason}.`, options);
  }
  const message = `${issuer} ended the sign-in (${reasonOf({error, description})}).`;
  return new SetupError('auth-authorization-failed', message, options);
};

/**
 * Says how far this machine's clock is from the server's (the `Date` header), if the difference is large enough to
 * matter.
 */
const clockMessage = (issuer: string, skew: number | undefined): string =>
  skew === undefined || Math.abs(skew) < 5_000
    ? `The token from ${issuer} is not valid at the time of this computer’s clock.`
    : `This computer’s clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'fast' : 'slow'}, so the token from ${issuer} looks invalid.`;

/** Returns the issuer in the metadata if it is not the expected one; the library keeps it with its error. */
const issuerCalled = (error: unknown): string | undefined => {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const body = (at.cause as {body?: {issuer?: unknown}} | undefined)?.body;
    if (typeof body?.issuer === 'string') return body.issuer;
  }
  return undefined;
};

const clientRefused = (issuer: string, clientId: string, reason: string, options: Options) => {
  const words = reason === '' ? '' : ` (${reason})`;
  return new SetupError(
    'auth-client-refused',
    `${issuer} refused the client ID or the secret of ${clientId}${words}.`,
    options,
  );
};
