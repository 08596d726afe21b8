import {SetupError} from '../../errors/errors.ts';
import {retryAfterIn} from '../../errors/http-status.ts';
import {parseJson} from '../../json.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {Headers, Response} from '../../ports/network/fetch-classes.ts';
import {portalIn} from '../../ports/network/portal.ts';
import type {Run} from '../flow.ts';
import {statusError} from '../http-answers.ts';
import type {ClientAuthentication} from './client-authentication.ts';

/** How long a person waits without being asked, in milliseconds. */
const SHORT = 3_000;

/**
 * Sends a request, and sends it once more if the server was too busy and says that it will be free in a moment: 429
 * (RFC 6585 4), or 503 with a time (RFC 9110 15.6.4). The server has not carried out such a request, so nothing is done
 * twice.
 *
 * @returns the last answer, whatever it is
 * @throws as `send`, and the signal's reason
 */
export const withShortPause = async (
  send: () => Promise<Response>,
  {ports: {clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<Response> => {
  const response = await send();
  if (response.status !== 429 && response.status !== 503) return response;
  const pause = retryAfterIn({header: name => response.headers.get(name)});
  if (pause === undefined || pause > SHORT) return response;
  await response.body?.cancel();
  await clock.sleep(pause, signal);
  return send();
};

/** Parameters that are secrets (RFC 6749, RFC 7009, RFC 7523, RFC 7636, RFC 8628). */
const secretParameters = [
  'client_secret',
  'client_assertion',
  'refresh_token',
  'code',
  'code_verifier',
  'device_code',
  'token',
] as const;

/**
 * The length of the shortest text that is removed, in characters. A shorter text may stand in a sentence by chance, and
 * a secret should not be that short.
 */
const SHORTEST = 6;

type Sent = {readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>};

/**
 * Removes the secrets of the request from a refusal: the text of a refusal is shown and stored, and some servers repeat
 * the request in it. A successful answer stays as it is.
 */
export const withoutEcho = async (response: Response, sent: Sent): Promise<Response> => {
  const secrets = response.ok ? [] : secretsIn(sent);
  if (secrets.length === 0) return response;
  const {status, statusText, headers} = response;
  const text = await response.text();
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '<secret>'), text);
  // With status 304, `Response` takes no body, not even an empty string (Fetch 2.2.3).
  return new Response(clean === '' ? null : clean, {status, statusText, headers});
};

const secretsIn = ({body, headers = {}}: Sent): readonly string[] => {
  const form = body instanceof URLSearchParams || typeof body === 'string' ? new URLSearchParams(body) : undefined;
  const parameters = secretParameters.flatMap(name => form?.getAll(name) ?? []);
  const [, credentials = ''] = (new Headers(headers).get('authorization') ?? '').split(' ');
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  const spelt = [...parameters, credentials, password.join(':')].flatMap(one => [
    one,
    encodeURIComponent(one),
    decoded(one),
  ]);
  // The longest first, because one may be a part of another.
  return [...new Set(spelt)].filter(one => one.length >= SHORTEST).toSorted((one, other) => other.length - one.length);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The answer of a token, device, revocation or pushed authorization endpoint, and the client that made the request. */
export type EndpointAnswer = {
  readonly url: URL;
  readonly status: number;
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
};

/**
 * The meaning of an answer. `refusal`: it gives its reason by the protocol (RFC 6749 5.2). `challenge`: it says only
 * how to authenticate. `bare`: it refuses without any reason. `other`: it is not of the protocol, and only its status
 * has a meaning.
 */
export type EndpointMeaning = 'success' | 'refusal' | 'challenge' | 'bare' | 'other';

/** Whether a body gives the reason of a refusal by the protocol (RFC 6749 5.2). */
export const isRefusal = (body: string): boolean => {
  try {
    const {error} = (parseJson(body) ?? {}) as {error?: unknown};
    return typeof error === 'string' && error !== '';
  } catch {
    return false;
  }
};

const isClientFault = (status: number) => status >= 400 && status < 500;

type Row = {readonly means: EndpointMeaning; readonly fits: (answer: EndpointAnswer) => boolean};

/**
 * How an answer is classified: by the first row that fits. The row about a reason in the body comes before the row
 * about the header, because providers send both and a proxy sends the header only.
 */
const table: readonly Row[] = [
  {means: 'success', fits: ({status}) => status >= 200 && status <= 299},
  {means: 'refusal', fits: ({status, body}) => status < 500 && isRefusal(body)},
  {means: 'challenge', fits: ({status, header}) => status < 500 && header('www-authenticate') !== undefined},
  {means: 'bare', fits: ({status, body}) => bare.has(status) && body.trim() === ''},
  {means: 'other', fits: () => true},
];

/** Statuses with which providers refuse without a reason. */
const bare: ReadonlySet<number> = new Set([400, 401, 403]);

/** Returns what an answer of an OAuth endpoint means. */
export const meaningOf = (answer: EndpointAnswer): EndpointMeaning =>
  table.find(({fits}) => fits(answer))?.means ?? 'other';

/**
 * Returns the error for an answer that cannot be passed to the library, which reads only successes, refusals and
 * challenges. Returns undefined if the library can read it.
 */
export const endpointError = (answer: EndpointAnswer): SetupError | undefined => {
  const {url, status} = answer;
  const means = meaningOf(answer);
  if (means === 'bare') return bareError(answer);
  if (means !== 'other') return portalIn(answer, url);
  const found = statusError({...answer, ms: 0}, url, {isOpen: true});
  const isBlocked = status === 401 || status === 403;
  const failure = isBlocked && found.code === 'platform-error' ? found.saying('', blocked(url)) : found;
  return isClientFault(status) ? failure.with({isByEndpoint: true}) : failure;
};

const blocked = (url: URL): string =>
  `Ask its operators to let requests through to ${showUrl(url)}: programs fetch tokens there, and cannot pass another sign-in.`;

/** The error for a refusal without a reason: nothing shows whether the client or its secret is wrong. */
const bareError = ({url, status, issuer, clientId, authentication}: EndpointAnswer): SetupError => {
  const about = {url: issuer, status, isByEndpoint: true, isUnexplained: true} as const;
  const answered = `${showUrl(url)} answered ${status}`;
  if (status === 400) {
    return new SetupError('platform-rejected', `${answered} without a reason.`, {
      about,
      remedy: `Try again. If it keeps failing, ask its operators what its log says about ${clientId}.`,
    });
  }
  if (authentication.method !== 'none') {
    return new SetupError(
      'auth-client-refused',
      `${issuer} refused the client ID or the secret of ${clientId}: ${answered} without a reason.`,
      {about: {...about, isMethodUnclear: true}},
    );
  }
  return new SetupError('auth-client-refused', `${answered} to ${clientId} without a reason.`, {
    about,
    remedy: `Ask its operators whether ${clientId} is a public client there (without a secret) and may use this endpoint. Their log says why it was refused.`,
  });
};

/**
 * Returns the answer in a form that the library reads correctly: if there is a challenge in the header, the library
 * ignores the body.
 */
export const forLibrary = (answer: EndpointAnswer, response: Response): Response => {
  if (meaningOf(answer) !== 'refusal' || !response.headers.has('www-authenticate')) return response;
  const headers = new Headers(response.headers);
  headers.delete('www-authenticate');
  const {status, statusText} = response;
  return new Response(answer.body, {status, statusText, headers});
};
