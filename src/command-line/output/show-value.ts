import {formatTable} from './format-table.ts';

/**
 * Returns a value as text for people: a list of objects as a table, also if an object contains it as its only list; an
 * object of plain values as lines; anything else as indented JSON. The text ends with a newline.
 *
 * @param width of the terminal, in columns; without it nothing is cut
 */
export const showValue = async (value: unknown, width?: number): Promise<string> => {
  const rows = rowsIn(value);
  if (rows) return rows.length === 0 ? 'Nothing\n' : tableOf(rows, width);
  if (isRecord(value) && Object.values(value).every(isPlain)) {
    return formatTable(
      Object.entries(value).map(([key, one]) => [key, String(one)]),
      width,
    );
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

const tableOf = (rows: readonly Fields[], width: number | undefined): Promise<string> => {
  const present = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const keys = present
    .filter(key => rows.some(row => isPlain(row[key])))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const cells = rows.map(row => keys.map(key => cellOf(row[key])));
  return formatTable([keys.map(key => key.toUpperCase()), ...cells], width);
};

/** Ranks names for people first, and names for machines last. */
const rankOf = (key: string): number => {
  if (/^(display)?name$/i.test(key)) return 0;
  return /^(u?uid|id)$|(Uid|UID|Uuid|UUID)$/.test(key) ? 2 : 1;
};

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return (isPlain(value) ? String(value) : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
};
