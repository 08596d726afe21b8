import {createScanner} from 'jsonc-parser';
import {type Edit, isBlank} from '../text-edits.ts';
import {indentAt, inlineOf, isLaidOut, type JsonLayout, linesOf} from './json-layout.ts';
import type {Container, Property} from './json-tree.ts';

/** Kinds of jsonc-parser's tokens. Its own names for them are gone once it is compiled. */
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const SPACE = 15;

/** Adds properties behind the last one, on lines of their own where the others are. */
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
  // A comma that trails goes on trailing, so that taking the last one away leaves it as it was.
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

/** An object without properties: where its comments end, and the white space from there to its closing bracket. */
export const emptyEnd = (text: string, {start, end}: Container) => {
  const at = lastToken(text, start + 1, end - 1).end;
  return {start: at, within: text.slice(at, end - 1)};
};

/** A value in the place of another, over lines where the property begins one. */
export const replaceValue = (text: string, {start, value}: Property, entry: unknown, layout: JsonLayout): Edit => {
  const put = isLaidOut(text, start) ? linesOf(entry, indentAt(text, start), layout) : inlineOf(entry, layout.gap);
  return {start: value.offset, end: value.offset + value.length, put};
};

/**
 * Takes properties away, with the commas that they needed. The reverse of `insertProperties`.
 *
 * @param within white space to leave in an object that ends up empty; without it, what is there stays
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
    // A comment to the end of its line needs that end.
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

/** What follows a property: its comma, and where the comments of the same line end. */
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

/** The last of the commas and comments between two places; `from` where there is none. */
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
