import type {Key} from 'ink';

/** A line of text with a cursor: `cursor` counts UTF-16 units and stands between two of them. */
export type Line = {readonly text: string; readonly cursor: number};

export const lineOf = (text: string): Line => ({text, cursor: text.length});

/** The editing keys that people expect in one line: arrows, Home, End, Ctrl-A, -E, -U, -K, -W, Delete, Backspace. */
export const edit = (line: Line, input: string, key: Key): Line => {
  const {text, cursor} = line;
  const at = (next: number): Line => ({text, cursor: Math.max(0, Math.min(text.length, next))});
  if (key.leftArrow) return at(cursor - charBefore(line));
  if (key.rightArrow) return at(cursor + charAfter(line));
  if (key.home || (key.ctrl && input === 'a')) return at(0);
  if (key.end || (key.ctrl && input === 'e')) return at(text.length);
  if (key.backspace) return remove(line, charBefore(line), 0);
  if (key.delete) return remove(line, 0, charAfter(line));
  if (key.ctrl && input === 'u') return remove(line, cursor, 0);
  if (key.ctrl && input === 'k') return remove(line, 0, text.length - cursor);
  if (key.ctrl && input === 'w') return remove(line, wordBefore(line), 0);
  if (key.ctrl || key.meta || key.return || key.escape || key.tab || key.upArrow || key.downArrow) return line;
  return insert(line, input);
};

/** Typed or pasted text at the cursor. Pasted newlines and other controls are dropped: a field is one line. */
export const insert = ({text, cursor}: Line, added: string): Line => {
  const clean = added.replaceAll(/[\p{Cc}]+/gu, '');
  return {text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length};
};

const remove = ({text, cursor}: Line, before: number, after: number): Line => ({
  text: text.slice(0, cursor - before) + text.slice(cursor + after),
  cursor: cursor - before,
});

const segmenter = new Intl.Segmenter();

/** The length of the whole character beside the cursor: a flag or an accent is one, however many units it has. */
const charBefore = ({text, cursor}: Line) => [...segmenter.segment(text.slice(0, cursor))].at(-1)?.segment.length ?? 0;
const charAfter = ({text, cursor}: Line) => [...segmenter.segment(text.slice(cursor))].at(0)?.segment.length ?? 0;

const wordBefore = ({text, cursor}: Line) => /\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0;
