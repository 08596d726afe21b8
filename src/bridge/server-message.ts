import type {IdText} from './message.ts';

/** What a message from a server is: an answer to the requests of these ids, or something else, with no ids. */
export type ServerMessage = {readonly answers: readonly IdText[]};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Tells what a server's message is without building the values in it: results of many megabytes go through here. It
 * finds the members of the outermost object, jumping over strings, and sees whether every bracket and string is closed.
 *
 * @returns undefined for what is no JSON-RPC message
 */
export const inspect = (bytes: Buffer): ServerMessage | undefined => {
  const start = skipBlanks(bytes, 0);
  if (bytes[start] === 0x5b) return inspectBatch(bytes);
  const members = bytes[start] === 0x7b ? membersOf(bytes, start) : undefined;
  if (!members) return undefined;
  if (members.has('method')) return {answers: []};
  if (!members.has('result') && !members.has('error')) return undefined;
  const id = members.get('id');
  return id === undefined ? {answers: []} : {answers: [id]};
};

/** A batch is rare, and of the time before results were large. */
const inspectBatch = (bytes: Buffer): ServerMessage | undefined => {
  try {
    const all: unknown = JSON.parse(bytes.toString('utf8'));
    const found = Array.isArray(all) ? all.map(one => inspect(Buffer.from(JSON.stringify(one)))) : [];
    return found.length > 0 && found.every(one => one !== undefined)
      ? {answers: found.flatMap(one => one?.answers ?? [])}
      : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The keys of the object at `start`; with the value of `id`, and an empty text for the others. Undefined when it does
 * not end, or when something comes after it.
 */
const membersOf = (bytes: Buffer, start: number): ReadonlyMap<string, string> | undefined => {
  const members = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  let valueAt = 0;
  const endMember = (at: number) => {
    if (key !== undefined) members.set(key, key === 'id' ? normalised(bytes.subarray(valueAt, at)) : '');
    key = undefined;
  };
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end === -1) return undefined;
      if (depth === 1 && key === undefined && bytes[skipBlanks(bytes, end)] === COLON) {
        key = bytes.toString('utf8', at + 1, end - 1);
        at = skipBlanks(bytes, end);
        valueAt = at + 1;
      } else at = end - 1;
    } else if (openers.has(byte)) depth += 1;
    else if (closers.has(byte)) {
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
