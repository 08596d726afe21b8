import {onAbort} from '../on-abort.ts';

/** What answers hold together before the reading of more of them waits, in bytes: as much as one answer may be. */
const MOST_HELD = 64 * 1024 * 1024;

/** What one answer holds of the limit for all of them. */
export type Share = {
  /**
   * Says that the answer holds so many bytes now. Resolves when more may be read, undefined for at once.
   *
   * @throws what the signal of the share aborts with while it waits
   */
  grow(bytes: number): Promise<void> | undefined;
  /** Says that it holds fewer bytes now. */
  shrink(bytes: number): void;
  end(): void;
};

export type HeldAnswers = {share(signal: AbortSignal): Share};

/**
 * One limit for what is held of all answers: those that are not whole yet, and those that the assistant has not read. Past
 * it, one answer goes on, so that there always is one that comes to its end, and the others wait where they are: their
 * connections are not read, and the server cannot send more. Nothing is lost, and nobody is told: an assistant that reads
 * again gets all of it.
 *
 * @param most in bytes
 */
export const createHeldAnswers = (most = MOST_HELD): HeldAnswers => {
  let held = 0;
  /** The one answer that is read past the limit. */
  let going: Share | undefined;
  const waiting = new Map<Share, () => void>();

  const wake = () => {
    if (held <= most) {
      for (const go of waiting.values()) go();
      waiting.clear();
    }
    const [next] = waiting;
    if (going || !next) return;
    const [share, go] = next;
    going = share;
    waiting.delete(share);
    go();
  };

  const share = (signal: AbortSignal): Share => {
    let own = 0;
    const set = (bytes: number) => {
      held += bytes - own;
      own = bytes;
    };
    const shrink = (bytes: number) => {
      set(bytes);
      // A stream may be silent for hours after its last message.
      if (bytes === 0 && going === self) going = undefined;
      wake();
    };
    const self: Share = {
      grow: bytes => {
        set(bytes);
        if (held <= most) return undefined;
        going ??= self;
        if (going === self) return undefined;
        return new Promise((resolve, reject) => {
          const stopListening = onAbort(signal, () => {
            waiting.delete(self);
            reject(signal.reason);
          });
          waiting.set(self, () => {
            stopListening();
            resolve();
          });
        });
      },
      shrink,
      end: () => shrink(0),
    };
    return self;
  };
  return {share};
};

/** For one answer by itself, which has a limit of its own. */
export const unshared: Share = {grow: () => undefined, shrink: () => {}, end: () => {}};
