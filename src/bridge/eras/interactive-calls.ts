import {randomUUID} from 'node:crypto';
import type {JsonObject} from '../../mcp/message.ts';
import {onAbort} from '../../on-abort.ts';
import type {Call} from './sides.ts';

/** The next step of a call: its result, or a question with the key and state that its answer needs. */
export type CallStep =
  | {readonly result: JsonObject}
  | {readonly question: Call; readonly key: string; readonly state: string};

type Open = {
  readonly state: string;
  readonly result: Promise<CallStep>;
  readonly controller: AbortController;
  /** The question that the assistant is being asked, and the functions that take its answer. */
  asked?: {readonly key: string; readonly answer: (value: unknown) => void; readonly fail: (error: Error) => void};
  /** Resolves with the next question. */
  next: PromiseWithResolvers<CallStep>;
};

/** The most calls that are open at a time. One more ends the oldest. */
const MOST = 64;

/**
 * Holds the calls of an assistant during which a server may ask it something. In the stateless era a call ends with
 * the question, and is made again with the answer (MCP 2026-07-28, multi round-trip requests). Here the server's call
 * remains open in between.
 */
export const createInteractiveCalls = () => {
  const open = new Map<string, Open>();

  const stepOf = async (one: Open, signal: AbortSignal): Promise<CallStep> => {
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
    /**
     * Makes a call.
     *
     * @throws the errors of `make`
     */
    begin: (make: (signal: AbortSignal) => Promise<JsonObject>, signal: AbortSignal): Promise<CallStep> => {
      const controller = new AbortController();
      const result = make(controller.signal).then(value => ({result: value}));
      // Callers that wait for a step receive the error.
      result.catch(() => {});
      const one: Open = {state: randomUUID(), result, controller, next: Promise.withResolvers()};
      open.set(one.state, one);
      const [oldest] = open.values();
      if (open.size > MOST && oldest) forget(oldest, new Error('Too many calls wait for an answer.'));
      return stepOf(one, signal);
    },
    /** Continues a call with the answers to its question; undefined if the call is unknown. */
    goOn: (state: string, answers: JsonObject, signal: AbortSignal): Promise<CallStep> | undefined => {
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
     * Passes on a question of the server. The server does not name the call, so the question is assigned to the latest
     * call without one.
     *
     * @throws Error if there is no such call
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
