import {type AST, parseTOML} from 'toml-eslint-parser';
import {isRecord} from '../../domain/written-entry.ts';
import {isSameValue} from '../../json.ts';
import type {Editor} from '../formats/entry-format.ts';
import {allButEntries, type Contents, mask, type Path, textsOfEntry} from './mask.ts';
import {tomlDepth, withinLimits} from './parse-limits.ts';
import {
  absentEntries,
  applyEdits,
  type Brackets,
  beforeNewline,
  type Edit,
  eolOf,
  haveCommonMembers,
  insertFirst,
  isBlank,
  lineEnd,
  lineStart,
  memberChanges,
  parsingOnce,
  removeItem,
  reparse,
  requireSame,
  splitMark,
  withoutLines,
} from './text-edits.ts';
import {
  inlinePlace,
  type Keys,
  keysOf,
  parseToml,
  piecesOf,
  type TomlKind,
  type TomlPiece,
  type TomlTree,
  tomlKey,
  tomlListed,
  tomlTable,
  tomlValue,
  tomlValues,
} from './toml-tree.ts';

/**
 * Finds the strings and comments in a TOML text. Throws if it does not parse.
 *
 * @param listKey key of a list whose tables are identified by their names instead of their indices
 */
export const tomlContents = (body: string, listKey?: string): Contents => {
  const ast = parseTOML(body);
  const found = (ast.body[0]?.body ?? []).flatMap(node =>
    node.type === 'TOMLTable' ? node.body.flatMap(pair => valuesIn(pair, node.resolvedKey)) : valuesIn(node, []),
  );
  const list = listKey === undefined ? undefined : tomlValues(ast)[listKey];
  const named = (path: Path): Path => {
    const [root, index, ...within] = path;
    if (root === undefined || root !== listKey || typeof index !== 'number' || !Array.isArray(list)) return path;
    const name: unknown = list[index]?.name;
    return typeof name === 'string' ? [root, name, ...within] : path;
  };
  const values = listKey === undefined ? found : found.map(({path, ...range}) => ({...range, path: named(path)}));
  return {values, comments: ast.comments.map(({range: [start, end]}) => ({start, end}))};
};

const valuesIn = ({key, value}: AST.TOMLKeyValue, above: Path): Contents['values'] =>
  textsIn(value, [...above, ...keysOf(key)]);

const textsIn = (node: AST.TOMLContentNode, path: Path): Contents['values'] => {
  if (node.type === 'TOMLInlineTable') return node.body.flatMap(pair => valuesIn(pair, path));
  if (node.type === 'TOMLArray') return node.elements.flatMap((element, index) => textsIn(element, [...path, index]));
  return node.kind === 'string' ? [{path, start: node.range[0], end: node.range[1]}] : [];
};

/**
 * Creates the editor for TOML files.
 *
 * @param key of the table or list that holds the entries
 */
export const tomlEditor = (key: string, kind: TomlKind = 'map'): Editor => {
  const parseAnew = (text: string, path: string) => parseToml(text, key, path, kind);
  const parse = parsingOnce(parseAnew);

  /** Changes one entry after the other, so that each edit is made in a text that parses. */
  const change = (text: string, changes: Readonly<Record<string, object | undefined>>, path: string): string => {
    const {values} = parse(text, path);
    let edited = text;
    for (const [name, entry] of Object.entries(changes)) {
      if (isSameValue(values.entries[name], entry)) continue;
      const text = edited;
      edited = reparse(() => (entry ? withEntry(text, name, entry, path) : without(text, name, [], path)), path);
    }
    if (edited !== text) requireSame(values, () => parse(edited, path).values, changes, path);
    return edited;
  };

  /** Returns the keys that lead to a member of an entry; undefined if the list has no entry of that name. */
  const keysTo = ({names}: TomlTree, name: string, within: readonly string[]): Keys | undefined => {
    if (kind === 'map') return [key, name, ...within];
    const index = names.indexOf(name);
    return index < 0 ? undefined : [key, index, ...within];
  };

  const piecesAt = (tree: TomlTree, name: string, within: readonly string[]): readonly TomlPiece[] => {
    const keys = keysTo(tree, name, within);
    return keys ? piecesOf(tree, keys) : [];
  };

  const withEntry = (text: string, name: string, entry: object, path: string): string => {
    const changed = withMembers(text, name, entry, path);
    if (changed !== undefined) return changed;
    const tree = parse(text, path);
    const [first, ...others] = piecesAt(tree, name, []);
    const table = kind === 'map' ? tomlTable([key, name], entry) : tomlListed(key, {name, ...entry});
    const lines = table.join(eolOf(text));
    if (first?.kind === 'table' && first.isWhole) {
      const put = {start: lineStart(text, first.start), end: lineEnd(text, first.end), put: lines};
      return applyEdits(text, [put, ...others.flatMap(piece => removal(text, piece))]);
    }
    if (first) return withEntry(without(text, name, [], path), name, entry, path);
    const inline = inlinePlace(tree, key);
    if (!inline) return appended(text, lines);
    const item = kind === 'map' ? `${tomlKey(name)} = ${tomlValue(entry)}` : tomlValue({name, ...entry});
    return applyEdits(text, [insertFirst(text, bracketsOf(inline), item)]);
  };

  /**
   * Removes an entry or member, which may be spread over several places. Removes one place at a time, and parses the
   * text again before the next.
   */
  const without = (text: string, name: string, within: readonly string[], path: string): string => {
    const piece = piecesAt(parse(text, path), name, within).at(-1);
    return piece ? without(applyEdits(text, removal(text, piece)), name, within, path) : text;
  };

  /**
   * Changes an entry that shares members with the wanted one, member by member, so that the text between them stays.
   * Returns undefined if the form in which it is written does not allow that.
   */
  const withMembers = (text: string, name: string, entry: object, path: string): string | undefined => {
    const present = parse(text, path).values.entries[name];
    if (!isRecord(present) || !haveCommonMembers(present, entry)) return undefined;
    let edited = text;
    for (const change of memberChanges(present, entry as Readonly<Record<string, unknown>>)) {
      const next =
        'value' in change
          ? withValue(edited, name, change.path, change.value, path)
          : without(edited, name, change.path, path);
      if (next === undefined) return undefined;
      edited = next;
    }
    // Removing the last member may have removed the table with it.
    return isSameValue(parse(edited, path).values.entries[name], entry) ? edited : undefined;
  };

  const withValue = (
    text: string,
    name: string,
    within: readonly string[],
    value: unknown,
    path: string,
  ): string | undefined => {
    const tree = parse(text, path);
    const [piece, ...others] = piecesAt(tree, name, within);
    if (others.length > 0) return undefined;
    const pair =
      piece?.kind === 'line' ? piece.pair : piece?.kind === 'item' ? piece.table.body[piece.index] : undefined;
    if (pair) {
      const [start, end] = pair.value.range;
      return applyEdits(text, [{start, end, put: tomlValue(value)}]);
    }
    if (piece) return undefined;
    const line = `${tomlKey(within.at(-1) ?? '')} = ${tomlValue(value)}`;
    const above = piecesAt(tree, name, within.slice(0, -1));
    const table = above.find(one => one.kind === 'table' && one.isWhole);
    if (table?.kind === 'table') {
      const at = lineEnd(text, table.end);
      return applyEdits(text, [{start: at, end: at, put: eolOf(text) + line}]);
    }
    const [only] = above;
    const inner = only && contentOf(only);
    if (above.length !== 1 || inner?.type !== 'TOMLInlineTable') return undefined;
    return applyEdits(text, [insertFirst(text, bracketsOf(inner), line)]);
  };

  const contents = (body: string) => tomlContents(body, kind === 'list' ? key : undefined);

  const editor: Editor = {
    read: (text, path) => parseAnew(splitMark(text)[1], path).values.entries,
    made: (text, path) => {
      const [, body] = splitMark(text);
      parse(body, path);
      return isBlank(body) ? {kind: 'contents', text} : {kind: 'nothing'};
    },
    set: (text, entries, path) => {
      const [mark, body] = splitMark(text);
      const after = change(isBlank(body) ? '' : body, entries, path);
      if (Object.keys(entries).length === 0) return text;
      return mark + (isBlank(body) ? after.replaceAll('\n', eolOf(body)) : after);
    },
    remove: (text, names, path, made) => {
      const [mark, body] = splitMark(text);
      const after = change(body, absentEntries(names), path);
      return made?.kind === 'contents' && isBlank(after) ? made.text : mark + after;
    },
    textsOf: (text, name) => textsOfEntry(text, contents, key, name),
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, contents, allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'TOML', tomlDepth);
};

/** Adds a table at the end of the file, after an empty line. A file without a final newline gets none. */
const appended = (text: string, lines: string): string => {
  const eol = eolOf(text);
  if (text === '') return lines + eol;
  return text.endsWith('\n') ? text + eol + lines + eol : text + eol + eol + lines;
};

const removal = (text: string, piece: TomlPiece): readonly Edit[] => {
  if (piece.kind === 'item') return removeItem(text, bracketsOf(piece.table), piece.index);
  if (piece.kind === 'element') return removeItem(text, bracketsOf(piece.list), piece.index);
  const edit = withoutLines(text, piece.start, piece.end);
  if (piece.kind === 'line') return [edit];
  const line = lineStart(text, piece.start);
  const before = beforeNewline(text, line);
  // The empty line before a table belongs to the table.
  const isEmptyBefore = line > 0 && lineStart(text, before) === before;
  return [isEmptyBefore ? {...edit, start: beforeNewline(text, edit.start)} : edit];
};

/** Returns the value after a key, or the element of a list. */
const contentOf = (piece: TomlPiece): AST.TOMLContentNode | undefined => {
  if (piece.kind === 'line') return piece.pair.value;
  if (piece.kind === 'item') return piece.table.body[piece.index]?.value;
  return piece.kind === 'element' ? piece.list.elements[piece.index] : undefined;
};

const bracketsOf = (node: AST.TOMLInlineTable | AST.TOMLArray): Brackets => {
  const items: readonly {readonly range: readonly [number, number]}[] =
    node.type === 'TOMLInlineTable' ? node.body : node.elements;
  return {start: node.range[0], items: items.map(({range: [start, end]}) => ({start, end}))};
};
