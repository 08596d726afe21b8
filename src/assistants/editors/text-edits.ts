import {isRecord} from '../../domain/written-entry.ts';
import {SetupError} from '../../errors/errors.ts';
import {isSameValue} from '../../json.ts';
import type {Entries} from '../formats/entry-format.ts';

/** Replaces the text between `start` and `end` with `put`. Offsets are UTF-16 code units of the old text. */
export type Edit = {readonly start: number; readonly end: number; readonly put: string};

/** Applies edits to a text. They must not overlap; edits at the same offset are applied in their order. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const pieces: string[] = [];
  let at = 0;
  for (const {start, end, put} of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), put);
    at = end;
  }
  return pieces.join('') + text.slice(at);
};

const BOM = '\uFEFF';

/** Splits a text into the byte order mark, which no parser needs, and the rest. */
export const splitMark = (text: string): readonly [mark: string, body: string] =>
  text.startsWith(BOM) ? [BOM, text.slice(1)] : ['', text];

export const isBlank = (text: string): boolean => text.trim() === '';

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** Returns the end of the line that contains `at`, before its newline. */
export const lineEnd = (text: string, at: number): number => {
  const found = text.indexOf('\n', at);
  if (found < 0) return text.length;
  return found > at && text[found - 1] === '\r' ? found - 1 : found;
};

/** Whether only white space precedes `at` on its line. */
export const beginsLine = (text: string, at: number): boolean => isBlank(text.slice(lineStart(text, at), at));

/**
 * Removes whole lines with their newline. At the end of a file without a final newline, removes the newline before
 * instead.
 */
export const withoutLines = (text: string, from: number, to: number): Edit => {
  const [start, end] = [lineStart(text, from), lineEnd(text, to)];
  if (end < text.length) return {start, end: end + (text[end] === '\r' ? 2 : 1), put: ''};
  return {start: beforeNewline(text, start), end, put: ''};
};

/** Returns the end of the line before, given the `start` of a line: the position before the newline. */
export const beforeNewline = (text: string, start: number): number => {
  if (text[start - 1] !== '\n') return start;
  return text[start - 2] === '\r' ? start - 2 : start - 1;
};

export const refuse = (path: string, what: string, text: string, offset: number, cause?: unknown): SetupError =>
  new SetupError('local-file-invalid', `${path} ${what} (line ${lineOf(text, offset)}).`, {cause, about: {path}});

/** Returns the line of an offset, counted from 1: at most the last line with text, if a file ends too early. */
const lineOf = (text: string, offset: number) =>
  text.slice(0, Math.min(offset, text.trimEnd().length)).split('\n').length;

/**
 * Refuses a text with conflict markers. Such a text may still parse, if the markers are in a comment or a multi-line
 * string.
 */
export const refuseConflict = (text: string, path: string): void => {
  const found = /^(?:<{7}|>{7})(?: .*)?\r?$/m.exec(text);
  if (found) throw refuse(path, 'contains a merge conflict', text, found.index);
};

/**
 * Wraps a parser so that it remembers the last text that it parsed, since an edit looks at most texts more than once.
 * Only for trees that stay within an editor, because the same tree is returned again.
 */
export const parsingOnce = <Tree>(parse: (text: string, path: string) => Tree): typeof parse => {
  let last: {readonly text: string; readonly tree: Tree} | undefined;
  return (text, path) => {
    if (last?.text !== text) last = {text, tree: parse(text, path)};
    return last.tree;
  };
};

/** A file as values: its entries, and all the rest. */
export type Values = {readonly rest: unknown; readonly entries: Entries};

/**
 * Checks a changed text before it is returned: it must contain the requested changes and no others.
 *
 * @param reread parses the changed text, and throws if it does not parse
 */
export const requireSame = (
  before: Values,
  reread: () => Values,
  changes: Readonly<Record<string, object | undefined>>,
  path: string,
): void => {
  const wanted = {...before.entries, ...changes};
  const names = Object.keys(wanted).filter(name => wanted[name] !== undefined);
  const isMeant = ({rest, entries}: Values) =>
    isSameValue(before.rest, rest) &&
    names.length === Object.keys(entries).length &&
    names.every(name => Object.hasOwn(entries, name) && isSameValue(entries[name], wanted[name]));
  if (!isMeant(reparse(reread, path))) throw unsafe(path);
};

/** Reads a text that was just changed. If it does not parse, that is not the person's fault. */
export const reparse = <T>(reread: () => T, path: string): T => {
  try {
    return reread();
  } catch (cause) {
    throw unsafe(path, cause);
  }
};

const unsafe = (path: string, cause?: unknown) =>
  new SetupError('local-file-invalid', `${path} has a layout that cannot be edited safely.`, {
    cause,
    about: {path},
  });

/** Returns changes for `requireSame` that remove these entries. */
export const absentEntries = (names: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(names.map(name => [name, undefined]));

/** A list or map in brackets, on one or more lines: YAML's flow style, TOML's inline tables and arrays. */
export type Brackets = {
  /** The offset of the opening bracket. */
  readonly start: number;
  readonly items: readonly {readonly start: number; readonly end: number}[];
};

/** Inserts an item first, where no existing item needs a new comma. */
export const insertFirst = (text: string, {start, items}: Brackets, item: string): Edit => {
  const open = start + 1;
  if (items.length === 0) return {start: open, end: open, put: item};
  const space = spaceAt(text, open);
  const at = open + space.length;
  return {start: at, end: at, put: `${item},${space || ' '}`};
};

/** Removes an item and the comma that belongs to it. The reverse of `insertFirst`. */
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
    // A trailing comma after the only item is removed with it.
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

/** Finds the comma between two items, ignoring comments. */
const commaIn = (text: string, from: number, to: number): number | undefined => {
  const between = text.slice(from, to).replaceAll(/#[^\n]*/g, comment => ' '.repeat(comment.length));
  const found = between.indexOf(',');
  return found < 0 ? undefined : from + found;
};

const spaceAt = (text: string, at: number): string => /^\s*/.exec(text.slice(at))?.[0] ?? '';

/**
 * One change of a member in an entry. `path` holds the keys that lead to it. Without a value, the member is removed.
 */
export type MemberChange = {readonly path: readonly string[]; readonly value?: unknown};

/**
 * Returns the changes that turn one entry into another, member by member: first removals, then replacements, then
 * additions.
 */
export const memberChanges = (
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  above: readonly string[] = [],
): readonly MemberChange[] => {
  const gone: MemberChange[] = [];
  const replaced: MemberChange[] = [];
  const added: MemberChange[] = [];
  for (const [key, value] of Object.entries(present)) {
    const path = [...above, key];
    if (!Object.hasOwn(wanted, key)) gone.push({path});
    else if (isFilled(value) && isFilled(wanted[key])) replaced.push(...memberChanges(value, wanted[key], path));
    else if (!isSameValue(value, wanted[key])) replaced.push({path, value: wanted[key]});
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(present, key)) added.push({path: [...above, key], value});
  }
  return [...gone, ...replaced, ...added];
};

/** Whether two entries have a member in common, so that one can be turned into the other. */
export const haveCommonMembers = (present: unknown, wanted: object): boolean =>
  isRecord(present) && Object.keys(wanted).some(key => Object.hasOwn(present, key));

const isFilled = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.keys(value).length > 0;
