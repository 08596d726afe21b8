/** Bytes on their way from a callback that gives them to a loop that takes them. */
export type ByteQueue = {
  push(chunk: Buffer): void;
  /** Bytes that nobody has taken yet. */
  readonly size: number;
  end(): void;
  /** Does nothing after the end. What was pushed before is read first. */
  fail(error: unknown): void;
  readonly ended: boolean;
  read(): AsyncGenerator<Buffer, void, void>;
};

/**
 * @param taken called when everything that was pushed has been taken
 * @param left called when the loop is left before the end
 */
export const createByteQueue = (taken: () => void, left: () => void): ByteQueue => {
  const chunks: Buffer[] = [];
  let size = 0;
  let outcome: 'open' | 'ended' | {readonly error: unknown} = 'open';
  let wake = () => {};

  const settle = (to: 'ended' | {readonly error: unknown}) => {
    if (outcome === 'open') outcome = to;
    wake();
  };

  async function* read(): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk) {
          size -= chunk.length;
          if (size === 0) taken();
          yield chunk;
        } else if (outcome === 'ended') return;
        else if (outcome !== 'open') throw outcome.error;
        else {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (outcome === 'open') left();
    }
  }

  return {
    push: chunk => {
      chunks.push(chunk);
      size += chunk.length;
      wake();
    },
    get size() {
      return size;
    },
    end: () => settle('ended'),
    fail: error => settle({error}),
    get ended() {
      return outcome !== 'open';
    },
    read,
  };
};
