import {retryAfterIn} from '../../errors/busy.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {portalIn} from '../../ports/network/portal.ts';
import {statusError} from '../answers.ts';
import type {Run} from '../flow.ts';
import type {ClientAuthentication} from './client-authentication.ts';

/** As long as a person waits without being asked, in milliseconds. */
const SHORT = 3_000;

/**
 * Sends once more what a server was too busy for, where it says that this will be over in a moment: 429 (RFC 6585 4), or 503
 * with a time (RFC 9110 15.6.4). Neither has done what was asked, so nothing is done twice.
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

/** Parameters that are secrets (RFC 6749, RFC 7523, RFC 7636, RFC 8628). */
const secretParameters = [
  'client_secret',
  'client_assertion',
  'refresh_token',
  'code',
  'code_verifier',
  'device_code',
  'token',
] as const;

/** Shorter than any secret; what is shorter may stand in a sentence by chance. */
const SHORTEST = 6;

type Sent = {readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>};

/**
 * A refusal without what it repeats of the request: its words are shown and kept, and a secret is in neither because a
 * server says it back. An answer that is a success stays as it is.
 */
export const withoutEcho = async (response: Response, sent: Sent): Promise<Response> => {
  const secrets = response.ok ? [] : secretsIn(sent);
  if (secrets.length === 0) return response;
  const {status, statusText, headers} = response;
  const text = await response.text();
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '<secret>'), text);
  // A status without a body takes none, not even an empty one (Fetch 2.2.3).
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
  // The longest first: one may be a part of another.
  return [...new Set(spelt)].filter(one => one.length >= SHORTEST).toSorted((one, other) => other.length - one.length);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** What a token, device, revocation or pushed authorization endpoint answered to a request, and who made it. */
export type EndpointAnswer = {
  readonly url: URL;
  readonly status: number;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
};

/**
 * What an answer is. `refusal`: it says by the protocol why it refuses (RFC 6749 5.2). `challenge`: it says only how to
 * sign in. `bare`: it refuses and says nothing at all. `other`: nothing of the protocol's, known by its status alone.
 */
export type EndpointMeaning = 'success' | 'refusal' | 'challenge' | 'bare' | 'other';

/** Whether an answer says by the protocol why it is none (RFC 6749 5.2). */
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
 * How an answer is read; the first row that fits counts. What the body says comes before the header: providers send both,
 * and a proxy has only the header.
 */
const table: readonly Row[] = [
  {means: 'success', fits: ({status}) => status >= 200 && status <= 299},
  {means: 'refusal', fits: ({status, body}) => status < 500 && isRefusal(body)},
  {means: 'challenge', fits: ({status, header}) => status < 500 && header('www-authenticate') !== undefined},
  {means: 'bare', fits: ({status, body}) => bare.has(status) && body.trim() === ''},
  {means: 'other', fits: () => true},
];

/** Statuses by which providers refuse without a word. */
const bare: ReadonlySet<number> = new Set([400, 401, 403]);

/** What an answer of an OAuth endpoint means. */
export const meaningOf = (answer: EndpointAnswer): EndpointMeaning =>
  table.find(({fits}) => fits(answer))?.means ?? 'other';

/**
 * Why an answer cannot be handed on to the library, which reads successes, refusals and challenges alone; undefined where
 * it can.
 */
export const endpointError = (answer: EndpointAnswer): SetupError | undefined => {
  const {url, status} = answer;
  const means = meaningOf(answer);
  if (means === 'bare') return bareError(answer);
  if (means !== 'other') return portalIn(answer, url);
  const found = statusError({...answer, ms: 0}, url, {isOpen: true});
  const isBlocked = status === 401 || status === 403;
  const told = isBlocked && found.code === 'platform-error' ? found.saying('', blocked(url)) : found;
  return isClientFault(status) ? told.with({isByEndpoint: true}) : told;
};

const blocked = (url: URL): string =>
  `Ask its operators to let requests through to ${showUrl(url)}: programs get their tokens there, without another sign-in.`;

/** A refusal without a word: which of the two it is about, the client or its secret, nobody here can tell. */
const bareError = ({url, status, issuer, clientId, authentication}: EndpointAnswer): SetupError => {
  const about = {url: issuer, status, isByEndpoint: true, isUnexplained: true} as const;
  const answered = `${showUrl(url)} answered ${status}`;
  if (status === 400) {
    return new SetupError('platform-rejected', `${answered} without a reason.`, {
      about,
      remedy: `Try again. If it keeps failing, ask its operators what its log says of ${clientId}.`,
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
    remedy: `Ask its operators whether ${clientId} exists there, without a secret, and may use this endpoint; its log says why it was refused.`,
  });
};

/**
 * The same answer as the library is to read it: it takes a challenge in the header for all that there is, and would not read
 * what a body beside it says.
 */
export const forLibrary = (answer: EndpointAnswer, response: Response): Response => {
  if (meaningOf(answer) !== 'refusal' || !response.headers.has('www-authenticate')) return response;
  const headers = new Headers(response.headers);
  headers.delete('www-authenticate');
  const {status, statusText} = response;
  return new Response(answer.body, {status, statusText, headers});
};
