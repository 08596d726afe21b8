import {type Node, type ParseError, parseTree, printParseErrorCode} from 'jsonc-parser';
import type {Entries} from '../../formats/entry-format.ts';
import {refuse, refuseConflict, type Values} from '../text-edits.ts';
import type {JsonDialect} from './json-dialect.ts';

/** A key and its value. */
export type Property = {readonly start: number; readonly end: number; readonly key: string; readonly value: Node};

/** An object: from its opening bracket to behind its closing one. */
export type Container = {readonly start: number; readonly end: number; readonly properties: readonly Property[]};

/** A JSON file with a place for entries in it, unless there is none yet. */
export type JsonTree = {readonly root: Container; readonly own?: Property; readonly map?: Container};

/** @throws SetupError `local-file-invalid` */
export const parseJson = (text: string, key: string, dialect: JsonDialect, path: string): JsonTree => {
  refuseConflict(text, path);
  const node = parseNode(text, dialect, path);
  if (node.type !== 'object') throw refuse(path, 'cannot hold MCP servers: its root is not an object', text, 0);
  const root = containerOf(node, text, path);
  const own = root.properties.find(property => property.key === key);
  if (!own) return {root};
  if (own.value.type !== 'object') {
    throw refuse(path, `cannot hold MCP servers: “${key}” is not an object`, text, own.start);
  }
  return {root, own, map: containerOf(own.value, text, path)};
};

export const valuesOf = ({root, own, map}: JsonTree): Values => ({
  rest: recordOf(root.properties.filter(property => property !== own)),
  entries: recordOf(map?.properties ?? []),
});

const parseNode = (text: string, dialect: JsonDialect, path: string): Node => {
  const errors: ParseError[] = [];
  const options = {allowTrailingComma: dialect === 'lenient', disallowComments: dialect === 'strict'};
  let node: Node | undefined;
  try {
    node = parseTree(text, errors, options);
  } catch (cause) {
    // The parser calls itself for each level.
    if (cause instanceof RangeError) throw refuse(path, 'is nested too deeply', text, 0, cause);
    throw cause;
  }
  const [first] = errors;
  if (node && !first) return node;
  const at = first?.offset ?? 0;
  if (first && printParseErrorCode(first.error) === 'InvalidCommentToken') {
    throw refuse(path, 'contains a comment, which the assistant cannot read', text, at);
  }
  const isTrailing = dialect !== 'lenient' && /^[}\]]/.test(text.slice(at)) && /,\s*$/.test(text.slice(0, at));
  const what = isTrailing ? 'contains a trailing comma, which the assistant cannot read' : 'is not valid JSON';
  throw refuse(path, what, text, at);
};

/** The properties of an object, whatever its keys. */
export const propertiesOf = (node: Node): Container => {
  const properties = (node.children ?? []).flatMap(({offset, length, children = []}) => {
    const [key, value] = children;
    return key && value ? [{start: offset, end: offset + length, key: String(key.value), value}] : [];
  });
  return {start: node.offset, end: node.offset + node.length, properties};
};

const containerOf = (node: Node, text: string, path: string): Container => {
  const {properties, ...range} = propertiesOf(node);
  const seen = new Set<string>();
  for (const {key, start} of properties) {
    if (seen.has(key)) throw refuse(path, `contains the key “${key}” twice`, text, start);
    seen.add(key);
  }
  return {...range, properties};
};

/** Without a prototype, so that no key means anything but itself. */
const recordOf = (properties: readonly Property[]): Entries => {
  const record: Record<string, unknown> = Object.create(null);
  for (const {key, value} of properties) record[key] = plainOf(value);
  return record;
};

/** The value that a node stands for; its objects have no prototype. */
export const plainOf = ({type, value, children = []}: Node): unknown => {
  if (type === 'array') return children.map(plainOf);
  if (type !== 'object') return value;
  const record: Record<string, unknown> = Object.create(null);
  for (const {children: [key, inner] = []} of children) record[String(key?.value)] = inner && plainOf(inner);
  return record;
};
