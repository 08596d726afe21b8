import {SetupError} from '../errors/errors.ts';
import {retryAfterIn} from '../errors/http-status.ts';
import {showUrl} from '../ports/network/curl.ts';
import {portalIn} from '../ports/network/portal.ts';
import type {HttpReply} from '../ports/ports.ts';
import {briefText} from '../text.ts';
import {isSuccess, readJson, statusError, textAt} from './answers.ts';

/** Returns the first words of a `/health` answer; an observer answers in JSON (platform access 3). */
export const saidOfHealth = ({body}: HttpReply): string => briefText(body, 60);

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
    const said = saidOfHealth(reply);
    const message = `${shown} is unhealthy (503)${said ? `: ${said}` : ''}.`;
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
