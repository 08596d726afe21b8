import {SetupError} from '../../../errors/errors.ts';
import {parseJson} from '../../../json.ts';
import {showUrl} from '../../../ports/network/curl.ts';
import {portalIn} from '../../../ports/network/portal.ts';
import {statusError} from '../../answers.ts';
import type {ClientAuthentication} from './client-authentication.ts';

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
