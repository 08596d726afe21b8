import {type AST, ParseError, parseTOML} from 'toml-eslint-parser';
import type {Entries} from '../formats/entry-format.ts';
import {refuse, refuseConflict, type Values} from './text-edits.ts';

type Table = Record<string, unknown>;

/**
 * Returns a TOML text as values. Tables have no prototype: with a key `__proto__`, the parser's own conversion would
 * write to the prototype of all objects, so that a file could give a member to every object of this program.
 */
export const tomlValues = (ast: AST.TOMLProgram): Readonly<Table> => {
  const root = table();
  for (const node of ast.body[0]?.body ?? []) {
    if (node.type === 'TOMLKeyValue') put(root, node);
    else {
      const above = placeOf(root, node.resolvedKey);
      for (const pair of node.body) put(above, pair);
    }
  }
  return root;
};

const table = (): Table => Object.create(null);

/** Returns the table at this place, and creates the path to it. A number is an index in an array of tables. */
const placeOf = (root: Table, keys: readonly (string | number)[]): Table => {
  let at: Table | unknown[] = root;
  for (const [index, key] of keys.entries()) {
    const found: unknown = memberOf(at, key);
    const next: Table | unknown[] = isPlace(found) ? found : typeof keys[index + 1] === 'number' ? [] : table();
    if (next !== found)
      Object.defineProperty(at, key, {value: next, enumerable: true, writable: true, configurable: true});
    at = next;
  }
  return at as Table;
};

const memberOf = (at: Table | unknown[], key: string | number): unknown =>
  Object.hasOwn(at, key) ? (at as Table)[key] : undefined;

const isPlace = (value: unknown): value is Table | unknown[] =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const put = (above: Table, {key, value}: AST.TOMLKeyValue): void => {
  const keys = keysOf(key);
  const last = keys.at(-1);
  if (last !== undefined) placeOf(above, keys.slice(0, -1))[last] = valueIn(value);
};

const valueIn = (node: AST.TOMLContentNode): unknown => {
  if (node.type === 'TOMLArray') return node.elements.map(valueIn);
  if (node.type !== 'TOMLInlineTable') return node.value;
  const values = table();
  for (const pair of node.body) put(values, pair);
  return values;
};

/** Returns the parts of a key, dotted or not, without quotes. */
export const keysOf = ({keys}: AST.TOMLKey): readonly string[] =>
  keys.map(part => (part.type === 'TOMLBare' ? part.name : part.value));

/** The form of the entries: tables in a table, or a list of tables that each have a `name`. */
export type TomlKind = 'map' | 'list';

export type TomlTree = {
  readonly ast: AST.TOMLProgram;
  readonly values: Values;
  /** The names in a list, in order; undefined for a table without a name. */
  readonly names: readonly (string | undefined)[];
};

/** Keys of tables, and indices in lists. */
export type Keys = readonly (string | number)[];

/** A part of an entry: a table, a line `key = value`, an item of an inline table, or an element of a list. */
export type TomlPiece =
  | {readonly kind: 'table'; readonly start: number; readonly end: number; readonly isWhole: boolean}
  | {readonly kind: 'line'; readonly start: number; readonly end: number; readonly pair: AST.TOMLKeyValue}
  | {readonly kind: 'item'; readonly table: AST.TOMLInlineTable; readonly index: number}
  | {readonly kind: 'element'; readonly list: AST.TOMLArray; readonly index: number};

/**
 * Parses a file and finds its entries.
 *
 * @throws SetupError `local-file-invalid`
 */
export const parseToml = (text: string, key: string, path: string, kind: TomlKind = 'map'): TomlTree => {
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

/** Returns all parts of the value that these keys lead to, in whichever form they are written. */
export const piecesOf = ({ast}: TomlTree, wanted: Keys): readonly TomlPiece[] => {
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

/** Returns the value that holds all entries, if it is written in brackets. */
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

const piecesIn = (pair: AST.TOMLKeyValue, above: Keys, wanted: Keys): readonly TomlPiece[] => {
  const keys = [...above, ...keysOf(pair.key)];
  if (isPrefix(wanted, keys)) return [{kind: 'line', start: pair.range[0], end: pair.range[1], pair}];
  return isPrefix(keys, wanted) ? piecesInside(pair.value, keys, wanted) : [];
};

const piecesInside = (value: AST.TOMLContentNode, keys: Keys, wanted: Keys): readonly TomlPiece[] => {
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

/** A table ends with its last value, before any comments that follow. */
const endOf = ({body, key}: AST.TOMLTable) => body.at(-1)?.range[1] ?? key.range[1] + 1;

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const isTables = (value: unknown): value is readonly object[] => Array.isArray(value) && value.every(isTable);

const nameOf = (item: object): string | undefined => {
  const {name} = item as {readonly name?: unknown};
  return typeof name === 'string' ? name : undefined;
};

/** Returns the tables of a list by their names, each without its `name`. */
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

/** Returns a value of an entry as TOML: strings, numbers, booleans, lists, and maps as inline tables (TOML 1.0). */
export const tomlValue = (value: unknown): string => {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = pairsOf(value);
  return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}';
};

/** Returns a key, quoted if necessary. */
export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : basicString(key));

/** Returns the lines of a table: its header and its values. */
export const tomlTable = (keys: readonly string[], entry: object): readonly string[] => [
  `[${keys.map(tomlKey).join('.')}]`,
  ...pairsOf(entry),
];

/** Returns the lines of a table in a list. */
export const tomlListed = (key: string, entry: object): readonly string[] => [`[[${tomlKey(key)}]]`, ...pairsOf(entry)];

const pairsOf = (value: object): readonly string[] =>
  Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);

/** Returns a string, as a literal if it contains backslashes or double quotes, like Windows paths and command lines. */
const tomlString = (text: string) =>
  /["\\]/.test(text) && !/['\u0000-\u001f\u007f]/.test(text) ? `'${text}'` : basicString(text);

/** JSON escapes everything that TOML requires, except one control character. */
const basicString = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
