/** How much of a server's words is shown, in characters. */
const LONGEST = 300;

/** Controls, C1, line and paragraph separators, bidirectional and invisible formatting: nothing that a terminal acts on. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** Text from a server or another program, made safe to show: on one line, cut, and without a character that does something. */
export const cleanText = (text: string): string => {
  const clean = text
    .slice(0, LONGEST * 4)
    .replaceAll(unsafe, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cut(clean, LONGEST);
};

/** The same where there is room for few words. @param longest in characters, with the mark of the cut */
export const briefText = (text: string, longest: number): string => cut(cleanText(text), longest);

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
