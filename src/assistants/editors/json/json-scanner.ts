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
