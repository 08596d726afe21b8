/** How much of a server's words is shown, in characters. */
const LONGEST = 300;

/** Controls, C1, line and paragraph separators, bidirectional and invisible formatting: nothing that a terminal acts on. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** What follows the word Bearer and is no word itself. */
const bearerToken = /(?<=\bBearer )(?!\w+=\\?")(?=[A-Za-z~+/.=-]*[\d_])[\w~+/.=-]{8,}/g;

/** What a JWT is made of: parts with dots between (RFC 7515 7.1). Such a run is taken whole, so that no text is read twice. */
const runOfParts = /[\w.-]+/g;

/** How the header of a JWT begins: `{"` in base64. */
const jwtStart = /(?:^|-)eyJ/;

/** The least that a part of a JWT has, in characters. */
const LEAST_PART = 5;

/** Text without what looks like a token: anything shaped like a JWT (RFC 7519), and what follows the word Bearer. */
export const withoutTokens = (text: string): string => {
  const rest = text.replaceAll(bearerToken, TOKEN);
  return rest.includes('eyJ') ? rest.replaceAll(runOfParts, withoutJwts) : rest;
};

/** Whether something in a text is shaped like a JWT. */
export const hasJwt = (text: string): boolean =>
  text.includes('eyJ') && text.replaceAll(runOfParts, withoutJwts) !== text;

const TOKEN = '<token>';

const withoutJwts = (run: string): string => {
  if (!run.includes('eyJ')) return run;
  const parts = run.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [header = '', payload = ''] = parts.slice(at, at + 2);
    const start = header.search(jwtStart);
    const begins = start + (header[start] === '-' ? 1 : 0);
    if (start < 0 || header.length - begins < 'eyJ'.length + LEAST_PART || payload.length < LEAST_PART) {
      kept.push(header);
      continue;
    }
    kept.push(`${header.slice(0, begins)}${TOKEN}`);
    // The payload, and the signature where there is one.
    at += 2;
  }
  return kept.join('.');
};

/**
 * A text without these characters at its end. A regular expression for that begins anew at each of them wherever they
 * stand, which takes minutes for a megabyte.
 */
export const withoutEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
};

/**
 * Text from a server or another program, made safe to show: on one line, cut, without a character that does something,
 * and without the token that a server says back.
 */
export const cleanText = (text: string): string => {
  const clean = withoutTokens(text.slice(0, LONGEST * 16))
    .replaceAll(unsafe, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cut(clean, LONGEST);
};

/** The same where there is room for few words. @param longest in characters, with the mark of the cut */
export const briefText = (text: string, longest: number): string => cut(cleanText(text), longest);

/** Controls but line feed and tab, C1, separators, and what changes the direction of text or hides in it; joiners belong to words. */
const unprintable = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text as it may go to a terminal: as long as it is and on as many lines, without a character that does something. */
export const printable = (text: string): string => text.replaceAll(unprintable, '');

/** JSON with every character that a terminal may act on as `\\u` and its code: the same value to whoever reads it. */
export const escapeUnsafe = (json: string): string =>
  json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** A duration as people say it, in its two largest units at most: `850 ms`, `58 min`, `1 h 5 min`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
};

/** How long ago something was, as people say it. */
export const ago = (ms: number): string => (ms < 60_000 ? 'just now' : `${duration(ms)} ago`);

/**
 * A text over lines of a width, broken between words.
 *
 * @param longWords what becomes of a word that is longer than a line: `cut`, or `whole` where it may have to be copied
 */
export const linesOf = (text: string, width: number, longWords: 'cut' | 'whole' = 'cut'): readonly string[] => {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    if (line !== undefined && line.length + 1 + word.length <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== undefined) lines.push(line);
    let rest = word;
    for (; longWords === 'cut' && rest.length > width; rest = rest.slice(width)) lines.push(rest.slice(0, width));
    line = rest;
  }
  return line === undefined ? lines : [...lines, line];
};
