import {SetupError} from '../../errors/errors.ts';
import {withOtherWays} from '../../errors/other-ways.ts';
import type {CallbackListener} from '../../ports/browser/callback.ts';
import type {Run} from '../flow.ts';
import {PORT_TIME} from '../time-limits.ts';
import type {Answers} from './browser-answers.ts';

/** How long it takes until a port that a closed connection holds is tried again, in milliseconds. */
const PORT_PAUSE = 1_000;

/** How long another run of this program has to let go of the port, and how often it is looked whether it has, in milliseconds. */
const HAND_OVER_TIME = 2_000;
const HAND_OVER_PAUSE = 100;

/** How often a sign-in that may be asked for its port looks whether it is, in milliseconds. */
const LOOK = 250;

type Input = {
  readonly redirectUri: string;
  /** Whether the client could sign people in with a code instead. */
  readonly device: boolean;
};

/**
 * Listens for the browser. A port that only a closed connection holds is tried again until it is free, for a minute: no
 * program can be ended to free it (TIME_WAIT, RFC 9293 3.6.1). One that a sign-in of this program has which an assistant
 * began is asked for: that lets go of it.
 *
 * @throws SetupError `local-port-taken`, `local-callback-failed`
 */
export const listenForBrowser = async (
  {redirectUri, device}: Input,
  answers: Answers,
  {ports, signal, tell}: Run,
): Promise<CallbackListener> => {
  const {callback, clock} = ports;
  const url = new URL(redirectUri);
  const until = clock.now() + PORT_TIME;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await callback.listen(url, answers.fromBrowser);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (isFirst && error.about.isOwnPort) {
        const handedOver = await askFor(url, answers, {ports, signal});
        if (handedOver) return handedOver;
      }
      if (!error.about.isFreeSoon || clock.now() >= until) throw withOtherWays(error, device);
    }
    if (isFirst) tell({type: 'port-awaited', port: Number(url.port), until});
    await clock.sleep(PORT_PAUSE, signal);
  }
};

/** The port from another run of this program; undefined where none lets go of it. */
const askFor = async (
  url: URL,
  answers: Answers,
  {ports: {callback, clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<CallbackListener | undefined> => {
  let wish = await callback.ask(url);
  try {
    for (const until = clock.monotonic() + HAND_OVER_TIME; clock.monotonic() < until; ) {
      await clock.sleep(HAND_OVER_PAUSE, signal);
      // Another one that asked for it, and has it by now, has taken its own wish back.
      if (!(await callback.isAsked(url))) wish = await callback.ask(url);
      try {
        return await callback.listen(url, answers.fromBrowser);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        // It may have been let go of before it was looked who has it.
        if (!error.about.isOwnPort && !error.about.isFreeSoon) throw error;
      }
    }
    return undefined;
  } finally {
    await wish.takeBack();
  }
};

/**
 * Ends when another run of this program asks for the port.
 *
 * @throws SetupError `local-port-taken`, when it is asked for
 */
export const whenAskedFor = async (
  redirectUri: string,
  {ports: {callback, clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<never> => {
  const url = new URL(redirectUri);
  while (!(await callback.isAsked(url))) await clock.sleep(LOOK, signal);
  throw new SetupError(
    'local-port-taken',
    'The user started another sign-in on this machine, which needs the same port, so this sign-in was stopped.',
    {
      remedy: 'Finish the other sign-in first.',
      about: {isHandedOver: true},
    },
  );
};
