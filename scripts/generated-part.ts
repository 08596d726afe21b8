/** The parts of a page that are written by `npm run docs`, between two comments, in what somebody has written by hand. */

const END = '<!-- end -->';

/**
 * The page with one of its parts as it is now.
 *
 * @param by the generator, and where it writes several parts the name of this one
 * @throws Error where the page has no place for it
 */
export const withPart = (page: string, by: string, part: string): string => {
  const begin = `<!-- written by npm run docs ${by} -->`;
  const before = page.indexOf(begin);
  const after = page.indexOf(END, before);
  if (before < 0 || after < 0) throw new Error(`The page has no place for the table: ${begin}`);
  return `${page.slice(0, before)}${begin}\n\n${part}\n\n${page.slice(after)}`;
};

/** A table of Markdown. What a cell holds is Markdown, but for the sign that would end it. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells, at) => (at === 1 ? `|${cells.join('|')}|` : `| ${cells.map(cell).join(' | ')} |`))
    .join('\n');

const cell = (text: string) => text.replaceAll(/(?<!\\)\|/g, '\\|');
