import {isDeepStrictEqual} from 'node:util';
import {applyEdits, type FormattingOptions, modify, type ParseError, parse, parseTree} from 'jsonc-parser';
import {SetupError} from '../errors.ts';

const BOM = '\uFEFF';

/**
 * Sets entries in another program's JSON file and leaves every other byte as it is: comments, order, indentation,
 * newlines, byte order mark, unknown keys.
 *
 * @param text the whole file; an empty one counts as `{}`
 * @param root keys down to the map that holds the entries
 * @throws SetupError `local-file-invalid` for a file that does not parse, or whose root or map is no object: it is
 *   refused, never repaired
 */
export const setEntries = (
  text: string,
  root: readonly string[],
  entries: Readonly<Record<string, object>>,
  path: string,
): string => {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  let edited = body.trim() === '' ? '{}\n' : body;
  requireObjects(edited, root, path);
  // In a file of one line what is added stays in that line; laying it out would lay out all of it.
  const options = edited.trimEnd().includes('\n') || edited === '{}\n' ? {formattingOptions: formattingOf(edited)} : {};
  const present = readEntries(edited, root, path);
  for (const [name, entry] of Object.entries(entries)) {
    // What says the same already keeps its own layout, to the byte.
    if (isDeepStrictEqual(present[name], entry)) continue;
    edited = applyEdits(edited, modify(edited, [...root, name], entry, options));
  }
  return mark + edited;
};

/** The entries at `root`, as values. @throws SetupError `local-file-invalid` */
export const readEntries = (text: string, root: readonly string[], path: string): Readonly<Record<string, unknown>> => {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  if (body.trim() === '') return {};
  requireObjects(body, root, path);
  let value: unknown = parse(body, [], {allowTrailingComma: true});
  for (const key of root) value = (value as Record<string, unknown>)[key] ?? {};
  return value as Record<string, unknown>;
};

const requireObjects = (text: string, root: readonly string[], path: string) => {
  const errors: ParseError[] = [];
  let node = parseTree(text, errors, {allowTrailingComma: true});
  const [first] = errors;
  if (first || !node) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    throw new SetupError('local-file-invalid', `${path} is not valid JSON (line ${line}).`);
  }
  for (const [depth, key] of [undefined, ...root].entries()) {
    if (key !== undefined) node = node?.children?.find(({children}) => children?.[0]?.value === key)?.children?.[1];
    if (!node) return;
    if (node.type !== 'object') {
      const where = depth === 0 ? 'its root' : `“${root.slice(0, depth).join('.')}”`;
      throw new SetupError('local-file-invalid', `${path} cannot hold MCP servers: ${where} is not an object.`);
    }
  }
};

/** How the file is written already, so that what is added looks like the rest. */
const formattingOf = (text: string): FormattingOptions => {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
};
