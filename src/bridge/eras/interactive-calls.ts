import {randomUUID} from 'node:crypto';
import type {JsonObject} from '../../mcp/message.ts';
import {onAbort} from '../../on-abort.ts';
import type {Call} from './sides.ts';

/** What comes of a call next: its result, or a question, with what its answer is to be sent with. */
export type Step =
  | {readonly result: JsonObject}
  | {readonly question: Call; readonly key: string; readonly state: string};

type Open = {
  readonly state: string;
  readonly result: Promise<Step>;
  readonly controller: AbortController;
  /** The question that the assistant is asked now, and what takes its answer. */
  asked?: {readonly key: string; readonly answer: (value: unknown) => void; readonly fail: (error: Error) => void};
  /** Resolved with the next question. */
  next: PromiseWithResolvers<Step>;
};

/** More calls than these that wait for an answer of a person are forgotten, the oldest first. */
const MOST = 64;

/**
 * The calls of an assistant during which a server asks it something. In the stateless era such a call ends with the
 * question, and is made again with the answer (MCP 2026-07-28, multi round-trip requests); here it goes on meanwhile.
 */
export const createInteractiveCalls = () => {
  const open = new Map<string, Open>();

  const stepOf = async (one: Open, signal: AbortSignal): Promise<Step> => {
    const stopListening = onAbort(signal, () => one.controller.abort(signal.reason));
    try {
      const step = await Promise.race([one.result, one.next.promise]);
      if ('result' in step) open.delete(one.state);
      return step;
    } catch (error) {
      open.delete(one.state);
      throw error;
    } finally {
      stopListening();
    }
  };

  const forget = (one: Open, error: Error) => {
    open.delete(one.state);
    one.asked?.fail(error);
    one.controller.abort(error);
  };

  return {
    /** Makes a call. @throws what `make` throws */
    begin: (make: (signal: AbortSignal) => Promise<JsonObject>, signal: AbortSignal): Promise<Step> => {
      const controller = new AbortController();
      const result = make(controller.signal).then(value => ({result: value}));
      // Whoever waits for a step hears of it.
      result.catch(() => {});
      const one: Open = {state: randomUUID(), result, controller, next: Promise.withResolvers()};
      open.set(one.state, one);
      const [oldest] = open.values();
      if (open.size > MOST && oldest) forget(oldest, new Error('Too many calls wait for an answer.'));
      return stepOf(one, signal);
    },
    /** Goes on with a call by the answers to what was asked; undefined for one that nobody knows. */
    goOn: (state: string, answers: JsonObject, signal: AbortSignal): Promise<Step> | undefined => {
      const one = open.get(state);
      if (!one) return undefined;
      const {asked} = one;
      if (asked && asked.key in answers) {
        delete one.asked;
        one.next = Promise.withResolvers();
        asked.answer(answers[asked.key]);
      }
      return stepOf(one, signal);
    },
    /**
     * A question of the server, which belongs to the call that was made last and asks nothing yet: it does not say to which.
     *
     * @throws Error where there is no such call
     */
    ask: (question: Call, signal: AbortSignal): Promise<unknown> => {
      const one = [...open.values()].findLast(({asked}) => asked === undefined);
      if (!one) return Promise.reject(new Error('The server asked a question outside of a call.'));
      const {promise, resolve, reject} = Promise.withResolvers<unknown>();
      const key = randomUUID();
      one.asked = {key, answer: resolve, fail: reject};
      onAbort(signal, () => reject(signal.reason));
      one.next.resolve({question, key, state: one.state});
      return promise;
    },
    end: (): void => {
      for (const one of open.values()) forget(one, new Error('The conversation has ended.'));
    },
  };
};
