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
