import type {Scaffolding} from '../../../domain/assistant-entry.ts';
import {isSameValue} from '../../../json.ts';
import type {Editor} from '../../formats/entry-format.ts';
import {jsonDepth} from '../bracket-depth.ts';
import {allButEntries, mask} from '../mask.ts';
import {withinLimits} from '../parse-limits.ts';
import {absentEntries, applyEdits, type Edit, isBlank, refuse, requireSame, splitMark} from '../text-edits.ts';
import {jsonContents} from './json-contents.ts';
import type {JsonDialect} from './json-dialect.ts';
import {layoutOf} from './json-layout.ts';
import {emptyEnd, insertProperties, removeProperties, replaceValue} from './json-splice.ts';
import {type JsonTree, parseJson, valuesOf} from './json-tree.ts';

/** A file that is made anew, laid out over lines. */
const NEW = '{\n}\n';

/**
 * @param key of the map that holds the entries
 * @param more whether the client cannot read a byte order mark
 */
export const jsonEditor = (
  key: string,
  dialect: JsonDialect,
  {refusesMark = false}: {readonly refusesMark?: boolean} = {},
): Editor => {
  const parse = (text: string, path: string) => parseJson(text, key, dialect, path);
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
    const [mark, given] = split(text, path);
    const body = isBlank(given) ? NEW : given;
    const tree = parse(body, path);
    const values = valuesOf(tree);
    const edits = setting(body, tree, values.entries, entries, key);
    if (edits.length === 0) return text;
    const after = applyEdits(body, edits);
    requireSame(values, () => valuesOf(parse(after, path)), entries, path);
    return mark + after;
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
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, jsonContents, allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'JSON', jsonDepth);
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
    return entry !== undefined && !isSameValue(present[property.key], entry);
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
  // A map that was made for the entries goes with the last of them, unless somebody else has put something in.
  if (!isOurs || map.properties.some(({key}) => !names.has(key)) || local.replace(/\s/g, '') !== '{}') return edits;
  return removeProperties(text, root, property => property === own, was.kind === 'map' ? was.within : undefined);
};
