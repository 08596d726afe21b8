import {formatTable} from './format-table.ts';

/** Longer than this a cell would push the others off the screen. */
const WIDEST = 60;

/**
 * A value for people: a list of objects as a table, also where it is the only list in an object; an object as lines;
 * anything else as indented JSON. Ends in a newline.
 */
export const showValue = (value: unknown): string => {
  const rows = rowsIn(value);
  if (rows) return rows.length === 0 ? 'Nothing\n' : tableOf(rows);
  if (isRecord(value) && Object.values(value).every(isPlain)) {
    return formatTable(Object.entries(value).map(([key, one]) => [key, String(one)]));
  }
  return `${JSON.stringify(value, null, 2)}\n`;
};

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown) => value === null || typeof value !== 'object';

const rowsIn = (value: unknown): readonly Fields[] | undefined => {
  const lists = Array.isArray(value) ? [value] : isRecord(value) ? Object.values(value).filter(Array.isArray) : [];
  const [list, ...others] = lists;
  return list && others.length === 0 && list.every(isRecord) ? list : undefined;
};

const tableOf = (rows: readonly Fields[]): string => {
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))].filter(key => rows.some(row => isPlain(row[key])));
  const cells = rows.map(row => keys.map(key => cellOf(row[key])));
  return formatTable([keys.map(key => key.toUpperCase()), ...cells]);
};

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const text = (isPlain(value) ? String(value) : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
};
