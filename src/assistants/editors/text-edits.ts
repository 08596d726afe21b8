import {SetupError} from '../../errors/errors.ts';
import {isSameValue} from '../../json.ts';
import type {Entries} from '../formats/entry-format.ts';

/** What stands between `start` and `end` is replaced by `put`. Offsets are UTF-16 code units of the old text. */
export type Edit = {readonly start: number; readonly end: number; readonly put: string};

/** Edits must not overlap; those at one offset are made in their order. */
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

/** The byte order mark, which no parser needs to see, and the rest. */
export const splitMark = (text: string): readonly [mark: string, body: string] =>
  text.startsWith(BOM) ? [BOM, text.slice(1)] : ['', text];

export const isBlank = (text: string): boolean => text.trim() === '';

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** The end of the line that `at` is in, before its newline. */
export const lineEnd = (text: string, at: number): number => {
  const found = text.indexOf('\n', at);
  if (found < 0) return text.length;
  return found > at && text[found - 1] === '\r' ? found - 1 : found;
};

/** Whether nothing but white space stands before `at` in its line. */
export const beginsLine = (text: string, at: number): boolean => isBlank(text.slice(lineStart(text, at), at));

/** Takes out whole lines: with their newline, or at the end of a file without one, with the newline before. */
export const withoutLines = (text: string, from: number, to: number): Edit => {
  const [start, end] = [lineStart(text, from), lineEnd(text, to)];
  if (end < text.length) return {start, end: end + (text[end] === '\r' ? 2 : 1), put: ''};
  return {start: beforeNewline(text, start), end, put: ''};
};

/** `start` of a line, less the newline that ends the line before. */
export const beforeNewline = (text: string, start: number): number => {
  if (text[start - 1] !== '\n') return start;
  return text[start - 2] === '\r' ? start - 2 : start - 1;
};

export const refuse = (path: string, what: string, text: string, offset: number, cause?: unknown): SetupError =>
  new SetupError('local-file-invalid', `${path} ${what} (line ${lineOf(text, offset)}).`, {cause, about: {path}});

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** An unfinished merge may still parse: its markers can lie in a comment, or in a text of several lines. */
export const refuseConflict = (text: string, path: string): void => {
  const found = /^(?:<{7}|>{7})(?: .*)?\r?$/m.exec(text);
  if (found) throw refuse(path, 'contains a merge conflict', text, found.index);
};

/**
 * A parser that knows the text that it has parsed last: an edit looks at most texts more than once. For what stays within
 * an editor, because what it returns is returned again.
 */
export const parsingOnce = <Tree>(parse: (text: string, path: string) => Tree): typeof parse => {
  let last: {readonly text: string; readonly tree: Tree} | undefined;
  return (text, path) => {
    if (last?.text !== text) last = {text, tree: parse(text, path)};
    return last.tree;
  };
};

/** A file as values: the entries, and all the rest. */
export type Values = {readonly rest: unknown; readonly entries: Entries};

/**
 * The last look before a text is handed back: what was asked for is in it, and nothing else has changed.
 *
 * @param reread reads the changed text, and throws when it does not parse
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

/** Reads a text that was just changed. What does not parse then is not the person's fault. */
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

/** Names as what `requireSame` takes for entries that are gone. */
export const absentEntries = (names: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(names.map(name => [name, undefined]));
