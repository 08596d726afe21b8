/** Whether tables are gone through whole, as `npm run suite tables` does; a part of each is enough to see most faults. */
const isWhole = process.env.WHOLE_TABLES === '1';

export const isWholeTable: boolean = isWhole;

/** The rows of a table that this run goes through: all of them, or each third or so, which one depends on `offset`. */
export const rowsOfTable = <Row>(rows: readonly Row[], offset = 0, every = 3): readonly Row[] =>
  isWhole ? rows : rows.filter((_, index) => (index + offset) % every === 0);

/** One of the columns that each row is tried in, another one from row to row; all of them where tables are gone through whole. */
export const columnsOfTable = <Column>(columns: readonly Column[], row: number): readonly Column[] =>
  isWhole ? columns : columns.filter((_, index) => index === row % columns.length);

/** How many of so many made-up cases this run goes through. */
export const roundsOf = (rounds: number): number => (isWhole ? rounds : Math.ceil(rounds / 3));

/** Rows that take so long, for waiting, that they are gone through only where tables are gone through whole. */
export const longRows = <Row>(rows: readonly Row[]): readonly Row[] => (isWhole ? rows : []);
