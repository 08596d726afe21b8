import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {createSurroundings} from './terminal-environment.ts';
import {type KeyName, keyBytes} from './terminal-keys.ts';
import {allLines, screenLines} from './terminal-screen.ts';

type Options = {
  readonly columns?: number;
  readonly rows?: number;
  /** Variables to add to the clean environment, or to remove with `undefined`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory that the program is started in. The terminal's own home by default. */
  readonly cwd?: string;
};

export type Terminal = {
  readonly pid: number;
  /** HOME of the program. Empty at the start, removed by `close`. */
  readonly home: string;
  /** SETUP_HOME of the program, which does not exist until the program writes. */
  readonly setupHome: string;
  /** TMPDIR of the program, likewise. */
  readonly temporary: string;
  /** Returns what a person sees now: the visible lines, without the spaces at their ends. */
  screen(): string;
  /** Returns the same with every line that has scrolled away. */
  transcript(): string;
  /** The emulator, for tests that look at colours. */
  readonly emulator: xterm.Terminal;
  /** Returns every byte that the program wrote, as text. */
  raw(): string;
  /** Resolves with the screen once `wanted` is on it. Rejects with the last screen once that can no longer happen. */
  waitFor(wanted: string | RegExp): Promise<string>;
  /**
   * Resolves with the result of `find`, which is called after every change of the screen. Rejects as `waitFor` does.
   * `patience` in milliseconds, for what is known to take long.
   */
  until<Found>(what: string, find: () => Found | undefined, patience?: number): Promise<Found>;
  /** Presses keys one after the other: a key by its name, anything else as typed text. */
  press(...keys: readonly (KeyName | (string & {}))[]): void;
  resize(columns: number, rows: number): void;
  /** Closes the terminal under the program, which gets SIGHUP and can no longer write. */
  hangUp(): void;
  /** The exit code, once all output has been read. A signal counts as 128 plus its number. */
  readonly exit: Promise<number>;
  /** Ends the program if it still runs, and removes its directories. */
  close(): Promise<void>;
};

/** The longest wait for anything to appear, in milliseconds: for a hung program, not for a slow machine. */
const PATIENCE = 30_000;

/** Starts a program in a real pseudo-terminal, with a home of its own and nothing of the caller's environment. */
export const openTerminal = (file: string, args: readonly string[], options: Options = {}): Terminal => {
  const {columns = 100, rows = 30} = options;
  const {home, setupHome, temporary, env, remove} = createSurroundings();
  const emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 5_000});
  const child = spawn(file, [...args], {
    // `name` replaces TERM in the environment.
    name: options.env?.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd: options.cwd ?? home,
    env: {...env, TERM: 'xterm-256color', ...options.env},
  });

  let raw = '';
  let ended: number | undefined;
  const waiting = new Set<() => void>();
  const look = () => {
    // Between the two marks of a synchronised update the screen is a mixture of two frames.
    if (!emulator.modes.synchronizedOutputMode) for (const check of waiting) check();
  };
  child.onData(chunk => {
    raw += chunk;
    emulator.write(chunk, look);
  });
  // A terminal answers when the program asks what it can do.
  emulator.onData(answer => child.write(answer));
  const exit = new Promise<number>(resolve => {
    child.onExit(({exitCode, signal}) => {
      emulator.write('', () => {
        ended = signal ? 128 + signal : exitCode;
        look();
        resolve(ended);
      });
    });
  });

  const screen = () => screenLines(emulator).join('\n');
  const until: Terminal['until'] = (what, find, patience = PATIENCE) =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(deadline);
        waiting.delete(check);
        end();
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`${what} did not appear: ${why}. The screen:\n${screen()}\n`)));
      const check = () => {
        const found = find();
        if (found !== undefined) settle(() => resolve(found));
        else if (ended !== undefined) fail(`the program exited with code ${ended}`);
      };
      const deadline = setTimeout(() => fail(`nothing came for ${patience / 1000} s`), patience);
      waiting.add(check);
      check();
    });
  const waitFor: Terminal['waitFor'] = wanted =>
    until(String(wanted), () => {
      const seen = screen();
      // A sentence with a long path breaks elsewhere if temporary directories have longer names.
      const texts = [seen, seen.replaceAll(/\s*\n\s*/g, ' ')];
      return texts.some(text => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)))
        ? seen
        : undefined;
    });

  return {
    pid: child.pid,
    home,
    setupHome,
    temporary,
    emulator,
    screen,
    transcript: () => allLines(emulator).join('\n'),
    raw: () => raw,
    waitFor,
    until,
    press: (...keys) => {
      for (const key of keys) child.write(keyBytes(key));
    },
    resize: (to, height) => {
      emulator.resize(to, height);
      child.resize(to, height);
    },
    // The types of the library lack `destroy`.
    hangUp: () => (child as unknown as {destroy(): void}).destroy(),
    exit,
    close: async () => {
      if (ended === undefined) {
        child.kill('SIGTERM');
        const insist = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await exit;
        clearTimeout(insist);
      }
      emulator.dispose();
      remove();
    },
  };
};
