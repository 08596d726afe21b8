import {busyError} from '../../../errors/busy.ts';
import {type About, type ErrorCode, findSetupError, SetupError} from '../../../errors/errors.ts';
import {operatorsChange, settingOf} from '../../../identity-providers/catalogue.ts';
import type {Cause} from '../../../identity-providers/identity-provider.ts';
import {duration} from '../../../text.ts';
import {issuerMismatch} from '../../provider-metadata.ts';
import {type Asking, reasonOf, refusalError, valuesOf} from './refusal-error.ts';

/** What was asked of whom. */
type Asked = Asking & {
  /** How far this machine's clock is ahead of the server's, in milliseconds, where the server told. */
  readonly skew: number | undefined;
  /** Whether the token endpoint's last answer had an ID token. */
  readonly hasIdToken?: boolean;
};

type Options = {readonly cause: unknown; readonly about: About & {readonly url: string}};

/** The answer that a library's error is about. */
const answerOf = (error: unknown): Response | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('response' in error && error.response instanceof Response) return error.response;
  return error.cause instanceof Response ? error.cause : undefined;
};

/** The status of the answer that an error is about, the library's or one of ours. */
export const statusOf = (error: unknown): number | undefined =>
  findSetupError(error)?.about.status ?? answerOf(findSetupError(error)?.cause ?? error)?.status;

/** What a request of the library's failed with, in this program's words. */
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
  // What is outside 2xx was told by its status before; of those the library takes 200 alone.
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
    const message = `${issuer} answered what the protocol does not allow (${code}).`;
    return new SetupError('platform-invalid-answer', message, options);
  }
  return new SetupError('bug', `The sign-in at ${issuer} failed for an unknown reason.`, options);
};

/** Of an answer's other members the library says which answer they were in. */
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

/** A client that sent a secret is told by Basic or Bearer that it is wrong; all else is a proxy’s word (RFC 6749 5.2). */
const isForClients = (challenges: readonly {readonly scheme: string}[], {authentication}: Asked): boolean =>
  authentication.method !== 'none' && challenges.some(({scheme}) => /^(basic|bearer)$/i.test(scheme));

type Answer = {
  readonly error: string;
  readonly error_description?: string | undefined;
  readonly status?: number;
  readonly cause?: unknown;
};

type Refused = {readonly answer: Answer; readonly reason: string; readonly input: Asked};

/** What an error of RFC 6749 5.2 means where no kind of provider means something else by it. The first that fits counts. */
type Row = {
  readonly fits: (refused: Refused) => boolean;
  readonly code: ErrorCode;
  /** Without the reason and a full stop. */
  readonly says: (asked: Asked) => string;
  /** By which it is known where that is mended, where the table of errors does not say it better. */
  readonly cause?: Cause;
};

const isPublic = ({input}: Refused) => input.authentication.method === 'none';

const errorTable: readonly Row[] = [
  {
    fits: ({answer}) => answer.error === 'invalid_grant',
    code: 'auth-grant-refused',
    says: ({issuer}) => `${issuer} refused the sign-in`,
  },
  {
    // It has signed people in without a secret before: it was removed since, or has got one (RFC 6749 5.2 has one word).
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
    // These two are about the server, whatever the status is (RFC 6749 4.1.2.1).
    fits: ({answer}) =>
      (answer.status ?? 400) >= 500 || ['server_error', 'temporarily_unavailable'].includes(answer.error),
    code: 'platform-error',
    says: ({issuer, clientId}) => `${issuer} issued no token to ${clientId}`,
  },
  {
    // Nothing else is answered so at this stage: some take pushed requests from clients with a secret alone.
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
  const told = {error, description, ...(typeof claims === 'string' ? {claims} : {})};
  const known = refusalError(told, input, options.cause);
  if (known) return known.with(options.about);
  const row = errorTable.find(({fits}) => fits({answer, reason, input}));
  const message = `${row?.says(input) ?? input.issuer} (${reason}).`;
  // An unknown client, a wrong secret and a way of sending it that the client is not registered for are one error (RFC 6749 5.2).
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
    return new SetupError('auth-declined', `The sign-in at ${issuer} was declined.`, options);
  }
  const message = `${issuer} ended the sign-in (${reasonOf({error, description})}).`;
  return new SetupError('auth-authorization-failed', message, options);
};

/** How far this machine's clock is from the server's (the Date header), where that is worth saying. */
const clockMessage = (issuer: string, skew: number | undefined): string =>
  skew === undefined || Math.abs(skew) < 5_000
    ? `The token from ${issuer} is not valid at the time of this computer’s clock.`
    : `This computer’s clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'fast' : 'slow'}, so the token from ${issuer} looks invalid.`;

/** The issuer in metadata that is not the one that was asked for, as the library keeps it with its error. */
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
