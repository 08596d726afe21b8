import {render as inkRender} from 'ink-testing-library';
import type {ReactNode} from 'react';
import {onTestFinished, vi} from 'vitest';
import {createKeyReader} from '../../src/screens/parts/key-stream.ts';
import {LeaveProvider} from '../../src/screens/parts/leave.tsx';
import {Frame, SizeProvider} from '../../src/screens/parts/size.tsx';
import {createTextClaims, TextClaimsProvider} from '../../src/screens/parts/text-field.tsx';

/** The widths, in columns, at which every screen is tested. */
export const widths = [40, 80, 120] as const;

const keys = {enter: '\r', esc: '\u001B', up: '\u001B[A', down: '\u001B[B', tab: '\t', backspace: '\u007F'} as const;

/**
 * Runs `work` with a size of the terminal in the environment. Ink looks there before it runs `tput` twice, which it does
 * for a terminal without `rows`: such is the library's.
 */
const withoutAskingTerminal = <T,>(work: () => T): T => {
  const {COLUMNS, LINES} = process.env;
  Object.assign(process.env, {COLUMNS: '100', LINES: '40'});
  try {
    return work();
  } finally {
    for (const [name, value] of Object.entries({COLUMNS, LINES})) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
};

/** Renders a screen at a size, without a terminal: frames without colour, keys by name or as text. */
export const render = (node: ReactNode, {columns = 80, rows = 40} = {}) => {
  const ended = Promise.withResolvers<string>();
  const leave = (how: string) => {
    ended.resolve(how);
    return false;
  };
  // The library's terminal is 100 columns wide, so the size is set before the screen is rendered.
  const app = withoutAskingTerminal(() => inkRender(<></>));
  const claims = createTextClaims();
  Object.defineProperties(app.stdout, {columns: {value: columns}, rows: {value: rows}});
  const rerender = (shown: ReactNode) =>
    app.rerender(
      <TextClaimsProvider value={claims}>
        <SizeProvider>
          <LeaveProvider isPassing={leave} onLast={() => {}}>
            <Frame>{shown}</Frame>
          </LeaveProvider>
        </SizeProvider>
      </TextClaimsProvider>,
    );
  rerender(node);
  const reader = createKeyReader(app.stdin.write, claims);
  onTestFinished(() => {
    reader.stop();
    app.unmount();
  });
  const frame = () => (app.lastFrame() ?? '').replaceAll(/\u001B\[[\d;]*m/g, '');
  return {
    frame,
    /** Returns the number of frames drawn so far. */
    frames: () => app.frames.length,
    /** Returns everything drawn so far, with what was printed above the frames. */
    written: () => app.frames.join('\n'),
    /** Waits until the frame shows `text`. */
    shows: (text: string | RegExp) =>
      vi.waitFor(() => {
        const found = typeof text === 'string' ? frame().includes(text) : text.test(frame());
        if (!found) throw new Error(`“${text}” is not on the screen:\n${frame()}`);
      }),
    /** Sends keys as a terminal does in one read. */
    press: (key: keyof typeof keys | (string & {})) => reader.push(key in keys ? keys[key as keyof typeof keys] : key),
    /** Renders the screen again, with other properties. */
    rerender,
    unmount: () => app.unmount(),
    /** Resolves with the value with which the screen ended. */
    ended: ended.promise,
  };
};
