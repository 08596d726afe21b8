import type xterm from '@xterm/headless';

/** The style of a cell. `color` is one of the terminal's sixteen; undefined is the terminal's own. */
export type Style = {
  readonly color: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
};

/** One character of the screen. An empty cell follows a wide character. */
export type Cell = {readonly text: string; readonly style: Style};

/** Neighbouring cells of one style, from the column `at`. */
export type Run = {readonly at: number; readonly text: string; readonly style: Style};

/** Returns the visible lines of a terminal, cell by cell. */
export const screenCells = (terminal: xterm.Terminal): readonly (readonly Cell[])[] =>
  Array.from({length: terminal.rows}, (_, row) => {
    const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
    return Array.from({length: terminal.cols}, (_, column) => cellOf(line?.getCell(column)));
  });

const cellOf = (cell: xterm.IBufferCell | undefined): Cell => ({
  text: cell?.getChars() || ' ',
  style: {
    color: cell?.isFgPalette() ? cell.getFgColor() : undefined,
    bold: Boolean(cell?.isBold()),
    dim: Boolean(cell?.isDim()),
    inverse: Boolean(cell?.isInverse()),
  },
});

/**
 * Returns the runs of a line, without empty ones. A character beyond ASCII is a run of its own, because its font may
 * give it another width.
 */
export const runsOf = (cells: readonly Cell[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const [at, {text, style}] of cells.entries()) {
    const last = runs.at(-1);
    if (last && isAscii(text) && isAscii(last.text) && isSame(style, last.style)) {
      runs[runs.length - 1] = {...last, text: last.text + text};
    } else {
      runs.push({at, text, style});
    }
  }
  return runs.map(withoutSpaces).filter(({text}) => text !== '');
};

/** Removes the spaces at the ends of a run, which are invisible unless the run is inverse. */
const withoutSpaces = (run: Run): Run => {
  if (run.style.inverse) return run;
  const text = run.text.trimStart();
  return {...run, at: run.at + run.text.length - text.length, text: text.trimEnd()};
};

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const isSame = (one: Style, other: Style) =>
  one.color === other.color && one.bold === other.bold && one.dim === other.dim && one.inverse === other.inverse;
