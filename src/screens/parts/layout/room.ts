import type {WizardState} from '../../../state/model.ts';
import {receiptsOf} from '../../../state/view/view-of.ts';
import {type Binding, useKeyRows} from '../keys.tsx';
import {useRailRows} from '../rail.tsx';
import {useSize} from './size.tsx';

/** A terminal with fewer rows than this has none to spare. */
const LOW = 22;

/** Few rows are for the question; where it is and what was done stay in mind, or in the scrollback. */
export const useIsLow = (): boolean => useSize().rows < LOW;

/** Between the parts of a screen, in rows. */
export const useGap = (): number => (useIsLow() ? 0 : 1);

/** How many rows sentences take behind the margin, broken between words; a word that is longer than a row is cut. */
export const rowsOf = (text: string, columns: number): number =>
  text.split('\n').reduce((rows, line) => rows + rowsOfLine(line, columns), 0);

const rowsOfLine = (text: string, columns: number): number => {
  const width = Math.max(1, columns - 2);
  let [rows, used] = [1, 0];
  for (const {length} of text.split(' ')) {
    const after = used === 0 ? length : used + 1 + length;
    if (after <= width) used = after;
    else {
      rows += (used === 0 ? 0 : 1) + Math.ceil(length / width) - 1;
      used = length % width;
    }
  }
  return rows;
};

/** The empty rows around what a screen says, and the one below it that keeps the frame from filling the terminal. */
const MARGINS = 2;
const SPARE = 1;

/**
 * How many rows a screen has for what stands between its heading and its keys. A frame that is taller than the terminal
 * cannot be drawn over, only anew.
 */
export const useRoom = (state: WizardState, heading: string, bindings: readonly Binding[]): number => {
  const compact = useCompactRoom(heading, bindings);
  const railRows = useRailRows(state);
  if (useIsLow()) return compact;
  const receipts = receiptsOf(state).length;
  return compact - railRows - (receipts > 0 ? receipts + 1 : 0) - MARGINS - 1;
};

/** The same where the screen goes without all that is not its own: rail, receipts and empty rows. */
export const useCompactRoom = (heading: string, bindings: readonly Binding[]): number => {
  const {rows, columns} = useSize();
  return rows - rowsOf(heading, columns) - useKeyRows(bindings) - SPARE;
};
