import {isSameValue} from '../../../json.ts';
import type {Editor} from '../../formats/entry-format.ts';
import {allButEntries, mask} from '../mask.ts';
import {withinLimits} from '../parse-limits.ts';
import {absentEntries, applyEdits, isBlank, reparse, requireSame, splitMark} from '../text-edits.ts';
import {yamlContents} from './yaml-contents.ts';
import {yamlDepth} from './yaml-depth.ts';
import {emptyEdit, entryEdits, type Layout, removalEdits, withKey, withoutKey} from './yaml-splice.ts';
import {type Kind, parseYaml} from './yaml-tree.ts';

type Options = {
  /** Of the map or list that holds the entries. */
  readonly key: string;
  readonly kind: Kind;
  /** What a new file begins with. */
  readonly head: string;
  readonly layout?: Layout;
};

const usual: Layout = {indent: 2, quotes: true};

export const yamlEditor = ({key, kind, head, layout = usual}: Options): Editor => {
  const listKey = kind === 'list' ? key : undefined;
  const parse = (text: string, path: string) => parseYaml(text, key, kind, path);

  const set: Editor['set'] = (text, entries, path) => {
    const [mark, given] = splitMark(text);
    const body = isBlank(given) ? head : given;
    const tree = parse(body, path);
    const {values} = tree;
    const pending = Object.entries(entries).filter(([name, entry]) => !isSameValue(values.entries[name], entry));
    if (pending.length === 0) return text;
    let edited = tree.own ? body : withKey(body, tree, key, kind);
    // Each goes first, so the last of them begins.
    for (const [name, entry] of pending.toReversed()) {
      const {own} = reparse(() => parse(edited, path), path);
      if (own) edited = applyEdits(edited, entryEdits(edited, own, {name, entry, kind, layout}, path));
    }
    requireSame(values, () => parse(edited, path).values, entries, path);
    return mark + edited;
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
      else if (made?.kind !== 'entries' && !own.collection) {
        edited = applyEdits(edited, [emptyEdit(edited, own, kind)]);
      }
    }
    requireSame(values, () => parse(edited, path).values, absentEntries(names), path);
    return made?.kind === 'contents' && (isBlank(edited) || edited === head) ? made.text : mark + edited;
  };

  const editor: Editor = {
    read: (text, path) => parse(splitMark(text)[1], path).values.entries,
    made: (text, path) => {
      const [, body] = splitMark(text);
      const {own} = parse(body, path);
      if (isBlank(body)) return {kind: 'contents', text};
      if (!own) return {kind: 'map'};
      return own.items.length > 0 ? {kind: 'nothing'} : {kind: 'entries', within: ''};
    },
    set,
    remove,
    mask: (text, labels, shown, others = 'shown') =>
      mask(text, body => yamlContents(body, listKey), allButEntries(key, labels, shown, others), others),
  };
  return withinLimits(editor, 'YAML', yamlDepth);
};
