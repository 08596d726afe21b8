import {
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  Parser,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {withoutPrototypes} from '../../json.ts';
import type {Entries} from '../formats/entry-format.ts';
import type {Contents, Path} from './mask.ts';
import {DEEPEST} from './parse-limits.ts';
import {refuse, refuseConflict, type Values} from './text-edits.ts';

export type YamlKind = 'map' | 'list';

/** The range of one entry: from its beginning to the end of its last value. */
export type Item = {readonly start: number; readonly end: number; readonly name: string | undefined};

/** A parsed YAML file. `own` is absent if it has no place for entries yet. */
export type YamlTree = {
  readonly values: Values;
  /** Undefined if the file is empty. */
  readonly root: YAMLMap | undefined;
  readonly own?: {
    /** The offset of the key. */
    readonly start: number;
    readonly keyEnd: number;
    /** Absent if the key has no value. */
    readonly collection?: YAMLMap | YAMLSeq;
    /** The range of `null` or `~` after the key, if it is written. */
    readonly nothing?: readonly [start: number, end: number, ...rest: number[]];
    readonly items: readonly Item[];
  };
};

/**
 * Parses a file and finds the place of its entries.
 *
 * @throws SetupError `local-file-invalid`
 */
export const parseYaml = (text: string, key: string, kind: YamlKind, path: string): YamlTree => {
  refuseConflict(text, path);
  // The parser's own check compares each key with every other key of its map, which is slow; `duplicateIn` replaces it.
  const document = parseDocument(text, {uniqueKeys: false});
  const [error] = document.errors;
  if (error) throw refuse(path, 'is not valid YAML', text, error.pos[0], error);
  const twice = error ? undefined : duplicateIn(document);
  if (twice !== undefined) throw refuse(path, `contains the key “${wordAt(text, twice)}” twice`, text, twice);
  const root = document.contents;
  const isEmpty = root === null || (isScalar(root) && root.value === null);
  if (isEmpty) return {values: valuesIn(() => ({}), key, kind, text, path), root: undefined};
  if (!isMap(root)) throw refuse(path, 'cannot be changed: its root is not a map', text, root.range?.[0] ?? 0);
  const values = valuesIn(() => document.toJS(), key, kind, text, path);
  const pair = root.items.find(item => isScalar(item.key) && item.key.value === key);
  return pair ? {values, root, own: ownOf(pair, key, kind, text, path)} : {values, root};
};

const valuesIn = (toJS: () => unknown, key: string, kind: YamlKind, text: string, path: string): Values => {
  try {
    const {[key]: value, ...rest} = withoutPrototypes(toJS()) as Record<string, unknown>;
    if (kind === 'map') return {rest, entries: Object.assign(Object.create(null), value)};
    const list = Array.isArray(value) ? value : [];
    return {rest: {rest, unnamed: list.filter(item => nameOf(item) === undefined)}, entries: namedIn(list)};
  } catch (cause) {
    // An alias without an anchor, or a few aliases that would expand to a very large value.
    throw refuse(path, 'is not valid YAML', text, 0, cause);
  }
};

/** Returns the items of a list by their names, each without its `name`. */
const namedIn = (list: readonly unknown[]): Entries => {
  const entries: Record<string, unknown> = Object.create(null);
  for (const item of list) {
    const name = nameOf(item);
    if (name === undefined) continue;
    const {name: _, ...entry} = item as Record<string, unknown>;
    entries[name] = Object.assign(Object.create(null), entry);
  }
  return entries;
};

const nameOf = (item: unknown): string | undefined => {
  const {name} = (item ?? {}) as {name?: unknown};
  return typeof name === 'string' ? name : undefined;
};

const ownOf = (pair: Pair, key: string, kind: YamlKind, text: string, path: string): NonNullable<YamlTree['own']> => {
  const [start, keyEnd] = isScalar(pair.key) && pair.key.range ? pair.key.range : [0, 0];
  const {value} = pair;
  const isNothing = value === null || (isScalar(value) && value.value === null && !value.anchor && !value.tag);
  if (isNothing) {
    const written = isScalar(value) && value.source !== '' && value.range ? {nothing: value.range} : {};
    return {start, keyEnd, items: [], ...written};
  }
  const isRight = kind === 'map' ? isMap(value) : isSeq(value);
  if (!isRight || !isCollection(value) || isAlias(value)) {
    throw refuse(path, `cannot be changed: “${key}” is not a ${kind}`, text, start);
  }
  const collection = value as YAMLMap | YAMLSeq;
  const items = collection.items.map(item => itemOf(item, text));
  const seen = new Set<string>();
  for (const {name, start: at} of items) {
    if (name === undefined) continue;
    if (seen.has(name)) throw refuse(path, `contains the name “${name}” twice`, text, at);
    seen.add(name);
  }
  return {start, keyEnd, collection, items};
};

/** Returns the value of an entry. */
export const entryNode = ({own}: YamlTree, name: string, kind: YamlKind): unknown => {
  const items: readonly unknown[] = own?.collection?.items ?? [];
  if (kind === 'list') return items.find(item => isMap(item) && item.get('name') === name);
  const pair = items.find(item => isPair(item) && isScalar(item.key) && String(item.key.value) === name);
  return isPair(pair) ? pair.value : undefined;
};

export const itemOf = (item: unknown, text: string): Item => {
  const end = endOf(item, text);
  if (isPair(item)) {
    const start = isScalar(item.key) ? (item.key.range?.[0] ?? 0) : 0;
    return {start, end, name: isScalar(item.key) ? String(item.key.value) : undefined};
  }
  const name = isMap(item) ? item.get('name') : undefined;
  const start = isCollection(item) || isScalar(item) || isAlias(item) ? (item.range?.[0] ?? 0) : 0;
  return {start, end, name: typeof name === 'string' ? name : undefined};
};

/** Returns the position after the last value in a node, before the comments and newlines that follow. */
const endOf = (node: unknown, text: string): number => {
  if (isPair(node)) return node.value === null ? endOf(node.key, text) : endOf(node.value, text);
  if (isCollection(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1), text);
  const range = isCollection(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  let end = range?.[1] ?? 0;
  while (/\s/.test(text[end - 1] ?? '')) end -= 1;
  return end;
};

/**
 * Returns the offset of a key that its map already has. Walks the nodes with a list, which takes a fraction of the time
 * of the library's visitor.
 */
const duplicateIn = ({contents}: Document): number | undefined => {
  const left: unknown[] = [contents];
  while (left.length > 0) {
    const node = left.pop();
    if (isPair(node)) left.push(node.value, node.key);
    if (!isCollection(node)) continue;
    const seen = new Set<unknown>();
    for (const item of node.items.toReversed()) left.push(item);
    for (const item of isMap(node) ? node.items : []) {
      const {key} = item;
      if (!isScalar(key) || key.value === '<<') continue;
      if (seen.has(key.value)) return key.range?.[0] ?? 0;
      seen.add(key.value);
    }
  }
  return undefined;
};

const wordAt = (text: string, at: number) => /^[^\s:]+/.exec(text.slice(at))?.[0] ?? '';

/**
 * Finds the values and comments in a YAML text. Returns undefined if it does not parse. Numbers are included: an
 * unquoted secret of digits is a number.
 *
 * @param listKey key of a list whose items are identified by their names instead of their indices
 */
export const yamlContents = (body: string, listKey?: string): Contents | undefined => {
  const document = parseDocument(body, {uniqueKeys: false});
  if (document.errors.length > 0) return undefined;
  const values = textsIn(document.contents, [], listKey).map(({path, start, end}) => {
    // The range of a multi-line string includes the newlines after it.
    const after = /\s*$/.exec(body.slice(start, end))?.[0] ?? '';
    return {path, start, end: end - after.length};
  });
  return {values, comments: [...new Parser().parse(body)].flatMap(commentsIn)};
};

/** @param listKey key of a list whose items are identified by their names */
const textsIn = (node: unknown, path: Path, listKey: string | undefined): Contents['values'] => {
  if (isPair(node)) {
    return textsIn(node.value, [...path, isScalar(node.key) ? String(node.key.value) : ''], listKey);
  }
  if (isCollection(node)) {
    const isNamed = listKey !== undefined && path.length === 1 && path[0] === listKey;
    return node.items.flatMap((item, index) => {
      if (isPair(item)) return textsIn(item, path, listKey);
      const name = isNamed && isMap(item) ? item.get('name') : undefined;
      return textsIn(item, [...path, typeof name === 'string' ? name : index], listKey);
    });
  }
  if (!isScalar(node) || !node.range || node.value === null || typeof node.value === 'boolean') return [];
  return [{path, start: node.range[0], end: node.range[1]}];
};

/** Comments have no nodes; they are found among the tokens. */
const commentsIn = (token: unknown): Contents['comments'] => {
  if (Array.isArray(token)) return token.flatMap(commentsIn);
  if (typeof token !== 'object' || token === null) return [];
  const {type, offset, source} = token as {type?: unknown; offset?: unknown; source?: unknown};
  if (type === 'comment' && typeof offset === 'number' && typeof source === 'string') {
    return [{start: offset, end: offset + source.length}];
  }
  return Object.values(token).flatMap(commentsIn);
};

/**
 * Returns an upper bound for how deeply the lists and maps of a YAML text are nested. If only a few characters in it
 * can open a level, each of them is taken for a level, because an exact answer would take as long as all other work on
 * a small file. Otherwise the levels are counted in the tokens, because that part of the parser does not recurse; every
 * later part recurses for each level.
 */
export const yamlDepth = (text: string): number => {
  const signs = text.match(/[[{:?-]/g)?.length ?? 0;
  if (signs <= DEEPEST) return signs;
  let deepest = 0;
  const left: (readonly [token: CST.Token | null | undefined, depth: number])[] = [];
  for (const token of new Parser().parse(text)) left.push([token, 0]);
  for (let next = left.pop(); next; next = left.pop()) {
    const [token, depth] = next;
    if (!token) continue;
    if (token.type === 'document') left.push([token.value, depth]);
    if (!('items' in token)) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const {key, value} of token.items) left.push([key, depth + 1], [value, depth + 1]);
  }
  return deepest;
};
