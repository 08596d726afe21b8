import type {Terminal} from '../command.ts';

/** The space between two columns. */
const GAP = '   ';

/** The least width of a column, in characters, as long as other columns can be left out. */
const NARROWEST = 8;

/** The most characters of a cell. Longer ones are cut first: every row is as wide as the widest one. */
const LONGEST_CELL = 1_000;

/** Returns the width of the terminal, in columns; undefined for a pipe or a file, for which nothing is cut. */
export const widthOf = ({raw}: Pick<Terminal, 'raw'>): number | undefined =>
  raw.isTTY && raw.columns > 0 ? raw.columns : undefined;

/** Returns the number of columns that a text takes. */
type Measure = (text: string) => number;

/** Characters of width one. Nearly every table has no others, and then nothing needs to be loaded. */
const simple = /^[\u0020-\u007E…–—“”‘’]*$/;

const measureFor = async (rows: readonly (readonly string[])[]): Promise<Measure> =>
  rows.every(row => row.every(cell => simple.test(cell)))
    ? text => text.length
    : (await import('string-width')).default;

/**
 * Formats rows as columns that are as wide as their widest cell; the first row is the heading. East Asian characters
 * and emoji count as the two columns that they take.
 *
 * @param width of the terminal, in columns. Text that does not fit is cut in the widest columns, paths in their middle;
 *   then the last columns are left out, which a line below the table says. Without it, only cells longer than
 *   `LONGEST_CELL` are cut.
 * @returns lines, each with its line feed
 */
export const formatTable = async (cells: readonly (readonly string[])[], width?: number): Promise<string> => {
  const rows = cells.map(row => row.map(shortened));
  const [heading = []] = rows;
  const measure = await measureFor(rows);
  const natural = heading.map((_, column) => rows.reduce((most, row) => Math.max(most, measure(row[column] ?? '')), 0));
  const widths = width === undefined ? natural : fitting(natural, width);
  const line = (row: readonly string[]) =>
    row
      .slice(0, widths.length)
      .map((cell, column) => {
        const fits = cut(cell, widths[column] ?? 0, measure);
        return `${fits}${' '.repeat(Math.max(0, (widths[column] ?? 0) - measure(fits)))}`;
      })
      .join(GAP);
  const left = heading.slice(widths.length);
  const more = left.length === 0 ? '' : `No room for ${left.join(', ')}. Add --json to see everything.\n`;
  return `${rows.map(row => `${line(row).trimEnd()}\n`).join('')}${more}`;
};

/** Returns the widths of as many columns as fit. The widest column is narrowed first. */
const fitting = (natural: readonly number[], width: number): readonly number[] => {
  const room = width - GAP.length * (natural.length - 1);
  const least = natural.map(one => Math.min(one, NARROWEST));
  if (natural.length > 1 && sum(least) > room) return fitting(natural.slice(0, -1), width);
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    const narrower = (widths[widest] ?? 0) - 1;
    if (narrower < 1) break;
    widths[widest] = narrower;
  }
  return widths;
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const shortened = (cell: string): string =>
  cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL - 1).toWellFormed()}…` : cell;

/** Cuts a cell: a path in its middle, because its beginning and its end matter; other text at its end. */
const cut = (cell: string, width: number, measure: Measure): string => {
  if (measure(cell) <= width) return cell;
  const signs = [...new Intl.Segmenter().segment(cell)].map(({segment}) => segment);
  if (!/^[~/]\S*$/.test(cell) || width < NARROWEST) return `${within(signs, width - 1, measure).join('')}…`;
  const end = Math.ceil((width - 1) * 0.6);
  const last = within(signs.toReversed(), end, measure).reverse();
  return `${within(signs, width - 1 - end, measure).join('')}…${last.join('')}`;
};

/** Returns as many of the first signs as fit. */
const within = (signs: readonly string[], width: number, measure: Measure): string[] => {
  let left = width;
  const count = signs.findIndex(sign => {
    left -= measure(sign);
    return left < 0;
  });
  return signs.slice(0, count < 0 ? signs.length : count);
};
