import {createScanner, type Node, type ParseError, parseTree, printParseErrorCode} from 'jsonc-parser';
import type {Entries} from '../formats/entry-format.ts';
import type {JsonDialect} from './json/json-dialect.ts';
import {beginsLine, type Edit, eolOf, isBlank, lineStart, refuse, refuseConflict, type Values} from './text-edits.ts';

/** The existing layout of a JSON file, so that additions look like the rest. */
export type JsonLayout = {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  readonly isOneLine: boolean;
  /** The text between the parts of an object on one line: a space or nothing. */
  readonly gap: string;
};

export const layoutOf = (text: string): JsonLayout => ({
  eol: eolOf(text),
  unit: /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ',
  isOneLine: !text.trim().includes('\n'),
  gap: /":\S/.test(text) && !/": /.test(text) ? '' : ' ',
});

/** Returns the white space at the beginning of the line that contains `at`. */
export const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';

export const isLaidOut = (text: string, at: number): boolean => beginsLine(text, at) && !isBlank(text.slice(0, at));

/** Returns `value` as JSON over several lines, all but the first indented by `indent`. */
export const linesOf = (value: unknown, indent: string, {eol, unit}: JsonLayout): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);

/** Returns `value` as JSON on one line: `{"args": ["a", "b"]}`. */
export const inlineOf = (value: unknown, gap: string): string => {
  if (Array.isArray(value)) return `[${value.map(item => inlineOf(item, gap)).join(`,${gap}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${gap}${inlineOf(item, gap)}`);
  return `{${pairs.join(`,${gap}`)}}`;
};

/** A key and its value. */
export type Property = {readonly start: number; readonly end: number; readonly key: string; readonly value: Node};

/** An object, from its opening bracket to just after its closing one. */
export type Container = {readonly start: number; readonly end: number; readonly properties: readonly Property[]};

/** A parsed JSON file. `own` and `map` are absent if it has no place for entries yet. */
export type JsonTree = {readonly root: Container; readonly own?: Property; readonly map?: Container};

/**
 * Parses a file and finds the place of its entries.
 *
 * @throws SetupError `local-file-invalid`
 */
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
    // The parser recurses for each level.
    if (cause instanceof RangeError) throw refuse(path, 'is nested too deeply', text, 0, cause);
    throw cause;
  }
  const [first] = errors;
  if (node && !first) return node;
  const at = first?.offset ?? 0;
  if (first && printParseErrorCode(first.error) === 'InvalidCommentToken') {
    throw refuse(path, 'contains a comment, which the assistant cannot read', text, at);
  }
  const comma = text.slice(0, at).search(/,\s*$/);
  if (dialect !== 'lenient' && comma >= 0 && /^[}\]]/.test(text.slice(at))) {
    throw refuse(path, 'contains a trailing comma, which the assistant cannot read', text, comma);
  }
  throw refuse(path, 'is not valid JSON', text, at);
};

/** Returns the properties of an object; the same key may occur twice. */
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

/** Returns an object without a prototype, so that no key has a special meaning. */
const recordOf = (properties: readonly Property[]): Entries => {
  const record: Record<string, unknown> = Object.create(null);
  for (const {key, value} of properties) record[key] = plainOf(value);
  return record;
};

/** Returns the value of a node. Its objects have no prototype. */
export const plainOf = ({type, value, children = []}: Node): unknown => {
  if (type === 'array') return children.map(plainOf);
  if (type !== 'object') return value;
  const record: Record<string, unknown> = Object.create(null);
  for (const {children: [key, inner] = []} of children) record[String(key?.value)] = inner && plainOf(inner);
  return record;
};

/** Token kinds of jsonc-parser. It declares them as an ambient `const enum`, which `verbatimModuleSyntax` rules out. */
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const SPACE = 15;

/** Adds properties after the last one. Each goes on a line of its own unless the file is one line. */
export const insertProperties = (
  text: string,
  container: Container,
  properties: readonly (readonly [string, unknown])[],
  layout: JsonLayout,
): readonly Edit[] => {
  const last = container.properties.at(-1);
  if (!last) return [fillContainer(text, container, properties, layout)];
  const {comma, after, isLineComment} = behind(text, last.end);
  const isOwnLine = !layout.isOneLine || isLineComment;
  const indent = isLaidOut(text, last.start)
    ? indentAt(text, last.start)
    : indentAt(text, container.start) + layout.unit;
  const before = isOwnLine ? layout.eol + indent : layout.gap;
  const items = properties.map(property => before + propertyText(property, isOwnLine ? indent : undefined, layout));
  // If there is a trailing comma, the additions end with one too, so that removing them restores the text.
  if (comma !== undefined) return [{start: after, end: after, put: items.map(item => `${item},`).join('')}];
  return [
    {start: last.end, end: last.end, put: ','},
    {start: after, end: after, put: items.join(',')},
  ];
};

const fillContainer = (
  text: string,
  container: Container,
  properties: readonly (readonly [string, unknown])[],
  layout: JsonLayout,
): Edit => {
  const {start, within} = emptyEnd(text, container);
  const outer = indentAt(text, container.start);
  const isLines = !layout.isOneLine || within.includes('\n');
  const indent = isLines ? outer + layout.unit : undefined;
  const before = indent === undefined ? '' : layout.eol + indent;
  const separator = indent === undefined ? layout.gap : '';
  const items = properties.map(property => before + propertyText(property, indent, layout));
  const close = !isLines || within.includes('\n') ? within : layout.eol + outer;
  return {start, end: container.end - 1, put: items.join(`,${separator}`) + close};
};

const propertyText = ([key, value]: readonly [string, unknown], indent: string | undefined, layout: JsonLayout) => {
  if (indent !== undefined) return `${JSON.stringify(key)}: ${linesOf(value, indent, layout)}`;
  return `${JSON.stringify(key)}:${layout.gap}${inlineOf(value, layout.gap)}`;
};

/**
 * For an object without properties: returns the position after its comments, and the white space between there and the
 * closing bracket.
 */
export const emptyEnd = (text: string, {start, end}: Container) => {
  const at = lastToken(text, start + 1, end - 1).end;
  return {start: at, within: text.slice(at, end - 1)};
};

/** Replaces the value of a property. The new value spans several lines if the property begins a line. */
export const replaceValue = (text: string, {start, value}: Property, entry: unknown, layout: JsonLayout): Edit => {
  const put = isLaidOut(text, start) ? linesOf(entry, indentAt(text, start), layout) : inlineOf(entry, layout.gap);
  return {start: value.offset, end: value.offset + value.length, put};
};

/**
 * Removes properties and the commas that belong to them. The reverse of `insertProperties`.
 *
 * @param within white space to leave in an object that becomes empty; if absent, the existing white space stays
 */
export const removeProperties = (
  text: string,
  container: Container,
  isRemoved: (property: Property) => boolean,
  within?: string,
): readonly Edit[] => {
  const {properties} = container;
  const edits: Edit[] = [];
  const lastKept = properties.findLast(property => !isRemoved(property));
  for (const [index, property] of properties.entries()) {
    if (!isRemoved(property)) continue;
    const {comma} = behind(text, property.end);
    const gap = lastToken(text, properties[index - 1]?.end ?? container.start + 1, property.start);
    // A line comment before the property still needs the end of its line.
    const isNeeded = gap.isLineComment && !/^,?[ \t]*\r?\n/.test(text.slice(property.end, property.end + 80));
    edits.push({start: isNeeded ? property.start : gap.end, end: property.end, put: ''});
    if (comma !== undefined) edits.push({start: comma, end: comma + 1, put: ''});
    else if (lastKept) edits.push(...commaBehind(text, lastKept));
  }
  if (!lastKept && edits.length > 0) edits.push(...emptied(text, container, within));
  return edits;
};

const commaBehind = (text: string, {end}: Property): readonly Edit[] => {
  const {comma} = behind(text, end);
  return comma === undefined ? [] : [{start: comma, end: comma + 1, put: ''}];
};

const emptied = (text: string, container: Container, within: string | undefined): readonly Edit[] => {
  const from = container.properties.at(-1)?.end ?? container.start + 1;
  const {comma} = behind(text, from);
  const tail = lastToken(text, comma === undefined ? from : comma + 1, container.end - 1);
  const isBare = container.properties.every((property, index) => {
    const previous = container.properties[index - 1]?.end ?? container.start + 1;
    return isBlank(text.slice(previous, property.start).replace(',', ''));
  });
  if (within === undefined && !(isBare && isBlank(text.slice(tail.start, container.end - 1)))) return [];
  if (within !== undefined && tail.isLineComment && !within.includes('\n')) return [];
  return [{start: tail.end, end: container.end - 1, put: within ?? ''}];
};

/** Finds the comma after a property, and the end of the comments on the same line. */
const behind = (text: string, from: number) => {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let [comma, after, isLineComment]: [number | undefined, number, boolean] = [undefined, from, false];
  for (let isSameLine = true; ; ) {
    const kind = scanner.scan();
    const [start, end] = [scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()];
    if (kind === LINE_BREAK) isSameLine = false;
    else if (kind === COMMA && comma === undefined) {
      [comma, after, isSameLine, isLineComment] = [start, end, true, false];
    } else if (isComment(kind)) {
      if (isSameLine) [after, isLineComment] = [end, kind === LINE_COMMENT];
    } else if (kind !== SPACE) return {comma, after, isLineComment};
    if (!isSameLine && comma !== undefined) return {comma, after, isLineComment};
  }
};

/** Finds the last comma or comment between two positions; an empty range at `from` if there is none. */
const lastToken = (text: string, from: number, to: number) => {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let last = {start: from, end: from, isLineComment: false};
  for (let kind = scanner.scan(); scanner.getTokenOffset() < to; kind = scanner.scan()) {
    if (kind !== COMMA && !isComment(kind)) continue;
    const start = scanner.getTokenOffset();
    last = {start, end: start + scanner.getTokenLength(), isLineComment: kind === LINE_COMMENT};
  }
  return last;
};

const isComment = (kind: number) => kind === LINE_COMMENT || kind === BLOCK_COMMENT;
