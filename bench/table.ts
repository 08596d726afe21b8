import type {Summary} from './statistics.ts';

export type Row = {
  readonly label: string;
  /** True for the figure of another program, which stands beside this one's. */
  readonly isOther?: true;
  readonly summary: Summary;
  readonly unit: 'ms' | 'µs' | 'MiB' | '/s' | 'keys';
  /** The comparison with another figure, as a ratio or a difference. `aim` is the limit for it. */
  readonly against?: string;
  readonly aim?: string;
};

/** Rows under headings. */
export type Table = Readonly<Record<string, readonly Row[]>>;

/** Returns a table as text. */
export const formatTable = (groups: Table): string => {
  const lines = Object.entries(groups).flatMap(([heading, rows]) => [`\n${heading}`, ...rows.map(formatRow)]);
  return `${lines.join('\n')}\n`;
};

const formatRow = ({label, summary: {median, min, max}, unit, against = '', aim = ''}: Row) => {
  const spread = `${min.toFixed(0)} to ${max.toFixed(0)}`;
  const figures = `${median.toFixed(1).padStart(8)} ${unit.padEnd(4)}${spread.padStart(14)}   ${against.padEnd(10)}`;
  return `  ${label.padEnd(46)}${figures}${aim}`.trimEnd();
};
