import {type AST, ParseError, parseTOML} from 'toml-eslint-parser';
import type {Entries} from '../../formats/entry-format.ts';
import {refuse, refuseConflict, type Values} from '../text-edits.ts';
import {keysOf, tomlValues} from './toml-values.ts';

/** Whether the entries are tables in a table, or a list of tables that each have a `name`. */
export type Kind = 'map' | 'list';

export type TomlTree = {
  readonly ast: AST.TOMLProgram;
  readonly values: Values;
  /** The names in a list, in their order; undefined for a table without one. */
  readonly names: readonly (string | undefined)[];
};

/** Keys of tables, and places in lists. */
export type Keys = readonly (string | number)[];

/**
 * A part of an entry: a table, a line `key = value`, an item between the brackets of an inline table, or an element between
 * those of a list.
 */
export type Piece =
  | {readonly kind: 'table'; readonly start: number; readonly end: number; readonly isWhole: boolean}
  | {readonly kind: 'line'; readonly start: number; readonly end: number; readonly pair: AST.TOMLKeyValue}
  | {readonly kind: 'item'; readonly table: AST.TOMLInlineTable; readonly index: number}
  | {readonly kind: 'element'; readonly list: AST.TOMLArray; readonly index: number};

/** @throws SetupError `local-file-invalid` */
export const parseToml = (text: string, key: string, path: string, kind: Kind = 'map'): TomlTree => {
  refuseConflict(text, path);
  try {
    const ast = parseTOML(text);
    const {[key]: place = kind === 'map' ? {} : [], ...rest} = tomlValues(ast);
    const at = () => offsetOf(ast, key);
    if (kind === 'list') {
      if (!isTables(place)) throw refuse(path, `cannot hold MCP servers: “${key}” is not a list of tables`, text, at());
      const names = place.map(nameOf);
      const twice = names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
      if (twice !== undefined) throw refuse(path, `contains the name “${twice}” twice`, text, at());
      return {
        ast,
        names,
        values: {rest: {rest, unnamed: place.filter(one => nameOf(one) === undefined)}, entries: namedIn(place)},
      };
    }
    if (!isTable(place)) throw refuse(path, `cannot hold MCP servers: “${key}” is not a table`, text, at());
    return {ast, names: [], values: {rest, entries: Object.assign(Object.create(null), place) as Entries}};
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause;
    const isTwice = cause.message.startsWith('Defining a key multiple times');
    const what = isTwice ? `defines “${wordAt(text, cause.index)}” twice` : 'is not valid TOML';
    throw refuse(path, what, text, cause.index, cause);
  }
};

/** Everything that makes up what these keys lead to, however it is written. */
export const piecesOf = ({ast}: TomlTree, wanted: Keys): readonly Piece[] => {
  return (ast.body[0]?.body ?? []).flatMap(node => {
    if (node.type === 'TOMLKeyValue') return piecesIn(node, [], wanted);
    const {resolvedKey} = node;
    if (isPrefix(wanted, resolvedKey)) {
      const isWhole = resolvedKey.length === wanted.length;
      return [{kind: 'table', start: node.range[0], end: endOf(node), isWhole} as const];
    }
    return node.body.flatMap(pair => piecesIn(pair, resolvedKey, wanted));
  });
};

/** The place of all entries, where it is written between brackets. */
export const inlinePlace = ({ast}: TomlTree, key: string): AST.TOMLInlineTable | AST.TOMLArray | undefined => {
  for (const node of ast.body[0]?.body ?? []) {
    if (node.type !== 'TOMLKeyValue' || !(node.value.type === 'TOMLInlineTable' || node.value.type === 'TOMLArray')) {
      continue;
    }
    const keys = keysOf(node.key);
    if (keys.length === 1 && keys[0] === key) return node.value;
  }
  return undefined;
};

const piecesIn = (pair: AST.TOMLKeyValue, above: Keys, wanted: Keys): readonly Piece[] => {
  const keys = [...above, ...keysOf(pair.key)];
  if (isPrefix(wanted, keys)) return [{kind: 'line', start: pair.range[0], end: pair.range[1], pair}];
  return isPrefix(keys, wanted) ? piecesInside(pair.value, keys, wanted) : [];
};

const piecesInside = (value: AST.TOMLContentNode, keys: Keys, wanted: Keys): readonly Piece[] => {
  if (value.type === 'TOMLInlineTable') {
    return value.body.flatMap((item, index) =>
      piecesIn(item, keys, wanted).map(piece => (piece.kind === 'line' ? {kind: 'item', table: value, index} : piece)),
    );
  }
  const index = wanted[keys.length];
  const element = value.type === 'TOMLArray' && typeof index === 'number' ? value.elements[index] : undefined;
  if (value.type !== 'TOMLArray' || typeof index !== 'number' || !element) return [];
  const inside = [...keys, index];
  return inside.length === wanted.length
    ? [{kind: 'element', list: value, index}]
    : piecesInside(element, inside, wanted);
};

const isPrefix = (prefix: Keys, keys: Keys) => prefix.every((key, index) => keys[index] === key);

/** A table ends with its last value, before the comments that follow. */
const endOf = ({body, key}: AST.TOMLTable) => body.at(-1)?.range[1] ?? key.range[1] + 1;

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const isTables = (value: unknown): value is readonly object[] => Array.isArray(value) && value.every(isTable);

const nameOf = (item: object): string | undefined => {
  const {name} = item as {readonly name?: unknown};
  return typeof name === 'string' ? name : undefined;
};

/** The tables of a list by their names, each without it. */
const namedIn = (list: readonly object[]): Entries => {
  const entries: Record<string, unknown> = Object.create(null);
  for (const item of list) {
    const name = nameOf(item);
    if (name === undefined) continue;
    const {name: _, ...entry} = item as Record<string, unknown>;
    entries[name] = Object.assign(Object.create(null), entry);
  }
  return entries;
};

const offsetOf = (ast: AST.TOMLProgram, key: string): number =>
  (ast.body[0]?.body ?? []).find(({key: own}) => keysOf(own)[0] === key)?.range[0] ?? 0;

const wordAt = (text: string, at: number) => /^[^\s=\].]+/.exec(text.slice(at))?.[0] ?? '';
