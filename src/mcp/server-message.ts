import {type IdText, isObject} from './message.ts';

/**
 * What a message from a server is: an answer to the requests of these ids, or something else, with no ids. An answer
 * that names no id has the id `null`.
 */
export type ServerMessage = {readonly answers: readonly IdText[]};

/** Up to here a message is parsed; above it, it is only looked over, in bytes. */
const SMALL = 64 * 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** What JSON is written with between its strings. */
const outside: readonly boolean[] = Array.from({length: 256}, (_, byte) =>
  ' \t\n\r{}[],:truefalsn0123456789+-.E'.includes(String.fromCharCode(byte)),
);

/**
 * Tells what a server's message is. A large one is not built for that, for results of many megabytes go through here: its
 * outermost members are found, jumping over strings, and what is seen on the way has to look like JSON.
 *
 * @returns undefined for what is no JSON-RPC message
 */
export const inspect = (bytes: Buffer): ServerMessage | undefined => {
  const start = skipBlanks(bytes, 0);
  if (bytes.length <= SMALL || bytes[start] === 0x5b) return inspectText(bytes.toString('utf8'));
  const members = bytes[start] === 0x7b ? membersOf(bytes, start) : undefined;
  return members && kindOf(key => members.has(key), members.get('id'));
};

const inspectText = (text: string): ServerMessage | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? inspectBatch(value) : inspectValue(value);
  } catch {
    return undefined;
  }
};

/** A batch is rare, and of the time before results were large. */
const inspectBatch = (all: readonly unknown[]): ServerMessage | undefined => {
  const found = all.flatMap(one => inspectValue(one) ?? []);
  return found.length > 0 && found.length === all.length ? {answers: found.flatMap(one => one.answers)} : undefined;
};

const inspectValue = (value: unknown): ServerMessage | undefined =>
  isObject(value)
    ? kindOf(key => Object.hasOwn(value, key), value.id === undefined ? undefined : JSON.stringify(value.id))
    : undefined;

const kindOf = (has: (key: string) => boolean, id: IdText = 'null'): ServerMessage | undefined => {
  if (has('method')) return {answers: []};
  return has('result') || has('error') ? {answers: [id]} : undefined;
};

/**
 * The keys of the object at `start`; with the value of `id`, and an empty text for the others. Undefined when it does
 * not end, when something comes after it, when a comma is followed by no more, or when a byte has no place in JSON.
 */
const membersOf = (bytes: Buffer, start: number): ReadonlyMap<string, string> | undefined => {
  const members = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  let valueAt = 0;
  let isAfterComma = false;
  const endMember = (at: number) => {
    if (key !== undefined) members.set(key, key === 'id' ? normalised(bytes.subarray(valueAt, at)) : '');
    key = undefined;
  };
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (blanks.has(byte)) continue;
    const followsComma = isAfterComma;
    isAfterComma = byte === COMMA;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end === -1) return undefined;
      if (depth === 1 && key === undefined && bytes[skipBlanks(bytes, end)] === COLON) {
        key = bytes.toString('utf8', at + 1, end - 1);
        at = skipBlanks(bytes, end);
        valueAt = at + 1;
      } else at = end - 1;
    } else if (!outside[byte]) return undefined;
    else if (openers.has(byte)) depth += 1;
    else if (closers.has(byte)) {
      if (followsComma) return undefined;
      depth -= 1;
      if (depth === 0) {
        endMember(at);
        return skipBlanks(bytes, at + 1) === bytes.length ? members : undefined;
      }
    } else if (byte === COMMA && depth === 1) endMember(at);
  }
  return undefined;
};

/** The same text for the same id, however the server writes it. */
const normalised = (value: Buffer): string => {
  try {
    return JSON.stringify(JSON.parse(value.toString('utf8')));
  } catch {
    return '';
  }
};

/** Behind the closing quote of the string that begins at `at`; -1 when it does not end. */
const endOfString = (bytes: Buffer, at: number): number => {
  for (let quote = bytes.indexOf(QUOTE, at + 1); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return -1;
};

const skipBlanks = (bytes: Buffer, from: number): number => {
  let at = from;
  while (at < bytes.length && blanks.has(bytes[at] ?? 0)) at += 1;
  return at;
};
