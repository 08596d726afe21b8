import {stringify} from 'yaml';
import {type Brackets, insertFirst, removeItem} from '../brackets.ts';
import {inlineOf} from '../json/json-layout.ts';
import {
  applyEdits,
  beforeNewline,
  type Edit,
  eolOf,
  isBlank,
  lineEnd,
  lineStart,
  refuse,
  withoutLines,
} from '../text-edits.ts';
import {type Item, itemOf, type Kind, type YamlTree} from './yaml-tree.ts';

/** How the lines of new entries look. */
export type Layout = {
  /** How far a list or a map lies behind its key, in spaces. */
  readonly indent: number;
  /** Whether every text is in quotes, so that no reader of an older YAML takes one for a number or a yes. */
  readonly quotes: boolean;
};

type Own = NonNullable<YamlTree['own']>;
type Collection = NonNullable<Own['collection']>;

/** The place for entries itself: a line at the end, or an item first between the brackets of the root. */
export const withKey = (text: string, {root}: YamlTree, key: string, kind: Kind): string => {
  if (root?.flow) {
    const item = `${JSON.stringify(key)}: ${kind === 'map' ? '{}' : '[]'}`;
    return applyEdits(text, [insertFirst(text, bracketsOf(root, text), item)]);
  }
  const start = root?.range?.[0] ?? 0;
  const indent = root ? text.slice(lineStart(text, start), start) : '';
  const line = `${indent}${key}:`;
  return text === '' || text.endsWith('\n') ? text + line + eolOf(text) : text + eolOf(text) + line;
};

/** The reverse of `withKey`. */
export const withoutKey = (text: string, {root}: YamlTree, {start, keyEnd}: Own): string => {
  if (!root?.flow) return applyEdits(text, [withoutLines(text, start, keyEnd)]);
  const brackets = bracketsOf(root, text);
  const index = brackets.items.findIndex(item => item.start === start);
  return applyEdits(text, removeItem(text, brackets, index));
};

/**
 * An entry added first, right behind the key, where no comment and no text of several lines is cut in two; or put where
 * the entry of its name stands.
 */
export const entryEdits = (
  text: string,
  own: Own,
  {name, entry, kind, layout}: {name: string; entry: object; kind: Kind; layout: Layout},
  path: string,
): readonly Edit[] => {
  const present = own.items.find(item => item.name === name);
  if (own.collection?.flow) {
    const item = kind === 'map' ? pairText(name, entry) : inlineOf({name, ...entry}, ' ');
    if (present) return [{start: present.start, end: present.end, put: item}];
    return [insertFirst(text, bracketsOf(own.collection, text), item)];
  }
  const indent = indentOf(text, own, layout);
  const lines = blockLines(kind === 'map' ? {[name]: entry} : [{name, ...entry}], layout).map(line => indent + line);
  if (present) return [{...blockRange(text, present, path), put: lines.join(eolOf(text))}];
  const at = lineEnd(text, own.keyEnd);
  return [{start: at, end: at, put: ['', ...lines].join(eolOf(text))}];
};

/** The reverse of `entryEdits`. */
export const removalEdits = (text: string, {collection, items}: Own, name: string, path: string): readonly Edit[] => {
  const index = items.findIndex(item => item.name === name);
  const item = items[index];
  if (!collection || !item) return [];
  if (collection.flow) return removeItem(text, bracketsOf(collection, text), index);
  const {start, end} = blockRange(text, item, path);
  return [{start: beforeNewline(text, start), end, put: ''}];
};

/** Writes down that there are no entries, where a client would not take nothing for none. */
export const emptyEdit = (text: string, {keyEnd}: Own, kind: Kind): Edit => {
  const colon = text.indexOf(':', keyEnd) + 1;
  return {start: colon, end: colon, put: kind === 'map' ? ' {}' : ' []'};
};

const pairText = (name: string, entry: object) => `${JSON.stringify(name)}: ${inlineOf(entry, ' ')}`;

const blockLines = (value: unknown, {quotes}: Layout): readonly string[] => {
  const defaultStringType = quotes ? 'QUOTE_DOUBLE' : 'PLAIN';
  return stringify(value, {lineWidth: 0, defaultStringType, defaultKeyType: 'PLAIN'}).trimEnd().split('\n');
};

/** What the lines of entries begin with: as those there are, or a step behind the key. */
const indentOf = (text: string, {start, items}: Own, {indent}: Layout): string => {
  const [first] = items;
  if (first) return /^ */.exec(text.slice(lineStart(text, first.start), first.start))?.[0] ?? '';
  return text.slice(lineStart(text, start), start) + ' '.repeat(indent);
};

/** The whole lines of an entry. Refuses one that shares a line with something else. */
const blockRange = (text: string, item: Item, path: string) => {
  const from = lineStart(text, item.start);
  const before = text.slice(from, item.start).replace(/^( *)- +/, '$1');
  if (isBlank(before)) return {start: from, end: lineEnd(text, item.end)};
  throw refuse(path, `contains “${item.name}” in a form that cannot be changed safely`, text, item.start);
};

const bracketsOf = (collection: Collection, text: string): Brackets => ({
  start: collection.range?.[0] ?? 0,
  items: collection.items.map(item => itemOf(item, text)),
});
