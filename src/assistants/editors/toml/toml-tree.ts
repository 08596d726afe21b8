import {type AST, ParseError, parseTOML} from 'toml-eslint-parser';
import type {Entries} from '../../formats/entry-format.ts';
import {refuse, refuseConflict, type Values} from '../text-edits.ts';
import {keysOf, tomlValues} from './toml-values.ts';

export type TomlTree = {readonly ast: AST.TOMLProgram; readonly values: Values};

/** A part of an entry: a table, a line `key = value`, or an item between the brackets of an inline table. */
export type Piece =
  | {readonly kind: 'table'; readonly start: number; readonly end: number; readonly isWhole: boolean}
  | {readonly kind: 'line'; readonly start: number; readonly end: number; readonly pair: AST.TOMLKeyValue}
  | {readonly kind: 'item'; readonly table: AST.TOMLInlineTable; readonly index: number};

/** @throws SetupError `local-file-invalid` */
export const parseToml = (text: string, key: string, path: string): TomlTree => {
  refuseConflict(text, path);
  try {
    const ast = parseTOML(text);
    const {[key]: map = {}, ...rest} = tomlValues(ast);
    if (!isTable(map)) throw refuse(path, `cannot hold MCP servers: “${key}” is not a table`, text, offsetOf(ast, key));
    return {ast, values: {rest, entries: Object.assign(Object.create(null), map) as Entries}};
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause;
    const isTwice = cause.message.startsWith('Defining a key multiple times');
    const what = isTwice ? `defines “${wordAt(text, cause.index)}” twice` : 'is not valid TOML';
    throw refuse(path, what, text, cause.index, cause);
  }
};

/** Everything that makes up what these keys lead to, however it is written. */
export const piecesOf = ({ast}: TomlTree, wanted: readonly string[]): readonly Piece[] => {
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

/** The map itself, where it is an inline table. */
export const inlineMap = ({ast}: TomlTree, key: string): AST.TOMLInlineTable | undefined => {
  for (const node of ast.body[0]?.body ?? []) {
    if (node.type !== 'TOMLKeyValue' || node.value.type !== 'TOMLInlineTable') continue;
    const keys = keysOf(node.key);
    if (keys.length === 1 && keys[0] === key) return node.value;
  }
  return undefined;
};

type Keys = readonly (string | number)[];

const piecesIn = (pair: AST.TOMLKeyValue, above: Keys, wanted: readonly string[]): readonly Piece[] => {
  const keys = [...above, ...keysOf(pair.key)];
  if (isPrefix(wanted, keys)) return [{kind: 'line', start: pair.range[0], end: pair.range[1], pair}];
  if (!isPrefix(keys, wanted) || pair.value.type !== 'TOMLInlineTable') return [];
  const table = pair.value;
  return table.body.flatMap((item, index) =>
    piecesIn(item, keys, wanted).map(piece => (piece.kind === 'line' ? {kind: 'item', table, index} : piece)),
  );
};

const isPrefix = (prefix: Keys, keys: Keys) => prefix.every((key, index) => keys[index] === key);

/** A table ends with its last value, before the comments that follow. */
const endOf = ({body, key}: AST.TOMLTable) => body.at(-1)?.range[1] ?? key.range[1] + 1;

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const offsetOf = (ast: AST.TOMLProgram, key: string): number =>
  (ast.body[0]?.body ?? []).find(({key: own}) => keysOf(own)[0] === key)?.range[0] ?? 0;

const wordAt = (text: string, at: number) => /^[^\s=\].]+/.exec(text.slice(at))?.[0] ?? '';
