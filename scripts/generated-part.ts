/** The parts of a page that `npm run docs` writes, between two comments, within text that is written by hand. */

const END = '<!-- end -->';

/**
 * Returns the page with one of its parts renewed.
 *
 * @param by the generator, and the name of the part if the generator writes several
 * @throws Error if the page has no place for the part
 */
export const withPart = (page: string, by: string, part: string): string => {
  const begin = `<!-- written by npm run docs ${by} -->`;
  const before = page.indexOf(begin);
  const after = page.indexOf(END, before);
  if (before < 0 || after < 0) throw new Error(`The page has no place for the table: ${begin}`);
  return `${page.slice(0, before)}${begin}\n\n${part}\n\n${page.slice(after)}`;
};

/** Returns a Markdown table. Cells contain Markdown; only the character that would end a cell is escaped. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells, at) => (at === 1 ? `|${cells.join('|')}|` : `| ${cells.map(cell).join(' | ')} |`))
    .join('\n');

const cell = (text: string) => text.replaceAll(/(?<!\\)\|/g, '\\|');
