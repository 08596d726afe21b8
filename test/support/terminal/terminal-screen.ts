import type xterm from '@xterm/headless';

/** Returns the visible lines, from the top of the terminal to the last one with text. */
export const screenLines = (terminal: xterm.Terminal): readonly string[] => {
  const {active} = terminal.buffer;
  return withoutEmptyEnd(linesOf(terminal, active.baseY, active.baseY + terminal.rows));
};

/** Returns every line, including those that have scrolled away. */
export const allLines = (terminal: xterm.Terminal): readonly string[] =>
  withoutEmptyEnd(linesOf(terminal, 0, terminal.buffer.active.length));

const linesOf = ({buffer}: xterm.Terminal, from: number, to: number): string[] =>
  Array.from({length: to - from}, (_, index) => buffer.active.getLine(from + index)?.translateToString(true) ?? '');

const withoutEmptyEnd = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
