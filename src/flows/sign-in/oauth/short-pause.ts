import {retryAfterIn} from '../../../errors/busy.ts';
import type {Run} from '../../flow.ts';

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
