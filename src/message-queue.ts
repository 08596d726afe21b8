/** Messages on their way from callbacks that give them to somebody who asks for one after the other. */
export type MessageQueue<Message> = {
  push(message: Message): void;
  /** No more will come: who asks, or has asked, hears why. What came before is given out first. */
  end(reason: unknown): void;
  next(): Promise<Message>;
};

export const createMessageQueue = <Message>(): MessageQueue<Message> => {
  const messages: Message[] = [];
  const waiting: PromiseWithResolvers<Message>[] = [];
  let ended: {readonly reason: unknown} | undefined;
  return {
    push: message => {
      const next = waiting.shift();
      if (next) next.resolve(message);
      else messages.push(message);
    },
    end: reason => {
      ended ??= {reason};
      for (const {reject} of waiting.splice(0)) reject(ended.reason);
    },
    next: () => {
      const [message] = messages.splice(0, 1);
      if (message !== undefined) return Promise.resolve(message);
      if (ended) return Promise.reject(ended.reason);
      const next = Promise.withResolvers<Message>();
      waiting.push(next);
      return next.promise;
    },
  };
};
