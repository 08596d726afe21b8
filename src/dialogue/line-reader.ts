import {createInterface} from 'node:readline';
import {Writable} from 'node:stream';
import {printable} from '../text.ts';

/** Reads lines from a person, one after the other. */
export type LineReader = {
  /**
   * Writes a prompt and resolves to what is typed after it. A secret is not shown while it is typed.
   *
   * @throws the signal's reason if it aborts first, and {@link LeftError} if the person leaves
   */
  ask(prompt: string, options: {signal: AbortSignal; secret?: boolean}): Promise<string>;
  close(): void;
};

/** The person pressed Ctrl-C, or closed the input. */
export class LeftError extends Error {}

/** Reads lines from a terminal, with the editing keys of readline. Earlier output is never redrawn. */
export const createLineReader = (input: NodeJS.ReadStream, output: NodeJS.WriteStream): LineReader => {
  let muted = false;
  const shown = new Writable({
    write: (chunk, _encoding, done) => {
      // The typed text is hidden, but its line end is not.
      if (!muted) output.write(chunk);
      else if (String(chunk).includes('\n')) output.write('\n');
      done();
    },
  });
  const columns = () => output.columns;
  const lines = createInterface({input, output: Object.assign(shown, {columns: columns()}), terminal: true});
  let isClosed = false;
  const disconnecting = new AbortController();
  // There is no listener for `line` here, so a line that is typed before a question does not answer it.
  lines.on('SIGINT', () => disconnecting.abort(new LeftError()));
  lines.on('close', () => {
    isClosed = true;
    disconnecting.abort(new LeftError());
  });

  return {
    ask: (prompt, {signal, secret = false}) =>
      new Promise((resolve, reject) => {
        const stop = AbortSignal.any([signal, disconnecting.signal]);
        if (stop.aborted) {
          reject(stop.reason);
          return;
        }
        const end = (settle: () => void) => {
          muted = false;
          stop.removeEventListener('abort', abort);
          lines.off('line', take);
          settle();
        };
        const abort = () => end(() => reject(stop.reason));
        const take = (line: string) => end(() => resolve(line));
        stop.addEventListener('abort', abort, {once: true});
        lines.on('line', take);
        lines.setPrompt(printable(prompt));
        lines.prompt();
        muted = secret;
      }),
    close: () => {
      if (!isClosed) lines.close();
    },
  };
};
