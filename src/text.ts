/** The most characters of a server's text that are shown. */
const LONGEST = 300;

/** Controls, C1, line and paragraph separators, bidirectional and invisible formatting: what a terminal may act on. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** A text after the word Bearer that is not an ordinary word. */
const bearerToken = /(?<=\bBearer )(?!\w+=\\?")(?=[A-Za-z~+/.=-]*[\d_])[\w~+/.=-]{8,}/g;

/** A run of dotted parts, as a JWT has them (RFC 7515 7.1). It is matched whole, so that no text is scanned twice. */
const runOfParts = /[\w.-]+/g;

/** The beginning of a JWT's header: `{"` in base64. */
const jwtStart = /(?:^|-)eyJ/;

/** A text counts as a JWT if its payload, and its header after `eyJ`, each have at least this many characters. */
const LEAST_PART = 5;

/** Replaces what looks like a token in a text: anything shaped like a JWT (RFC 7519), and the text after Bearer. */
export const withoutTokens = (text: string): string => {
  const rest = text.replaceAll(bearerToken, TOKEN);
  return rest.includes('eyJ') ? rest.replaceAll(runOfParts, withoutJwts) : rest;
};

/** Whether a text contains something shaped like a JWT. */
export const hasJwt = (text: string): boolean =>
  text.includes('eyJ') && text.replaceAll(runOfParts, withoutJwts) !== text;

const TOKEN = '<token>';

const withoutJwts = (run: string): string => {
  if (!run.includes('eyJ')) return run;
  const parts = run.split('.');
  const shown: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [header = '', payload = ''] = parts.slice(at, at + 2);
    const start = header.search(jwtStart);
    const begins = start + (header[start] === '-' ? 1 : 0);
    if (start < 0 || header.length - begins < 'eyJ'.length + LEAST_PART || payload.length < LEAST_PART) {
      shown.push(header);
      continue;
    }
    shown.push(`${header.slice(0, begins)}${TOKEN}`);
    // Skips the payload, and the signature if there is one.
    at += 2;
  }
  return shown.join('.');
};

/**
 * Returns a text without these characters at its end. A regular expression would start again at each such character in
 * the text, which takes minutes for a megabyte.
 */
export const withoutEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
};

/**
 * Makes text from a server or another program safe to show: on one line, cut, without control characters, and without
 * tokens that a server repeats.
 */
export const cleanText = (text: string): string => briefText(text, LONGEST);

/** As `cleanText`, but cut to another length. @param longest in characters, including the mark of the cut */
export const briefText = (text: string, longest: number): string => {
  const clean = withoutTokens(text.slice(0, LONGEST * 16))
    .replaceAll(unsafe, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cut(clean, longest);
};

/**
 * What is removed from printed text: control characters (except line feed and tab); line and paragraph separators; lone
 * surrogates; and characters that change the direction of text or hide in it. Zero-width joiners and non-joiners are part
 * of words and stay.
 */
const unprintable = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns text that is safe for a terminal, in full length and with its line ends. */
export const printable = (text: string): string => text.replaceAll(unprintable, '');

/** Escapes every character of JSON that a terminal may act on as `\\u` and its code. The value stays the same. */
export const escapeUnsafe = (json: string): string =>
  json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Returns a duration as people say it, in at most its two largest units: `850 ms`, `58 min`, `1 h 5 min`. */
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

/** Returns how long ago something was, as people say it. */
export const ago = (ms: number): string => (ms < 60_000 ? 'just now' : `${duration(ms)} ago`);

/**
 * Wraps a text into lines of a width, between words. Line breaks are kept, and so is the indentation of a line if its
 * first word fits behind it. The lines that continue it are not indented.
 *
 * @param longWords whether a word longer than a line is `cut`, which is the default, or stays `whole` for copying
 */
export const linesOf = (text: string, width: number, longWords?: 'cut' | 'whole'): readonly string[] => {
  const lines: string[] = [];
  for (const row of text.split('\n')) {
    let line: string | undefined;
    for (let word of row.split(' ')) {
      if (line !== undefined) {
        if (line.length + word.length < width) {
          line += ` ${word}`;
          continue;
        }
        lines.push(line);
      }
      for (; longWords !== 'whole' && word.length > width; word = word.slice(width)) lines.push(word.slice(0, width));
      line = word;
    }
    lines.push(line ?? '');
  }
  return lines;
};
