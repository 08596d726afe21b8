import {SetupError} from '../../errors/errors.ts';
import type {Editor} from '../formats/entry-format.ts';
import {mask} from './mask.ts';

export type Language = 'JSON' | 'TOML' | 'YAML';

const KIB = 1024;

/**
 * The largest text that is parsed, in bytes of UTF-8. At these sizes the parsers were seen to need at most: for JSON 3
 * seconds and 1.1 GB for an edit, for TOML 0.8 seconds and 600 MB, for YAML 1 second, which grows with the square of
 * the size.
 */
export const largest: Readonly<Record<Language, number>> = {JSON: 8 * KIB * KIB, TOML: 512 * KIB, YAML: 128 * KIB};

/** The deepest nesting of lists and maps. The parsers recurse for each level. */
export const DEEPEST = 200;

/** Whether a text is small enough to be parsed. */
export const isParsable = (text: string, language: Language): boolean => sizeOf(text) <= largest[language];

/** Returns how deeply the lists and maps of a text are nested. */
type Depth = (text: string) => number;

/**
 * Refuses a text before it is parsed if this machine may lack the time, the memory or the stack for it.
 *
 * @param path of the file, for the error
 * @param depth measures the nesting in this language
 * @throws SetupError `local-file-invalid`
 */
export const refuseExcess = (text: string, language: Language, depth: Depth, path: string): void => {
  if (!isParsable(text, language)) {
    const size = inWords(Math.ceil((sizeOf(text) / KIB) * 10) / 10);
    throw new SetupError(
      'local-file-invalid',
      `${path} is ${size}, but setup reads at most ${inWords(largest[language] / KIB)} of ${language}.`,
      {remedy: 'Check that it is the right file. Make it smaller, or continue without it.', about: {path}},
    );
  }
  if (depth(text) > DEEPEST) throw tooMuch(path, `is nested too deeply: setup reads at most ${DEEPEST} levels`);
};

/**
 * Wraps an editor so that it refuses a text that is too large or too deeply nested before parsing it. For showing, such
 * a text is hidden completely.
 */
export const withinLimits = (editor: Editor, language: Language, depth: Depth): Editor => {
  const guarded = <T>(text: string, path: string, work: () => T): T => {
    refuseExcess(text, language, depth, path);
    try {
      return work();
    } catch (error) {
      // A key with many dots is many levels as well, and a parser may recurse for each character of a long string.
      if (!isStackOverflow(error)) throw error;
      throw tooMuch(path, 'cannot be parsed: a key has too many parts, or a text is too long', error);
    }
  };
  return {
    read: (text, path) => guarded(text, path, () => editor.read(text, path)),
    made: (text, path) => guarded(text, path, () => editor.made(text, path)),
    set: (text, entries, path) => guarded(text, path, () => editor.set(text, entries, path)),
    remove: (text, names, path, was) => guarded(text, path, () => editor.remove(text, names, path, was)),
    textsOf: (text, name) => (isParsable(text, language) && depth(text) <= DEEPEST ? editor.textsOf(text, name) : []),
    mask: (text, labels, shown, others) =>
      isParsable(text, language) && depth(text) <= DEEPEST
        ? editor.mask(text, labels, shown, others)
        : mask(text, () => undefined),
  };
};

/** Also recognises a stack overflow that a parser has turned into an error of its own, with the same message. */
const isStackOverflow = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RangeError || at.message.startsWith('Maximum call stack size exceeded')) return true;
  }
  return false;
};

const tooMuch = (path: string, what: string, cause?: unknown): SetupError =>
  new SetupError('local-file-invalid', `${path} ${what}.`, {
    ...(cause === undefined ? {} : {cause}),
    remedy: 'Check that it is the right file. Fix it by hand, or continue without it.',
    about: {path},
  });

const sizeOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** @param size in KiB */
const inWords = (size: number): string => (size < KIB ? `${size} KiB` : `${Math.ceil((size / KIB) * 10) / 10} MiB`);

/** A string or comment that is skipped: how it opens, how it ends, and whether a backslash escapes the end. */
type Quoted = readonly [open: string, close: string, escapes: boolean];

const json: readonly Quoted[] = [
  ['"', '"', true],
  ['//', '\n', false],
  ['/*', '*/', false],
];

/** The three-character forms come first, since the shorter ones are prefixes of them. */
const toml: readonly Quoted[] = [
  ['"""', '"""', true],
  ["'''", "'''", false],
  ['"', '"', true],
  ["'", "'", false],
  ['#', '\n', false],
];

/** Returns how deeply the brackets of a JSON text are nested, ignoring strings and comments. */
export const jsonDepth = (text: string): number => bracketDepth(text, json);

/** Returns how deeply the brackets of a TOML text are nested, ignoring strings and comments. */
export const tomlDepth = (text: string): number => bracketDepth(text, toml);

const bracketDepth = (text: string, kinds: readonly Quoted[]): number => {
  const special = /["'#/[\]{}]/g;
  let [depth, deepest] = [0, 0];
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const {index, 0: sign} = found;
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    else {
      const kind = kinds.find(([open]) => text.startsWith(open, index));
      if (kind) special.lastIndex = pastQuoted(text, index, kind);
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

const pastQuoted = (text: string, start: number, [open, close, escapes]: Quoted): number => {
  for (let from = start + open.length; ; ) {
    const end = text.indexOf(close, from);
    if (end < 0) return text.length;
    if (!escapes || !isEscaped(text, end, from)) return end + close.length;
    from = end + 1;
  }
};

/** Whether an odd number of backslashes precedes `at`. Characters before `from` are already handled. */
const isEscaped = (text: string, at: number, from: number): boolean => {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\') count += 1;
  return count % 2 === 1;
};
