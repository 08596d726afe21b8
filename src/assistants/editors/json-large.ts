import {visit} from 'jsonc-parser';
import type {Folded} from '../formats/entry-format.ts';
import type {JsonDialect} from './json/json-dialect.ts';

/** Thrown for a text whose parts cannot be told apart without parsing all of it. */
export class NotPlain extends Error {}

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [QUOTE, STAR, COMMA, SLASH, COLON] = [34, 42, 44, 47, 58];
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125];

type Byte = number | undefined;

export const isQuote = (byte: Byte): boolean => byte === QUOTE;
export const isBrace = (byte: Byte): boolean => byte === OPEN_OBJECT;
export const isOpen = (byte: Byte): boolean => byte === OPEN_OBJECT || byte === OPEN_LIST;
export const isClose = (byte: Byte): boolean => byte === CLOSE_OBJECT || byte === CLOSE_LIST;

const MARK = Buffer.from('\uFEFF', 'utf8');

/**
 * Finds the ends of the parts of a JSON text in its bytes; every character that separates parts is ASCII. Does not
 * check whether the parts are valid. Each method takes an offset, and throws `NotPlain` at a byte that is not allowed
 * there.
 */
export const createJsonScanner = (bytes: Buffer, hasComments: boolean) => {
  const size = bytes.length;

  const pastComment = (at: number): number => {
    const isLine = bytes[at + 1] === SLASH;
    if (!hasComments || !(isLine || bytes[at + 1] === STAR)) throw new NotPlain();
    const end = isLine ? bytes.indexOf('\n', at) : bytes.indexOf('*/', at + 2);
    if (end < 0 && !isLine) throw new NotPlain();
    return end < 0 ? size : isLine ? end : end + 2;
  };

  const pastBlank = (from: number): number => {
    for (let at = from; ; ) {
      const byte = bytes[at];
      if (byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB) at += 1;
      else if (byte === SLASH) at = pastComment(at);
      else return at;
    }
  };

  const pastText = (from: number): number => {
    let at = from + 1;
    for (; at < size && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    if (at >= size) throw new NotPlain();
    return at + 1;
  };

  const pastContainer = (from: number): number => {
    for (let [at, depth] = [from, 0]; at < size; ) {
      const byte = bytes[at];
      if (byte === QUOTE) at = pastText(at);
      else if (byte === SLASH) at = pastComment(at);
      else {
        at += 1;
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return at;
      }
    }
    throw new NotPlain();
  };

  const pastWord = (from: number): number => {
    let at = from;
    while (at < size && !endsWord.has(bytes[at])) at += 1;
    if (at === from) throw new NotPlain();
    return at;
  };

  return {
    /** Where the text begins, after the byte order mark. */
    start: bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0,
    /** Skips white space and comments. */
    pastBlank,
    pastValue: (at: number): number => {
      if (isQuote(bytes[at])) return pastText(at);
      return isOpen(bytes[at]) ? pastContainer(at) : pastWord(at);
    },
    /** Skips a key and its colon; returns the offset of the value. */
    pastKey: (at: number): number => {
      if (!isQuote(bytes[at])) throw new NotPlain();
      const colon = pastBlank(pastText(at));
      if (bytes[colon] !== COLON) throw new NotPlain();
      return pastBlank(colon + 1);
    },
    /** Skips the comma after a member; returns the offset of the next member or of the closing bracket. */
    pastComma: (at: number): number => {
      const next = pastBlank(at);
      if (bytes[next] === COMMA) return pastBlank(next + 1);
      if (!isClose(bytes[next])) throw new NotPlain();
      return next;
    },
    keyAt: (at: number): unknown => {
      try {
        return JSON.parse(bytes.toString('utf8', at, pastText(at)));
      } catch {
        throw new NotPlain();
      }
    },
  };
};

const endsWord: ReadonlySet<Byte> = new Set([SPACE, NEWLINE, RETURN, TAB, COMMA, SLASH, CLOSE_LIST, CLOSE_OBJECT]);

/** Values larger than this are folded, in bytes. */
const LIMIT = 64 * 1024;

/** Folded parts are parsed in batches of this many times the limit, so that little memory is held. */
const BATCH = 4;

/** The deepest level at which large values are folded inside large values. */
const DEEPEST = 8;

/** Bytes that are left out: whole members of a list or object, or one string. */
type Fold = {readonly start: number; readonly end: number; readonly inObject: boolean};

/** A member of a list or object; `value` is the offset of its value. */
type Member = {readonly start: number; readonly value: number; readonly end: number};

type Options = {
  /** The root key whose value is not folded. */
  readonly own: string;
  readonly dialect: JsonDialect;
  readonly limit?: number;
  /** Returns a placeholder for left-out bytes, for a text that is only shown. */
  readonly name?: (part: Buffer) => string;
};

/**
 * Leaves the bulk of a large JSON file out of its text, so that it can be edited like a small file. In every list and
 * object that is too large, the members between the first and the last are left out. The root keeps every key. All
 * left-out parts have been parsed, piece by piece; the changed file contains their original bytes.
 *
 * @returns undefined if the text is not plainly JSON; the caller then parses all of it, which reports the error and its
 *   line
 */
export const foldJson = (bytes: Buffer, options: Options): Folded | undefined => {
  const {own, dialect, limit = LIMIT, name} = options;
  if (conflicts.some(marker => bytes.includes(marker))) return undefined;
  const scan = createJsonScanner(bytes, dialect !== 'strict');

  const standIn = ({start, end, inObject}: Fold, index: number): string => {
    if (!name) return inObject ? `"… ${index} …":0` : `"… ${index} …"`;
    const member = `"… ${name(bytes.subarray(start, end))} …":0`;
    // As a key, the placeholder stays visible if values are hidden.
    return inObject ? member : `{${member}}`;
  };

  const textOf = (start: number, end: number, folds: readonly Fold[]): string => {
    const pieces: string[] = [];
    let at = start;
    for (const [index, fold] of folds.entries()) {
      pieces.push(bytes.toString('utf8', at, fold.start), standIn(fold, index));
      at = fold.end;
    }
    return pieces.join('') + bytes.toString('utf8', at, end);
  };

  const check = (start: number, end: number, folds: readonly Fold[], inObject: boolean) => {
    const inner = textOf(start, end, folds);
    if (!parses(inObject ? `{${inner}}` : `[${inner}]`, dialect)) throw new NotPlain();
  };

  const memberAt = (start: number, inObject: boolean): Member => {
    const value = inObject ? scan.pastKey(start) : start;
    return {start, value, end: scan.pastValue(value)};
  };

  /** Returns the parts to leave out of a member's value, if that is larger than `most`. */
  const foldsOf = ({start, value, end}: Member, depth: number, most: number): readonly Fold[] => {
    if (end - value <= most || (depth === 0 && scan.keyAt(start) === own)) return [];
    if (isOpen(bytes[value])) return depth < DEEPEST ? foldsIn(value, depth + 1) : [];
    if (!isQuote(bytes[value])) return [];
    check(value, end, [], false);
    return [{start: value, end, inObject: false}];
  };

  /** Returns the parts to leave out of the list or object that opens at this offset. */
  const foldsIn = (open: number, depth: number): readonly Fold[] => {
    const inObject = isBrace(bytes[open]);
    const folds: Fold[] = [];
    let last: Member | undefined;
    let run: {start: number; end: number} | undefined;
    let unchecked: {start: number; folds: Fold[]} | undefined;
    const checkUpTo = (end: number) => {
      if (unchecked) check(unchecked.start, end, unchecked.folds, inObject);
      unchecked = undefined;
    };
    const join = (member: Member) => {
      const {start, end} = member;
      run = {start: run?.start ?? start, end};
      unchecked ??= {start, folds: []};
      // The member is left out whole. Only for the check, a member larger than one batch is folded itself.
      unchecked.folds.push(...foldsOf(member, depth, limit * BATCH));
      if (end - unchecked.start > limit * BATCH) checkUpTo(end);
    };
    let isFirst = true;
    for (let at = scan.pastBlank(open + 1); !isClose(bytes[at]); ) {
      const member = memberAt(at, inObject);
      if (isFirst || depth === 0) folds.push(...foldsOf(member, depth, limit));
      else {
        if (last) join(last);
        last = member;
      }
      isFirst = false;
      at = scan.pastComma(member.end);
    }
    if (run) {
      checkUpTo(run.end);
      folds.push({...run, inObject});
    }
    return last ? [...folds, ...foldsOf(last, depth, limit)] : folds;
  };

  try {
    const root = scan.pastBlank(scan.start);
    if (!isBrace(bytes[root])) return undefined;
    const folds = foldsIn(root, 0);
    const text = textOf(0, bytes.length, folds);
    // If the file itself contains a string that looks like a stand-in, unfolding would replace it.
    if (folds.length === 0 || text.split('"… ').length !== folds.length + 1) return undefined;
    return {
      text,
      placeOf: (changed, at) => placeIn(changed, at, folds),
      unfold: changed => unfold(changed, bytes, folds),
    };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
};

/** A file with a merge conflict is not folded, so that the editor can report the conflict with its line. */
const conflicts = ['<<<<<<<', '>>>>>>>'];

const unfold = (text: string, bytes: Buffer, folds: readonly Fold[]): Buffer => {
  const [head = '', ...rest] = text.split(/"… (\d+) …"(?::0)?/);
  const parts: Buffer[] = [Buffer.from(head, 'utf8')];
  for (const [index, {start, end}] of folds.entries()) {
    if (rest[2 * index] !== String(index)) throw new Error('What was left out of a file is not where it was.');
    parts.push(bytes.subarray(start, end), Buffer.from(rest[2 * index + 1] ?? '', 'utf8'));
  }
  if (rest.length !== 2 * folds.length) throw new Error('What was left out of a file is there twice.');
  return Buffer.concat(parts);
};

/**
 * Converts a position in a text into an offset in its bytes: each stand-in before it counts as the bytes that it stands
 * for.
 */
const placeIn = (text: string, at: number, folds: readonly Fold[]): number => {
  const before = text.slice(0, at);
  const found = [...before.matchAll(standIns)];
  const bulk = found.reduce((sum, [all], index) => {
    const {start = 0, end = 0} = folds[index] ?? {};
    return sum + end - start - Buffer.byteLength(all);
  }, 0);
  return Buffer.byteLength(before) + bulk;
};

/** Matches the stand-ins for left-out bytes. */
const standIns = /"… (\d+) …"(?::0)?/g;

/** Whether a text parses. Tries `JSON.parse` first, which is much faster: most files have no comments. */
const parses = (text: string, dialect: JsonDialect): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return dialect !== 'strict' && parsesWithComments(text, dialect === 'lenient');
  }
};

const parsesWithComments = (text: string, allowTrailingComma: boolean): boolean => {
  let isBroken = false;
  const onError = () => {
    isBroken = true;
  };
  try {
    visit(text, {onError}, {allowTrailingComma});
  } catch (error) {
    // The parser recurses for each level.
    if (error instanceof RangeError) return false;
    throw error;
  }
  return !isBroken;
};
