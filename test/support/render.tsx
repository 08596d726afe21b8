import {EventEmitter} from 'node:events';
import {render as inkRender} from 'ink';
import type {ReactNode} from 'react';
import {onTestFinished, vi} from 'vitest';
import {SizeProvider} from '../../src/screens/parts/size.tsx';
import {Leavable} from '../../src/screens/wizard/leave.tsx';

/** What Ink wants of a terminal's output: a size, and somewhere to write. Each write is a whole frame. */
class Output extends EventEmitter {
  readonly isTTY = true;
  frame = '';
  frames = 0;
  columns: number;
  rows: number;

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write = (text: string, ...rest: readonly unknown[]) => {
    // Modes that Ink sets and clears are no frames.
    if (text.replaceAll(/\u001B\[[?>=<]?[\d;]*[a-zA-Z]/g, '').trim() !== '') {
      this.frame = text;
      this.frames += 1;
    }
    // Ink waits for what it wrote to be out before it says that it has ended.
    const written = rest.at(-1);
    if (typeof written === 'function') written();
    return true;
  };
}

/** What Ink wants of a keyboard. */
class Input extends EventEmitter {
  readonly isTTY = true;
  private waiting: string | null = null;

  type = (text: string) => {
    this.waiting = text;
    this.emit('readable');
  };
  read = () => {
    const text = this.waiting;
    this.waiting = null;
    return text;
  };
  setEncoding() {}
  setRawMode() {}
  resume() {}
  pause() {}
  ref() {}
  unref() {}
}

const keys = {enter: '\r', esc: '\u001B', up: '\u001B[A', down: '\u001B[B', tab: '\t', backspace: '\u007F'} as const;

/** Renders a screen at a size, without a terminal: frames without colour, keys by name or as text. */
export const render = (node: ReactNode, {columns = 80, rows = 40} = {}) => {
  const stdout = new Output(columns, rows);
  const stdin = new Input();
  const app = inkRender(
    <SizeProvider>
      <Leavable isPassing={() => false}>{node}</Leavable>
    </SizeProvider>,
    {
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: new Output(columns, rows) as unknown as NodeJS.WriteStream,
      stdin: stdin as unknown as NodeJS.ReadStream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  onTestFinished(() => app.unmount());
  const frame = () => stdout.frame.replaceAll(/\u001B\[[\d;]*m/g, '');
  return {
    frame,
    /** How many frames were drawn so far. */
    frames: () => stdout.frames,
    /** Waits until the frame shows `text`. */
    shows: (text: string | RegExp) =>
      vi.waitFor(() => {
        const found = typeof text === 'string' ? frame().includes(text) : text.test(frame());
        if (!found) throw new Error(`“${text}” is not on the screen:\n${frame()}`);
      }),
    press: (key: keyof typeof keys | (string & {})) => stdin.type(key in keys ? keys[key as keyof typeof keys] : key),
    ended: app.waitUntilExit(),
  };
};
