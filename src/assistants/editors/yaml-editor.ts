import {isCollection, isMap, isNode, isScalar, isSeq, type Pair, stringify, type YAMLMap} from 'yaml';
import {isRecord} from '../../domain/written-entry.ts';
import {SetupError} from '../../errors/errors.ts';
import {isSameValue} from '../../json.ts';
import type {Editor} from '../formats/entry-format.ts';
import {inlineOf} from './json-edits.ts';
import {allButEntries, mask, textsOfEntry} from './mask.ts';
import {withinLimits} from './parse-limits.ts';
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
  type MemberChange,
  memberChanges,
  parsingOnce,
  refuse,
  removeItem,
  reparse,
  requireSame,
  splitMark,
  withoutLines,
} from './text-edits.ts';
import {
  entryNode,
  type Item,
  itemOf,
  parseYaml,
  type YamlKind,
  type YamlTree,
  yamlContents,
  yamlDepth,
} from './yaml-tree.ts';

/** The layout of new entries. */
export type YamlLayout = {
  /** The indentation of a list or map relative to its key, in spaces. */
  readonly indent: number;
  /** True to quote every string, so that no reader of an older YAML takes one for a number or for “yes”. */
  readonly quotes: boolean;
  /** True to rewrite a changed entry as a whole, as the program that owns the file does. */
  readonly isOwned?: true;
};

type Own = NonNullable<YamlTree['own']>;
type Collection = NonNullable<Own['collection']>;

/** Adds the key that holds the entries: as a line at the end, or as the first item if the root is in brackets. */
export const withKey = (text: string, {root}: YamlTree, key: string, kind: YamlKind): string => {
  if (root?.flow) {
    const item = `${JSON.stringify(key)}: ${kind === 'map' ? '{}' : '[]'}`;
    return applyEdits(text, [insertFirst(text, bracketsOf(root, text), item)]);
  }
  const start = root?.range?.[0] ?? 0;
  const indent = root ? text.slice(lineStart(text, start), start) : '';
  const line = `${indent}${key}:`;
  const end = /^\.\.\.(?=\s|$)/m.exec(text.slice(root?.range?.[1] ?? 0));
  if (root && end) {
    const at = (root.range?.[1] ?? 0) + end.index;
    return applyEdits(text, [{start: at, end: at, put: line + eolOf(text)}]);
  }
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
 * Returns edits that add an entry first, directly after the key, where they split no comment and no multi-line string;
 * or that replace the entry of the same name.
 */
export const entryEdits = (
  text: string,
  own: Own,
  {name, entry, kind, layout}: {name: string; entry: object; kind: YamlKind; layout: YamlLayout},
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
  if (present) return [{...blockRange(text, present, path, kind === 'list'), put: lines.join(eolOf(text))}];
  const at = lineEnd(text, own.keyEnd);
  const added = {start: at, end: at, put: ['', ...lines].join(eolOf(text))};
  const {nothing} = own;
  if (!nothing) return [added];
  const colon = text.indexOf(':', own.keyEnd) + 1;
  return [{start: colon, end: nothing[1], put: ''}, added];
};

/** The reverse of `entryEdits`. */
export const removalEdits = (text: string, {collection, items}: Own, name: string, path: string): readonly Edit[] => {
  const index = items.findIndex(item => item.name === name);
  const item = items[index];
  if (!collection || !item) return [];
  if (collection.flow) return removeItem(text, bracketsOf(collection, text), index);
  const {start, end} = blockRange(text, item, path, isSeq(collection));
  return [{start: beforeNewline(text, start), end, put: ''}];
};

/**
 * Returns the text after the key that says that there are no entries (`null` or `~`); empty if there is no such text.
 */
export const nothingIn = (text: string, {keyEnd, nothing}: Own): string =>
  nothing ? text.slice(text.indexOf(':', keyEnd) + 1, nothing[1]) : '';

/** Writes an empty map or list, for clients that do not accept a key without a value as “no entries”. */
export const emptyEdit = (text: string, {keyEnd}: Own, kind: YamlKind): Edit => {
  const colon = text.indexOf(':', keyEnd) + 1;
  return {start: colon, end: colon, put: kind === 'map' ? ' {}' : ' []'};
};

/**
 * Returns edits that remove, replace or add one member of an entry. A new member comes last, or first if the entry is
 * in brackets.
 *
 * @returns undefined if the form in which the entry is written does not allow that
 */
export const memberEdits = (
  text: string,
  map: YAMLMap,
  {path: [key, ...rest], ...change}: MemberChange,
): readonly Edit[] | undefined => {
  const index = map.items.findIndex(item => isScalar(item.key) && item.key.value === key);
  const pair = map.items[index];
  if (pair && rest.length > 0) {
    return isMap(pair.value) ? memberEdits(text, pair.value, {...change, path: rest}) : undefined;
  }
  if (!('value' in change)) return pair && withoutMember(text, map, index);
  if (pair) return isScalar(pair.key) ? replacedValue(text, pair, change.value, map.flow === true) : undefined;
  const last = map.items.at(-1);
  if (map.flow)
    return [insertFirst(text, bracketsOf(map, text), `${JSON.stringify(key)}: ${inlineOf(change.value, ' ')}`)];
  if (!last || !map.range) return undefined;
  const at = lineEnd(text, itemOf(last, text).end);
  const first = itemOf(map.items[0], text).start;
  const indent = ' '.repeat(first - lineStart(text, first));
  const lines = stringify(
    {[key ?? '']: change.value},
    {lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN'},
  );
  const put = lines
    .trimEnd()
    .split('\n')
    .map(line => eolOf(text) + indent + line)
    .join('');
  return [{start: at, end: at, put}];
};

const withoutMember = (text: string, map: YAMLMap, index: number): readonly Edit[] | undefined => {
  if (map.flow) return removeItem(text, bracketsOf(map, text), index);
  const {start, end} = itemOf(map.items[index], text);
  const from = lineStart(text, start);
  // The first member of a list item is on the same line as the dash.
  if (map.items.length < 2 || !isBlank(text.slice(from, start))) return undefined;
  return [{start: beforeNewline(text, from), end: lineEnd(text, end), put: ''}];
};

const replacedValue = (text: string, {value}: Pair, put: unknown, isFlow: boolean): readonly Edit[] | undefined => {
  if (!isNode(value) || !value.range || value.anchor || value.tag) return undefined;
  const [start] = value.range;
  const {end} = itemOf(value, text);
  const isOneLine = isScalar(value)
    ? !text.slice(start, end).includes('\n')
    : isCollection(value) && value.flow === true;
  if (end <= start || (!isFlow && !isOneLine)) return undefined;
  return [{start, end, put: inlineOf(put, ' ')}];
};

const pairText = (name: string, entry: object) => `${JSON.stringify(name)}: ${inlineOf(entry, ' ')}`;

const blockLines = (value: unknown, {quotes}: YamlLayout): readonly string[] => {
  const defaultStringType = quotes ? 'QUOTE_DOUBLE' : 'PLAIN';
  return stringify(value, {lineWidth: 0, defaultStringType, defaultKeyType: 'PLAIN'}).trimEnd().split('\n');
};

/** Returns the indentation of entries: that of the existing ones, or one step more than the key. */
const indentOf = (text: string, {start, items, collection}: Own, {indent}: YamlLayout): string => {
  const [first] = items;
  if (collection && isSeq(collection) && collection.range) {
    const dash = collection.range[0];
    return text.slice(lineStart(text, dash), dash);
  }
  if (first) return /^ */.exec(text.slice(lineStart(text, first.start), first.start))?.[0] ?? '';
  return text.slice(lineStart(text, start), start) + ' '.repeat(indent);
};

/** Returns the range of whole lines that an entry occupies. Refuses an entry that shares a line with something else. */
const blockRange = (text: string, item: Item, path: string, isListItem: boolean) => {
  const start =
    isBlank(text.slice(lineStart(text, item.start), item.start)) && !isListItem
      ? item.start
      : (dashBefore(text, item.start) ?? item.start);
  const from = lineStart(text, start);
  if (isBlank(text.slice(from, start))) return {start: from, end: lineEnd(text, item.end)};
  throw refuse(path, `contains “${item.name}” in a form that cannot be changed safely`, text, item.start);
};

/** Finds the dash of a list item. It may be on a line of its own, before empty lines and comments. */
const dashBefore = (text: string, start: number): number | undefined => {
  for (let end = start; ; ) {
    const from = lineStart(text, end);
    const line = text.slice(from, end);
    const hash = end === start ? -1 : line.indexOf('#');
    const before = (hash < 0 ? line : line.slice(0, hash)).trimEnd();
    if (before.endsWith('-')) return from + before.length - 1;
    if (before !== '' || from === 0) return undefined;
    end = from - 1;
  }
};

const bracketsOf = (collection: Collection, text: string): Brackets => ({
  start: collection.range?.[0] ?? 0,
  items: collection.items.map(item => itemOf(item, text)),
});

type Options = {
  /** The key of the map or list that holds the entries. */
  readonly key: string;
  readonly kind: YamlKind;
  /** The beginning of a new file. */
  readonly head: string;
  readonly layout?: YamlLayout;
};

const usual: YamlLayout = {indent: 2, quotes: true};

export const yamlEditor = ({key, kind, head, layout = usual}: Options): Editor => {
  const listKey = kind === 'list' ? key : undefined;
  const parseAnew = (text: string, path: string) => parseYaml(text, key, kind, path);
  const parse = parsingOnce(parseAnew);

  /**
   * Changes an entry that shares members with the wanted one, member by member, so that the text between them stays.
   * Returns undefined if the form in which it is written does not allow that.
   */
  const withMembers = (text: string, name: string, entry: object, path: string): string | undefined => {
    const present = parse(text, path).values.entries[name];
    if (!isRecord(present) || !haveCommonMembers(present, entry)) return undefined;
    try {
      let edited = text;
      for (const change of memberChanges(present, entry as Readonly<Record<string, unknown>>)) {
        const node = entryNode(parse(edited, path), name, kind);
        const edits = isMap(node) ? memberEdits(edited, node, change) : undefined;
        if (!edits) return undefined;
        edited = applyEdits(edited, edits);
      }
      return isSameValue(parse(edited, path).values.entries[name], entry) ? edited : undefined;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      return undefined;
    }
  };

  const set: Editor['set'] = (text, entries, path) => {
    const [mark, content] = splitMark(text);
    const body = isBlank(content) ? head : content;
    const isBlankCrlf = isBlank(content) && eolOf(content) === '\r\n';
    const tree = parse(body, path);
    const {values} = tree;
    const pending = Object.entries(entries).filter(([name, entry]) => !isSameValue(values.entries[name], entry));
    if (pending.length === 0) return text;
    let edited = tree.own ? body : withKey(body, tree, key, kind);
    // A new entry goes to the top of the list, so new ones are inserted in reverse order.
    for (const [name, entry] of pending.toReversed()) {
      const {own} = reparse(() => parse(edited, path), path);
      const changed = layout.isOwned ? undefined : withMembers(edited, name, entry, path);
      if (changed !== undefined) edited = changed;
      else if (own) edited = applyEdits(edited, entryEdits(edited, own, {name, entry, kind, layout}, path));
    }
    requireSame(values, () => parse(edited, path).values, entries, path);
    return mark + (isBlankCrlf ? edited.replaceAll('\n', '\r\n') : edited);
  };

  const remove: Editor['remove'] = (text, names, path, made) => {
    const [mark, body] = splitMark(text);
    const {values} = parse(body, path);
    let edited = body;
    for (const name of names) {
      const {own} = reparse(() => parse(edited, path), path);
      if (own) edited = applyEdits(edited, removalEdits(edited, own, name, path));
    }
    if (edited === body) return text;
    const tree = reparse(() => parse(edited, path), path);
    const {own} = tree;
    if (own && own.items.length === 0) {
      if (made?.kind === 'map' || made?.kind === 'contents') edited = withoutKey(edited, tree, own);
      else if (made?.kind === 'entries' && made.within !== '' && !own.collection) {
        const colon = edited.indexOf(':', own.keyEnd) + 1;
        edited = applyEdits(edited, [{start: colon, end: colon, put: made.within}]);
      } else if (made?.kind !== 'entries' && !own.collection) {
        edited = applyEdits(edited, [emptyEdit(edited, own, kind)]);
      }
    }
    requireSame(values, () => parse(edited, path).values, absentEntries(names), path);
    return made?.kind === 'contents' && (isBlank(edited) || edited.replaceAll('\r\n', '\n') === head)
      ? made.text
      : mark + edited;
  };

  const editor: Editor = {
    read: (text, path) => parseAnew(splitMark(text)[1], path).values.entries,
    made: (text, path) => {
      const [, body] = splitMark(text);
      const {own} = parse(body, path);
      if (isBlank(body)) return {kind: 'contents', text};
      if (!own) return {kind: 'map'};
      return own.items.length > 0 ? {kind: 'nothing'} : {kind: 'entries', within: nothingIn(body, own)};
    },
    set,
    remove,
    textsOf: (text, name) => textsOfEntry(text, body => yamlContents(body, listKey), key, name),
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, body => yamlContents(body, listKey), allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'YAML', yamlDepth);
};
