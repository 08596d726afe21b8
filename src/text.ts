/** How much of a server's words is shown, in characters. */
const LONGEST = 300;

/** Controls, C1, line and paragraph separators, bidirectional and invisible formatting: nothing that a terminal acts on. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** Anything shaped like a JWT (RFC 7519), and what follows the word Bearer and is no word itself. */
const tokenLike =
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?|(?<=\bBearer )(?!\w+=\\?")(?=[A-Za-z~+/.=-]*[\d_])[\w~+/.=-]{8,}/g;

/** Text without what looks like a token. */
export const withoutTokens = (text: string): string => text.replaceAll(tokenLike, '<token>');

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
