import {type Edit, isBlank} from './text-edits.ts';

/** A list or map written between brackets on one or more lines: YAML's flow style, TOML's inline table. */
export type Brackets = {
  /** Of the opening bracket. */
  readonly start: number;
  readonly items: readonly {readonly start: number; readonly end: number}[];
};

/** Puts an item first, which is the place where nothing that is there needs a new comma. */
export const insertFirst = (text: string, {start, items}: Brackets, item: string): Edit => {
  const open = start + 1;
  if (items.length === 0) return {start: open, end: open, put: item};
  const space = spaceAt(text, open);
  const at = open + space.length;
  return {start: at, end: at, put: `${item},${space || ' '}`};
};

/** Takes an item away, with the comma that it needed. The reverse of `insertFirst`. */
export const removeItem = (text: string, {items}: Brackets, index: number): readonly Edit[] => {
  const item = items[index];
  if (!item) return [];
  const next = items[index + 1];
  const previous = items[index - 1];
  const comma = commaIn(text, item.end, next?.start ?? item.end);
  if (next && comma !== undefined) {
    return [
      {start: item.start, end: item.end, put: ''},
      {start: comma, end: comma + 1 + spaceAt(text, comma + 1).length, put: ''},
    ];
  }
  const before = previous && commaIn(text, previous.end, item.start);
  if (before === undefined) {
    // A comma that trails belongs to the only item.
    const trailing = /^(?:\s|#[^\n]*\n)*,/.exec(text.slice(item.end))?.[0].length;
    const taken = {start: item.start, end: item.end, put: ''};
    return trailing === undefined || next
      ? [taken]
      : [taken, {start: item.end + trailing - 1, end: item.end + trailing, put: ''}];
  }
  const isBare = isBlank(text.slice(before + 1, item.start));
  const rest = {start: isBare ? before + 1 : item.start, end: item.end, put: ''};
  return [{start: before, end: before + 1, put: ''}, rest];
};

/** The comma between two items, past comments. */
const commaIn = (text: string, from: number, to: number): number | undefined => {
  const between = text.slice(from, to).replaceAll(/#[^\n]*/g, comment => ' '.repeat(comment.length));
  const found = between.indexOf(',');
  return found < 0 ? undefined : from + found;
};

const spaceAt = (text: string, at: number): string => /^\s*/.exec(text.slice(at))?.[0] ?? '';
