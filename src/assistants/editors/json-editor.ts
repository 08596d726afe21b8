import {type JSONVisitor, type Node, visit} from 'jsonc-parser';
import type {Scaffolding} from '../../domain/context.ts';
import {isRecord} from '../../domain/written-entry.ts';
import {isSameValue} from '../../json.ts';
import type {Editor} from '../formats/entry-format.ts';
import type {JsonDialect} from './json/json-dialect.ts';
import {
  emptyEnd,
  insertProperties,
  type JsonLayout,
  type JsonTree,
  layoutOf,
  parseJson,
  propertiesOf,
  removeProperties,
  replaceValue,
  valuesOf,
} from './json-edits.ts';
import {allButEntries, type Contents, mask, textsOfEntry} from './mask.ts';
import {jsonDepth, withinLimits} from './parse-limits.ts';
import {
  absentEntries,
  applyEdits,
  type Edit,
  eolOf,
  haveCommonMembers,
  isBlank,
  type MemberChange,
  memberChanges,
  parsingOnce,
  refuse,
  requireSame,
  splitMark,
} from './text-edits.ts';

/** Finds the strings and comments in a JSON text. Returns undefined if it does not parse. */
export const jsonContents = (body: string): Contents | undefined => {
  const values: Contents['values'][number][] = [];
  const comments: Contents['comments'][number][] = [];
  let isBroken = false;
  const visitor: JSONVisitor = {
    onLiteralValue: (value, start, length, _line, _character, path) => {
      if (typeof value === 'string') values.push({path: path(), start, end: start + length});
    },
    onComment: (start, length) => comments.push({start, end: start + length}),
    onError: () => {
      isBroken = true;
    },
  };
  visit(body, visitor, {allowTrailingComma: true});
  return isBroken ? undefined : {values, comments};
};

/** A new file, laid out over several lines. */
const NEW = '{\n}\n';

/**
 * Creates the editor for JSON files.
 *
 * @param key of the map that holds the entries
 * @param refusesMark whether the client cannot read a byte order mark
 */
export const jsonEditor = (
  key: string,
  dialect: JsonDialect,
  {refusesMark = false}: {readonly refusesMark?: boolean} = {},
): Editor => {
  const parse = parsingOnce((text, path) => parseJson(text, key, dialect, path));
  const split = (text: string, path: string) => {
    const [mark, body] = splitMark(text);
    if (mark !== '' && refusesMark)
      throw refuse(path, 'starts with a byte order mark, which the assistant cannot read', text, 0);
    return [mark, body] as const;
  };

  const read: Editor['read'] = (text, path) => {
    const [, body] = split(text, path);
    return valuesOf(parse(isBlank(body) ? NEW : body, path)).entries;
  };

  const made: Editor['made'] = (text, path) => {
    const [, body] = split(text, path);
    return isBlank(body) ? {kind: 'contents', text} : madeIn(parse(body, path), body);
  };

  const set: Editor['set'] = (text, entries, path) => {
    const [mark, content] = split(text, path);
    const body = isBlank(content) ? NEW.replaceAll('\n', eolOf(content)) : content;
    const tree = parse(body, path);
    const values = valuesOf(tree);
    const edits = setting(body, tree, values.entries, entries, key);
    const after = Object.entries(entries).reduce(
      (edited, [name, entry]) => withMembers(edited, name, entry, path),
      applyEdits(body, edits),
    );
    if (after === body) return text;
    requireSame(values, () => valuesOf(parse(after, path)), entries, path);
    return mark + after;
  };

  /**
   * Changes an entry that shares members with the wanted one, member by member, so that the text between them stays.
   */
  const withMembers = (text: string, name: string, entry: object, path: string): string => {
    const present = valuesOf(parse(text, path)).entries[name];
    if (!isRecord(present)) return text;
    return memberChanges(present, entry as Readonly<Record<string, unknown>>).reduce((edited, change) => {
      const property = parse(edited, path).map?.properties.find(one => one.key === name);
      return property ? applyEdits(edited, memberEdits(edited, property.value, change, layoutOf(edited))) : edited;
    }, text);
  };

  const remove: Editor['remove'] = (text, names, path, was) => {
    const [mark, body] = split(text, path);
    if (isBlank(body)) return text;
    const tree = parse(body, path);
    const values = valuesOf(tree);
    const present = names.filter(name => Object.hasOwn(values.entries, name));
    if (present.length === 0) return text;
    const after = applyEdits(body, removing(body, tree, new Set(present), was));
    requireSame(values, () => valuesOf(parse(after, path)), absentEntries(present), path);
    if (was?.kind === 'contents' && /^\{\s*\}$/.test(after.trim())) return was.text;
    return mark + after;
  };

  const editor: Editor = {
    read,
    made,
    set,
    remove,
    textsOf: (text, name) => textsOfEntry(text, jsonContents, key, name),
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, jsonContents, allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'JSON', jsonDepth);
};

const memberEdits = (
  text: string,
  node: Node,
  {path: [key = '', ...rest], ...change}: MemberChange,
  layout: JsonLayout,
): readonly Edit[] => {
  const container = propertiesOf(node);
  const property = container.properties.find(one => one.key === key);
  if (property && rest.length > 0) return memberEdits(text, property.value, {...change, path: rest}, layout);
  if (!('value' in change)) return removeProperties(text, container, one => one === property);
  return property
    ? [replaceValue(text, property, change.value, layout)]
    : insertProperties(text, container, [[key, change.value]], layout);
};

const madeIn = ({root, map}: JsonTree, text: string): Scaffolding => {
  if (map) {
    return map.properties.length > 0 ? {kind: 'nothing'} : {kind: 'entries', within: emptyEnd(text, map).within};
  }
  return root.properties.length > 0 ? {kind: 'map'} : {kind: 'map', within: emptyEnd(text, root).within};
};

const setting = (
  text: string,
  {root, map}: JsonTree,
  present: Readonly<Record<string, unknown>>,
  entries: Readonly<Record<string, object>>,
  key: string,
): readonly Edit[] => {
  const layout = layoutOf(text);
  if (!map) return Object.keys(entries).length > 0 ? insertProperties(text, root, [[key, entries]], layout) : [];
  const added = Object.entries(entries).filter(([name]) => !Object.hasOwn(present, name));
  const replaced = map.properties.filter(property => {
    const entry = Object.hasOwn(entries, property.key) ? entries[property.key] : undefined;
    // An entry that shares members with the wanted one is not replaced, but changed later.
    return (
      entry !== undefined &&
      !isSameValue(present[property.key], entry) &&
      !haveCommonMembers(present[property.key], entry)
    );
  });
  return [
    ...replaced.map(property => replaceValue(text, property, entries[property.key] ?? {}, layout)),
    ...(added.length > 0 ? insertProperties(text, map, added, layout) : []),
  ];
};

const removing = (
  text: string,
  {root, own, map}: JsonTree,
  names: ReadonlySet<string>,
  was: Scaffolding | undefined,
) => {
  if (!map) return [];
  const edits = removeProperties(
    text,
    map,
    ({key}) => names.has(key),
    was?.kind === 'entries' ? was.within : undefined,
  );
  const isOurs = was?.kind === 'map' || was?.kind === 'contents';
  const local = applyEdits(
    text.slice(map.start, map.end),
    edits.map(({start, end, put}) => ({start: start - map.start, end: end - map.start, put})),
  );
  // A map that was created for the entries is removed with the last of them, unless it contains anything else.
  if (!isOurs || map.properties.some(({key}) => !names.has(key)) || local.replace(/\s/g, '') !== '{}') return edits;
  return removeProperties(text, root, property => property === own, was.kind === 'map' ? was.within : undefined);
};
