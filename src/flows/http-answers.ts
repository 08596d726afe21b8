import {SetupError} from '../errors/errors.ts';
import {busyError, codeOfStatus, retryAfterIn} from '../errors/http-status.ts';
import {parseJson} from '../json.ts';
import {hostRefused} from '../mcp/refusal.ts';
import {showUrl} from '../ports/network/curl.ts';
import {isPage, portalIn, redirectError} from '../ports/network/portal.ts';
import type {HttpReply} from '../ports/ports.ts';
import {briefText, cleanText} from '../text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON object in an answer.
 *
 * @throws SetupError `network-portal` for a web page, `platform-not-json` for other text, `platform-invalid-answer` for
 *   a broken or wrong document
 */
export const readJson = (reply: HttpReply, url: URL): JsonObject => {
  const about = {url: showUrl(url)};
  let value: unknown;
  try {
    value = parseJson(reply.body);
  } catch (error) {
    const type = reply.header('content-type') ?? '';
    const portal = portalIn(reply, url);
    if (portal) throw portal;
    if (isPage(reply))
      throw new SetupError('platform-not-json', `${showUrl(url)} returned a web page instead of JSON.`, {about});
    if (type.includes('json')) {
      throw new SetupError('platform-invalid-answer', `${showUrl(url)} returned JSON that is cut off or malformed.`, {
        cause: error,
        about,
      });
    }
    throw new SetupError('platform-not-json', `${showUrl(url)} returned text instead of JSON.`, {cause: error, about});
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new SetupError('platform-invalid-answer', `${showUrl(url)} returned JSON that is not an object.`, {about});
};

/** Returns the text at `key`, if there is one. */
export const textAt = (object: JsonObject, key: string): string | undefined => {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns the reason that an error answer gives, in any of the platform's forms, cleaned for showing. */
export const reasonIn = (reply: HttpReply): string => {
  try {
    const body: unknown = parseJson(reply.body);
    if (typeof body !== 'object' || body === null) return '';
    const {error, error_description, code, message, description} = body as JsonObject;
    const words = [wordsIn(error ?? code), wordsIn(error_description ?? description ?? message)];
    return cleanText(words.filter(word => word !== undefined).join(': '));
  } catch {
    const isText = (reply.header('content-type') ?? '').startsWith('text/plain');
    return isText ? cleanText(reply.body) : '';
  }
};

/**
 * Returns a member of an error answer as text: in later releases a translation key with the English words beside it.
 */
const wordsIn = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const {defaultValue} = (typeof value === 'object' && value !== null ? value : {}) as {defaultValue?: unknown};
  return typeof defaultValue === 'string' ? defaultValue : undefined;
};

/**
 * Returns the error for an answer outside 2xx, by its status: the part that all endpoints have in common. Endpoints
 * translate what they know better before they call this.
 *
 * @param isOpen whether the endpoint needs no sign-in, so that a refusal is not about a token
 */
export const statusError = (reply: HttpReply, url: URL, {isOpen = false} = {}): SetupError => {
  const {status} = reply;
  const moved = portalIn(reply, url) ?? redirectError(reply, url);
  if (moved) return moved;
  const shown = showUrl(url);
  const about = {url: shown, status, ...(isObjectMissing(reply) ? {isObjectMissing: true as const} : {})};
  const reason = reasonIn(reply);
  const detail = reason === '' ? '' : ` (${reason})`;
  const message = `${shown} answered ${status}${detail}.`;
  const refused = status === 403 && hostRefused(reason, message, about);
  if (refused) return refused;
  if (isOpen && (status === 401 || status === 403)) {
    const what = status === 401 ? 'requires its own sign-in' : 'blocks every request';
    return new SetupError('platform-error', `Something in front of ${shown} ${what} (${status})${detail}.`, {
      about,
      remedy: 'Ask its operators to make this address public: clients read there how to sign in.',
    });
  }
  return busyError(shown, reply, {about, reason}) ?? new SetupError(codeOfStatus(status), message, {about});
};

/**
 * Whether an object is missing, and not the path: an unknown path is answered with text, a missing object with a code
 * of the platform's.
 */
const isObjectMissing = ({status, body}: HttpReply): boolean => {
  if (status !== 404) return false;
  try {
    const {code} = parseJson(body) as JsonObject;
    return typeof code === 'string' && (code === 'NOT_FOUND' || code.endsWith('_NOT_FOUND'));
  } catch {
    return false;
  }
};

export const isSuccess = ({status}: HttpReply): boolean => status >= 200 && status <= 299;

/** Returns the first words of a `/health` answer; an observer answers in JSON (platform access 3). */
export const healthText = ({body}: HttpReply): string => briefText(body, 60);

/**
 * Requires that a service has answered `/health` as healthy. A web page is not such an answer, whatever its status, and
 * an observer is recognised by its JSON.
 *
 * @throws SetupError `platform-unhealthy`, `platform-busy`, `network-portal`, `platform-no-such-endpoint` for JSON that
 *   is not an observer's; as `readJson` and `statusError`
 */
export const requireHealth = (service: 'control-plane' | 'observer', reply: HttpReply, url: URL): void => {
  const shown = showUrl(url);
  if (reply.status === 503 && retryAfterIn(reply) === undefined) {
    const health = healthText(reply);
    const message = `${shown} is unhealthy (503)${health ? `: ${health}` : ''}.`;
    throw new SetupError('platform-unhealthy', message, {about: {url: shown, status: 503}});
  }
  if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
  if (service === 'observer') requireObserver(reply, url);
  const portal = portalIn(reply, url);
  if (portal) throw portal;
};

const requireObserver = (reply: HttpReply, url: URL) => {
  if (textAt(readJson(reply, url), 'status') !== undefined) return;
  throw new SetupError('platform-no-such-endpoint', `${url.origin} is not an observer.`, {about: {url: showUrl(url)}});
};
