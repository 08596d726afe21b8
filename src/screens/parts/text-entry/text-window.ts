import stringWidth from 'string-width';
import {printable} from '../../../text.ts';
import {characterAfter, charactersOf, type Line} from './text-editing.ts';

/** The part of a line that is drawn in one row. `under` is the character that the cursor stands on: a blank at the end. */
export type TextWindow = {readonly before: string; readonly under: string; readonly after: string};

type Look = {
  /** What stands for each character of a secret. */
  readonly mask?: string;
  /** What stands where the text goes on. */
  readonly ellipsis: string;
};

/**
 * As much of a line around its cursor as `columns` hold. It moves by a quarter of them at a time, so that most keys change
 * little of the row; only what is near the cursor is looked at, however long the text is.
 */
export const windowOfText = (line: Line, columns: number, {mask, ellipsis}: Look): TextWindow => {
  const {text, cursor} = line;
  const end = characterAfter(line);
  const under = end > cursor ? drawn(text.slice(cursor, end), mask) || ' ' : ' ';
  // A text that may be shown whole has no more than a few units for each column.
  if (text.length <= 4 * columns) {
    const [before, after] = [drawn(text.slice(0, cursor), mask), drawn(text.slice(end), mask)];
    if (stringWidth(before) + stringWidth(under) + stringWidth(after) + (end > cursor ? 1 : 0) <= columns)
      return {before, under, after};
  }
  const mark = ellipsis.length;
  const room = Math.max(2, columns - 2 * mark);
  const quarter = Math.max(1, Math.floor(room / 4));
  let from = Math.max(0, (Math.floor(cursor / quarter) - 3) * quarter);
  let before = drawnFrom(text, from, cursor, mask);
  for (; stringWidth(before) + stringWidth(under) > room && from < cursor; from += quarter)
    before = drawnFrom(text, Math.min(cursor, from + quarter), cursor, mask);
  let left = room - stringWidth(before) - stringWidth(under);
  let after = '';
  let isCut = false;
  for (const character of charactersOf(text.slice(end, end + 8 * columns))) {
    const shown = drawn(character, mask);
    left -= stringWidth(shown);
    isCut = left < 0;
    if (isCut) break;
    after += shown;
  }
  const isCutBefore = before !== '' ? from > 0 : cursor > 0;
  return {before: (isCutBefore ? ellipsis : '') + before, under, after: after + (isCut ? ellipsis : '')};
};

/** What is drawn from one unit to another, without the rest of a character in whose middle the first one is. */
const drawnFrom = (text: string, from: number, to: number, mask: string | undefined): string => {
  if (from === 0 || from >= to) return drawn(text.slice(from, to), mask);
  const [, ...whole] = charactersOf(text.slice(from - 1, to));
  return drawn(whole.join(''), mask);
};

const drawn = (text: string, mask: string | undefined): string =>
  mask === undefined ? printable(text) : mask.repeat(charactersOf(text).length);
