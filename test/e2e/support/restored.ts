import {expect} from 'vitest';
import type {Terminal} from '../../support/terminal/terminal.ts';

/** Checks that the terminal is restored: the cursor is visible and no mode is left on. */
export const expectRestored = (terminal: Terminal) => {
  const {modes, buffer} = terminal.emulator;
  const lastOf = (on: string, off: string) => terminal.raw().lastIndexOf(on) <= terminal.raw().lastIndexOf(off);
  expect(lastOf('\x1b[?25l', '\x1b[?25h'), 'the cursor is shown').toBe(true);
  expect(modes.bracketedPasteMode, 'bracketed paste').toBe(false);
  expect(modes.mouseTrackingMode, 'mouse tracking').toBe('none');
  expect(modes.synchronizedOutputMode, 'synchronised output').toBe(false);
  expect(modes.applicationCursorKeysMode, 'application cursor keys').toBe(false);
  expect(buffer.active.type, 'alternate screen').toBe('normal');
};

/** Checks that the shell's prompt comes below the program's output, not at the end of its last line. */
export const expectPromptOnOwnLine = ({emulator}: Terminal) => {
  expect(emulator.buffer.active.cursorX, 'the column of the cursor').toBe(0);
};
