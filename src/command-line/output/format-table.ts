import type {Terminal} from '../command.ts';

/** What stands between two columns. */
const GAP = '   ';

/** A column is not made narrower than this, in characters, as long as others can be left out. */
const NARROWEST = 8;

/** Longer cells are cut before anything is laid out, in characters: every row is as wide as the widest one. */
const LONGEST_CELL = 1_000;

/** The width of the terminal that is written to, in columns; undefined for a pipe or a file, where nothing is cut. */
export const widthOf = ({raw}: Pick<Terminal, 'raw'>): number | undefined =>
  raw.isTTY && raw.columns > 0 ? raw.columns : undefined;

/** How many columns a text takes. */
type Measure = (text: string) => number;

/** Characters that are one column wide: what nearly every table is made of, and nothing has to be loaded for. */
const simple = /^[\u0020-\u007E…–—“”‘’]*$/;

const measureFor = async (rows: readonly (readonly string[])[]): Promise<Measure> =>
  rows.every(row => row.every(cell => simple.test(cell)))
    ? text => text.length
    : (await import('string-width')).default;

/**
 * Rows as columns that are as wide as their widest cell; the first row is the heading. East Asian characters and emoji
 * count as the two columns that they take.
 *
 * @param width of the terminal, in columns. What does not fit is cut in the widest columns, paths in their middle; then
 *   the last columns are left out, which a line below the table says. Without it only cells
 *   are cut that are longer than `LONGEST_CELL`.
 * @returns lines, each with its line feed
 */
export const formatTable = async (given: readonly (readonly string[])[], width?: number): Promise<string> => {
  const rows = given.map(row => row.map(shortened));
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
  const more =
    left.length === 0 ? '' : `Left out for want of room: ${left.join(', ')}. With --json there is all of it.\n`;
  return `${rows.map(row => `${line(row).trimEnd()}\n`).join('')}${more}`;
};

/** The widths of as many columns as there is room for, the widest made narrower first. */
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

/** A path is told by its beginning and its end, anything else by its beginning. */
const cut = (cell: string, width: number, measure: Measure): string => {
  if (measure(cell) <= width) return cell;
  const signs = [...new Intl.Segmenter().segment(cell)].map(({segment}) => segment);
  if (!/^[~/]\S*$/.test(cell) || width < NARROWEST) return `${within(signs, width - 1, measure).join('')}…`;
  const end = Math.ceil((width - 1) * 0.6);
  const last = within(signs.toReversed(), end, measure).reverse();
  return `${within(signs, width - 1 - end, measure).join('')}…${last.join('')}`;
};

/** The first of these signs, as many as there is room for. */
const within = (signs: readonly string[], width: number, measure: Measure): string[] => {
  let left = width;
  const count = signs.findIndex(sign => {
    left -= measure(sign);
    return left < 0;
  });
  return signs.slice(0, count < 0 ? signs.length : count);
};
