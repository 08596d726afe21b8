/** True if tables run whole, as in `npm run suite tables`. A part of each table finds most faults. */
const isWhole = process.env.WHOLE_TABLES === '1';

export const isWholeTable: boolean = isWhole;

/** Returns the rows of a table for this run: all of them, or every third by default, beginning at `offset`. */
export const rowsOfTable = <Row>(rows: readonly Row[], offset = 0, every = 3): readonly Row[] =>
  isWhole ? rows : rows.filter((_, index) => (index + offset) % every === 0);

/** Returns one of the columns for a row, another one from row to row, or all of them if tables run whole. */
export const columnsOfTable = <Column>(columns: readonly Column[], row: number): readonly Column[] =>
  isWhole ? columns : columns.filter((_, index) => index === row % columns.length);

/** Returns how many of `rounds` generated cases this run tries. */
export const roundsOf = (rounds: number): number => (isWhole ? rounds : Math.ceil(rounds / 3));

/** Returns rows that wait too long for every run: only if tables run whole. */
export const longRows = <Row>(rows: readonly Row[]): readonly Row[] => (isWhole ? rows : []);
