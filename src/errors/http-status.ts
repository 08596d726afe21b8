import {duration} from '../text.ts';
import {type ErrorCode, SetupError} from './errors.ts';

/**
 * Returns the error code for an HTTP status outside 2xx in answer to a request with a token (RFC 9110 15). It is for
 * callers without more specific knowledge, such as an endpoint's own words or a time to wait (`busyError`), so that
 * they all use the same code for a status.
 */
export const codeOfStatus = (status: number): ErrorCode => {
  if (status >= 300 && status < 400) return 'network-redirected';
  if (status === 401) return 'auth-token-refused';
  if (status === 403) return 'auth-permission-missing';
  if (noEndpoint.has(status)) return 'platform-no-such-endpoint';
  if (status === 503) return 'platform-unhealthy';
  return status >= 500 ? 'platform-error' : 'platform-rejected';
};

/** The path does not exist, does not take this method or is gone, or the host is not one of this server. */
const noEndpoint: ReadonlySet<number> = new Set([404, 405, 410, 421]);

/** The longest wait that is accepted, in milliseconds. A longer one is shortened to this. */
const LONGEST = 60 * 60 * 1000;

type Answer = {
  readonly status: number;
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | null | undefined;
};

/**
 * Returns how long a server asks clients to wait (`Retry-After`, RFC 9110 10.2.3): seconds, or a date by its own clock.
 *
 * @returns milliseconds, at most an hour; undefined if the server does not say
 */
export const retryAfterIn = ({header}: Pick<Answer, 'header'>): number | undefined => {
  const text = header('retry-after')?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(header('date') ?? '');
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST);
};

type Options = {
  readonly cause?: unknown;
  /** Further words of the server, for people. */
  readonly reason?: string;
  readonly about: {readonly url: string};
};

/**
 * Returns the error of a server that is too busy: 429 (RFC 6585 4), or 503 with a time (RFC 9110 15.6.4). Undefined for
 * any other answer.
 *
 * @param who the server, as the beginning of a sentence
 */
export const busyError = (who: string, {status, header}: Answer, options: Options): SetupError | undefined => {
  const {reason, about, ...cause} = options;
  const retryAfter = retryAfterIn({header});
  if (status !== 429 && (status !== 503 || retryAfter === undefined)) return undefined;
  const what = status === 429 ? 'gets too many requests' : 'is too busy';
  const detail = reason === undefined || reason === '' ? '' : `: ${reason}`;
  const message = `${who} ${what} (${status}${detail}).`;
  if (retryAfter === undefined) return new SetupError('platform-busy', message, {...cause, about});
  const remedy = `${waitSentence(retryAfter)} Then try again.`;
  return new SetupError('platform-busy', message, {...cause, remedy, about: {...about, retryAfter}});
};

/**
 * Returns a sentence about the pause before the next attempt.
 *
 * @param retryAfter in milliseconds
 */
export const noAttemptFor = (retryAfter: number): string =>
  `Wait ${duration(retryAfter)}: until then, this program does not try again.`;

/**
 * Returns a sentence about the wait that a server asks for.
 *
 * @param retryAfter in milliseconds
 */
export const waitSentence = (retryAfter: number): string => `Wait ${duration(retryAfter)}, as the server asks.`;
