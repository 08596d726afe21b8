import {isSameValue} from '../../../json.ts';
import type {Editor} from '../../formats/entry-format.ts';
import {tomlDepth} from '../bracket-depth.ts';
import {insertFirst, removeItem} from '../brackets.ts';
import {allButEntries, mask} from '../mask.ts';
import {withinLimits} from '../parse-limits.ts';
import {
  absentEntries,
  applyEdits,
  beforeNewline,
  type Edit,
  eolOf,
  isBlank,
  lineEnd,
  lineStart,
  reparse,
  requireSame,
  splitMark,
  withoutLines,
} from '../text-edits.ts';
import {tomlContents} from './toml-contents.ts';
import {tomlKey, tomlTable, tomlValue} from './toml-text.ts';
import {inlineMap, type Piece, parseToml, piecesOf} from './toml-tree.ts';

/** @param key of the table that holds the entries */
export const tomlEditor = (key: string): Editor => {
  const parse = (text: string, path: string) => parseToml(text, key, path);

  /** One entry after the other: each edit is made in a text that parses. */
  const change = (text: string, changes: Readonly<Record<string, object | undefined>>, path: string): string => {
    const {values} = parse(text, path);
    let edited = text;
    for (const [name, entry] of Object.entries(changes)) {
      if (isSameValue(values.entries[name], entry)) continue;
      const text = edited;
      edited = reparse(() => (entry ? withEntry(text, name, entry, path) : withoutEntry(text, name, path)), path);
    }
    if (edited !== text) requireSame(values, () => parse(edited, path).values, changes, path);
    return edited;
  };

  const withEntry = (text: string, name: string, entry: object, path: string): string => {
    const tree = parse(text, path);
    const [first, ...others] = piecesOf(tree, key, name);
    const lines = tomlTable([key, name], entry).join(eolOf(text));
    if (first?.kind === 'table' && first.isWhole) {
      const put = {start: lineStart(text, first.start), end: lineEnd(text, first.end), put: lines};
      return applyEdits(text, [put, ...others.flatMap(piece => removal(text, piece))]);
    }
    if (first) return withEntry(withoutEntry(text, name, path), name, entry, path);
    const inline = inlineMap(tree, key);
    if (!inline) return appended(text, lines);
    return applyEdits(text, [insertFirst(text, bracketsOf(inline), `${tomlKey(name)} = ${tomlValue(entry)}`)]);
  };

  /** An entry may lie in several places; each is looked up in a text without the one before. */
  const withoutEntry = (text: string, name: string, path: string): string => {
    const piece = piecesOf(parse(text, path), key, name).at(-1);
    return piece ? withoutEntry(applyEdits(text, removal(text, piece)), name, path) : text;
  };

  const editor: Editor = {
    read: (text, path) => parse(splitMark(text)[1], path).values.entries,
    made: (text, path) => {
      const [, body] = splitMark(text);
      parse(body, path);
      return isBlank(body) ? {kind: 'contents', text} : {kind: 'nothing'};
    },
    set: (text, entries, path) => {
      const [mark, body] = splitMark(text);
      const after = change(isBlank(body) ? '' : body, entries, path);
      return Object.keys(entries).length === 0 ? text : mark + after;
    },
    remove: (text, names, path, made) => {
      const [mark, body] = splitMark(text);
      const after = change(body, absentEntries(names), path);
      return made?.kind === 'contents' && isBlank(after) ? made.text : mark + after;
    },
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, tomlContents, allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'TOML', tomlDepth);
};

/** A table at the end of the file, after an empty line. What has no final newline gets none. */
const appended = (text: string, lines: string): string => {
  const eol = eolOf(text);
  if (text === '') return lines + eol;
  return text.endsWith('\n') ? text + eol + lines + eol : text + eol + eol + lines;
};

const removal = (text: string, piece: Piece): readonly Edit[] => {
  if (piece.kind === 'item') return removeItem(text, bracketsOf(piece.table), piece.index);
  const edit = withoutLines(text, piece.start, piece.end);
  if (piece.kind === 'line') return [edit];
  const line = lineStart(text, piece.start);
  const before = beforeNewline(text, line);
  // The empty line before a table belongs to it.
  const isEmptyBefore = line > 0 && lineStart(text, before) === before;
  return [isEmptyBefore ? {...edit, start: beforeNewline(text, edit.start)} : edit];
};

const bracketsOf = ({
  range,
  body,
}: {
  range: readonly [number, number];
  body: readonly {range: readonly [number, number]}[];
}) => ({
  start: range[0],
  items: body.map(({range: [start, end]}) => ({start, end})),
});
