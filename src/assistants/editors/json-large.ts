import {visit} from 'jsonc-parser';
import type {Folded} from '../formats/entry-format.ts';
import type {JsonDialect} from './json/json-dialect.ts';

/** What cannot be told apart without parsing all of it. */
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
 * Finds where the parts of a JSON text end, in its bytes: every sign that divides them is ASCII. It says nothing of
 * whether the parts are valid. Each method takes an offset, and throws `NotPlain` at what cannot stand there.
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
    /** Where the text begins, behind the byte order mark. */
    start: bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0,
    /** Past white space and comments. */
    pastBlank,
    pastValue: (at: number): number => {
      if (isQuote(bytes[at])) return pastText(at);
      return isOpen(bytes[at]) ? pastContainer(at) : pastWord(at);
    },
    /** Past a key and its colon, to the value. */
    pastKey: (at: number): number => {
      if (!isQuote(bytes[at])) throw new NotPlain();
      const colon = pastBlank(pastText(at));
      if (bytes[colon] !== COLON) throw new NotPlain();
      return pastBlank(colon + 1);
    },
    /** Past the comma behind a member, to the next one or to the closing bracket. */
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

/** What is larger than this is folded, in bytes. */
const LIMIT = 64 * 1024;

/** How much more of what is left out is parsed at a time: little memory is held for it. */
const BATCH = 4;

/** How deep large values are folded within large values. */
const DEEPEST = 8;

/** Bytes that are left out: whole members of a list or of an object, or one text. */
type Fold = {readonly start: number; readonly end: number; readonly inObject: boolean};

/** A member of a list or object; `value` is where its value starts. */
type Member = {readonly start: number; readonly value: number; readonly end: number};

type Options = {
  /** The key of the root whose value stays whole. */
  readonly own: string;
  readonly dialect: JsonDialect;
  readonly limit?: number;
  /** What stands for bytes in a text that is only shown. */
  readonly name?: (part: Buffer) => string;
};

/**
 * Leaves the bulk of a large JSON file out of its text, so that it can be edited like a small one: of every list and
 * object that is too large, the members between the first and the last. The root keeps every key. What is left out has
 * been parsed, piece by piece, and stands in the changed file as the very bytes that it was.
 *
 * @returns undefined for what is not plainly JSON: whoever reads all of it says what is wrong, and where
 */
export const foldJson = (bytes: Buffer, options: Options): Folded | undefined => {
  const {own, dialect, limit = LIMIT, name} = options;
  if (conflicts.some(marker => bytes.includes(marker))) return undefined;
  const scan = createJsonScanner(bytes, dialect !== 'strict');

  const standIn = ({start, end, inObject}: Fold, index: number): string => {
    if (!name) return inObject ? `"… ${index} …":0` : `"… ${index} …"`;
    const member = `"… ${name(bytes.subarray(start, end))} …":0`;
    // As a key it stays where texts are hidden.
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

  /** What is left out of a member's value, where that is larger than `most`. */
  const foldsOf = ({start, value, end}: Member, depth: number, most: number): readonly Fold[] => {
    if (end - value <= most || (depth === 0 && scan.keyAt(start) === own)) return [];
    if (isOpen(bytes[value])) return depth < DEEPEST ? foldsIn(value, depth + 1) : [];
    if (!isQuote(bytes[value])) return [];
    check(value, end, [], false);
    return [{start: value, end, inObject: false}];
  };

  /** What is left out of the list or object that opens here. */
  const foldsIn = (open: number, depth: number): readonly Fold[] => {
    const inObject = isBrace(bytes[open]);
    const kept: Fold[] = [];
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
      // It is left out whole; only to be checked it is taken apart where it is larger than what is parsed at once.
      unchecked.folds.push(...foldsOf(member, depth, limit * BATCH));
      if (end - unchecked.start > limit * BATCH) checkUpTo(end);
    };
    let isFirst = true;
    for (let at = scan.pastBlank(open + 1); !isClose(bytes[at]); ) {
      const member = memberAt(at, inObject);
      if (isFirst || depth === 0) kept.push(...foldsOf(member, depth, limit));
      else {
        if (last) join(last);
        last = member;
      }
      isFirst = false;
      at = scan.pastComma(member.end);
    }
    if (run) {
      checkUpTo(run.end);
      kept.push({...run, inObject});
    }
    return last ? [...kept, ...foldsOf(last, depth, limit)] : kept;
  };

  try {
    const root = scan.pastBlank(scan.start);
    if (!isBrace(bytes[root])) return undefined;
    const folds = foldsIn(root, 0);
    const text = textOf(0, bytes.length, folds);
    // A text of the file's own that looks like one of ours would come back as something else.
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

/** An unfinished merge is told with its line. */
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

/** Where a place in a text is among its bytes: each stand-in before it counts as what it stands for. */
const placeIn = (text: string, at: number, folds: readonly Fold[]): number => {
  const before = text.slice(0, at);
  const found = [...before.matchAll(standIns)];
  const bulk = found.reduce((sum, [all], index) => {
    const {start = 0, end = 0} = folds[index] ?? {};
    return sum + end - start - Buffer.byteLength(all);
  }, 0);
  return Buffer.byteLength(before) + bulk;
};

/** What stands for members that were left out. */
const standIns = /"… (\d+) …"(?::0)?/g;

/** Most files have no comments, and their own parser is much faster. */
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
    // It calls itself for each level.
    if (error instanceof RangeError) return false;
    throw error;
  }
  return !isBroken;
};
