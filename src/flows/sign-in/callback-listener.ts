import {SetupError} from '../../errors/errors.ts';
import {withOtherWays} from '../../errors/other-ways.ts';
import type {CallbackListener} from '../../ports/browser/callback.ts';
import type {Run} from '../reporting.ts';
import {PORT_TIME} from '../time-limits.ts';
import type {Answers} from './browser-answers.ts';

/** How long it takes until a port that a closed connection holds is tried again, in milliseconds. */
const PORT_PAUSE = 1_000;

type Input = {
  readonly redirectUri: string;
  /** Whether the client could sign people in with a code instead. */
  readonly device: boolean;
};

/**
 * Listens for the browser. A port that only a closed connection holds is tried again until it is free, for a minute: no
 * program can be ended to free it (TIME_WAIT, RFC 9293 3.6.1).
 *
 * @throws SetupError `local-port-taken`, `local-callback-failed`
 */
export const listenForBrowser = async (
  {redirectUri, device}: Input,
  answers: Answers,
  {ports: {callback, clock}, signal, tell}: Run,
): Promise<CallbackListener> => {
  const url = new URL(redirectUri);
  const until = clock.now() + PORT_TIME;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await callback.listen(url, answers.fromBrowser);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (!error.about.isFreeSoon || clock.now() >= until) throw withOtherWays(error, device);
    }
    if (isFirst) tell({type: 'port-awaited', port: Number(url.port), until});
    await clock.sleep(PORT_PAUSE, signal);
  }
};
