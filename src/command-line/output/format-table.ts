import type {Terminal} from '../command.ts';

/** What stands between two columns. */
const GAP = '   ';

/** A column is not made narrower than this, in characters, as long as others can be left out. */
const NARROWEST = 8;

/** The width of the terminal that is written to, in columns; undefined for a pipe or a file, where nothing is cut. */
export const widthOf = ({raw}: Terminal): number | undefined =>
  raw.isTTY && raw.columns > 0 ? raw.columns : undefined;

/**
 * Rows as columns that are as wide as their widest cell; the first row is the heading.
 *
 * @param width of the terminal, in columns. What does not fit is cut in the widest columns, paths in their middle; then
 *   the last columns are left out, which a line below the table says. Without it nothing is cut.
 * @returns lines, each with its line feed
 */
export const formatTable = (rows: readonly (readonly string[])[], width?: number): string => {
  const [heading = []] = rows;
  const natural = heading.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const widths = width === undefined ? natural : fitting(natural, width);
  const line = (row: readonly string[]) =>
    row
      .slice(0, widths.length)
      .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
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

/** A path is told by its beginning and its end, anything else by its beginning. */
const cut = (cell: string, width: number): string => {
  if (cell.length <= width) return cell;
  if (!/^[~/]\S*$/.test(cell) || width < NARROWEST) return `${cell.slice(0, Math.max(0, width - 1))}…`;
  const end = Math.ceil((width - 1) * 0.6);
  return `${cell.slice(0, width - 1 - end)}…${cell.slice(-end)}`;
};
