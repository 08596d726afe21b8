import type {MessageOutput} from '../mcp/exchange.ts';
import {isObject, type JsonObject, notification, readObject} from '../mcp/message.ts';
import {onAbort} from '../on-abort.ts';

export type ClientRequests = {
  /**
   * Asks the person through the client (MCP, elicitation), and returns what they chose: `accept`, `decline` or `cancel`;
   * undefined if the client reports an error. When the signal aborts, the question is withdrawn, and the result is
   * `cancel`.
   *
   * @param id a part of the ID of the request, different for each question
   */
  elicit(id: string, params: object, signal?: AbortSignal): Promise<unknown>;
  /** Takes the answer to one of these requests; false for any other message. */
  hears(line: Buffer): boolean;
};

/** Creates the requests that the bridge itself makes to the client, beside those of the platform's server. */
export const createClientRequests = (output: MessageOutput): ClientRequests => {
  const pending = new Map<unknown, (answer: JsonObject) => void>();
  return {
    elicit: async (part, params, signal) => {
      if (signal?.aborted) return 'cancel';
      const id = `platform-setup-${part}`;
      const {promise, resolve} = Promise.withResolvers<JsonObject>();
      pending.set(id, resolve);
      const withdraw = () => {
        if (!pending.delete(id)) return;
        void output.write(notification('notifications/cancelled', {requestId: id}));
        resolve({result: {action: 'cancel'}});
      };
      const stop = signal && onAbort(signal, withdraw);
      await output.write(Buffer.from(JSON.stringify({jsonrpc: '2.0', id, method: 'elicitation/create', params})));
      const {result} = await promise;
      stop?.();
      return isObject(result) ? result.action : undefined;
    },
    hears: line => {
      if (pending.size === 0) return false;
      const answer = readObject(line);
      const resolve = answer.method === undefined ? pending.get(answer.id) : undefined;
      pending.delete(answer.id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
};
