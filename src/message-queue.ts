/** A queue between callbacks, which push messages, and a reader, which takes them one at a time. */
export type MessageQueue<Message> = {
  push(message: Message): void;
  /** Ends the queue: earlier messages are still delivered, then all calls of `next` reject with `reason`. */
  end(reason: unknown): void;
  /**
   * Resolves to the next message; the caller that has waited longest gets it. Rejects with the reason for which the
   * queue ended, or with the reason of `signal`.
   */
  next(signal?: AbortSignal): Promise<Message>;
  /** Drops the messages that have not been read. */
  clear(): void;
};

export const createMessageQueue = <Message>(): MessageQueue<Message> => {
  const messages: Message[] = [];
  const waiting = new Set<PromiseWithResolvers<Message>>();
  let ended: {readonly reason: unknown} | undefined;

  const wait = (signal?: AbortSignal): Promise<Message> => {
    const next = Promise.withResolvers<Message>();
    const abort = () => {
      waiting.delete(next);
      next.reject(signal?.reason);
    };
    const stopListening = () => signal?.removeEventListener('abort', abort);
    waiting.add(next);
    signal?.addEventListener('abort', abort, {once: true});
    next.promise.then(stopListening, stopListening);
    return next.promise;
  };

  return {
    push: message => {
      const [next] = waiting;
      if (!next) {
        messages.push(message);
        return;
      }
      waiting.delete(next);
      next.resolve(message);
    },
    end: reason => {
      ended ??= {reason};
      for (const {reject} of waiting) reject(ended.reason);
      waiting.clear();
    },
    next: async signal => {
      signal?.throwIfAborted();
      const [message] = messages.splice(0, 1);
      if (message !== undefined) return message;
      if (ended) throw ended.reason;
      return wait(signal);
    },
    clear: () => void messages.splice(0),
  };
};
