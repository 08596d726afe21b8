import type {Inbox, Message} from './ports.ts';

/** Messages from the person to a flow that runs, in order, each for the first who asks. Pasted text is in no state. */
export const createInbox = (): Inbox => {
  const waiting: Message[] = [];
  const asking: ((message: Message) => void)[] = [];
  return {
    send: message => {
      const asker = asking.shift();
      if (asker) asker(message);
      else waiting.push(message);
    },
    next: signal =>
      new Promise<Message>((resolve, reject) => {
        signal.throwIfAborted();
        const message = waiting.shift();
        if (message) {
          resolve(message);
          return;
        }
        asking.push(resolve);
        signal.addEventListener(
          'abort',
          () => {
            asking.splice(asking.indexOf(resolve), 1);
            reject(signal.reason);
          },
          {once: true},
        );
      }),
    clear: () => void waiting.splice(0),
  };
};
