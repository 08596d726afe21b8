import {stripVTControlCharacters} from 'node:util';
import {spawn} from '@lydell/node-pty';
import type {Surroundings} from './surroundings.ts';

const HUNG = 30_000;

/** Starts a program in a pseudo-terminal of 100 columns and 30 rows, in a home of its own. */
export const openTerminal = (args: readonly string[], {env, directory}: Surroundings) => {
  const child = spawn(process.execPath, [...args], {
    cols: 100,
    rows: 30,
    cwd: directory,
    env: {...env, TMPDIR: directory},
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), HUNG);
  let output = '';
  let look = () => {};
  child.onData(chunk => {
    output += chunk;
    look();
  });
  const ended = new Promise<void>(resolve => child.onExit(() => resolve()));
  return {
    pid: child.pid,
    write: (text: string) => {
      // Earlier output does not answer this key.
      output = '';
      child.write(text);
    },
    /** Resolves with the first of these texts that appears. */
    shows: (...texts: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        look = () => {
          // A frame is on the screen only after the mark that ends its synchronised update.
          const isWhole = output.lastIndexOf('\x1b[?2026l') > output.lastIndexOf('\x1b[?2026h');
          const plain = stripVTControlCharacters(output);
          const found = isWhole ? texts.find(text => plain.includes(text)) : undefined;
          if (found !== undefined) resolve(found);
        };
        look();
        void ended.then(() => reject(new Error(`${args.join(' ')} ended without ${texts.join(' or ')}.`)));
      }),
    /** Returns the output since the last key, without control sequences. */
    text: () => stripVTControlCharacters(output),
    leave: async () => {
      child.write('\x03');
      await ended;
      clearTimeout(deadline);
    },
  };
};
