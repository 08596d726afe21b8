import type xterm from '@xterm/headless';

/** The lines that are visible, from the top of the terminal to the last one with text on it. */
export const screenLines = (terminal: xterm.Terminal): readonly string[] => {
  const {active} = terminal.buffer;
  return withoutEmptyEnd(linesOf(terminal, active.baseY, active.baseY + terminal.rows));
};

/** Every line, those that have scrolled away too. */
export const allLines = (terminal: xterm.Terminal): readonly string[] =>
  withoutEmptyEnd(linesOf(terminal, 0, terminal.buffer.active.length));

const linesOf = ({buffer}: xterm.Terminal, from: number, to: number): string[] =>
  Array.from({length: to - from}, (_, index) => buffer.active.getLine(from + index)?.translateToString(true) ?? '');

const withoutEmptyEnd = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
