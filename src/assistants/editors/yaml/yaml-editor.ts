import {isMap} from 'yaml';
import {isRecord} from '../../../domain/written-entry.ts';
import {SetupError} from '../../../errors/errors.ts';
import {isSameValue} from '../../../json.ts';
import type {Editor} from '../../formats/entry-format.ts';
import {allButEntries, mask, textsOfEntry} from '../mask.ts';
import {haveCommonMembers, memberChanges} from '../member-changes.ts';
import {withinLimits} from '../parse-limits.ts';
import {
  absentEntries,
  applyEdits,
  eolOf,
  isBlank,
  parsingOnce,
  reparse,
  requireSame,
  splitMark,
} from '../text-edits.ts';
import {yamlContents} from './yaml-contents.ts';
import {yamlDepth} from './yaml-depth.ts';
import {
  emptyEdit,
  entryEdits,
  type Layout,
  memberEdits,
  nothingIn,
  removalEdits,
  withKey,
  withoutKey,
} from './yaml-splice.ts';
import {entryNode, type Kind, parseYaml} from './yaml-tree.ts';

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
  const parseAnew = (text: string, path: string) => parseYaml(text, key, kind, path);
  const parse = parsingOnce(parseAnew);

  /**
   * An entry that has members of the one that is wanted, changed member by member: what lies between them stays. Undefined
   * where it is written in a form in which that cannot be done.
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
    const [mark, given] = splitMark(text);
    const body = isBlank(given) ? head : given;
    const isBlankCrlf = isBlank(given) && eolOf(given) === '\r\n';
    const tree = parse(body, path);
    const {values} = tree;
    const pending = Object.entries(entries).filter(([name, entry]) => !isSameValue(values.entries[name], entry));
    if (pending.length === 0) return text;
    let edited = tree.own ? body : withKey(body, tree, key, kind);
    // Each goes first, so the last of them begins.
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
