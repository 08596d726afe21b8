import type {Assistant} from '../../assistants/assistant.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import {Secret} from '../../domain/secret.ts';
import type {Ports} from '../../ports/ports.ts';
import type {TokensInFile} from '../../ports/storage.ts';
import {diffOf, digest, isAbsent, noTokens, type OpenText, openText, type PlannedFile} from '../planned-file.ts';
import {confinementOf, linkTargetOf} from '../project-files.ts';
import {type Left, takeOut} from './edit-entries.ts';
import {tokensAround} from './entry-tokens.ts';
import {ownershipIn} from './ownership.ts';

/** An assistant to disconnect, with its entries in one file. */
export type Disconnection = {readonly assistant: Assistant; readonly entry: ContextEntry};

export type Disconnections = {
  readonly files: readonly PlannedFile[];
  /**
   * The entries that no longer need their line in an ignore file: all except those that the person has made their own.
   * The line stays if another entry needs it.
   */
  readonly leaving: readonly ContextEntry[];
  /** What becomes of each entry. */
  readonly outcomes: ReadonlyMap<ContextEntry, Outcome>;
};

type Outcome = {
  /**
   * `shared`: the entry stays for another assistant. `absent`: it is already gone. `left`: the person has made it their
   * own.
   */
  readonly outcome: 'removed' | 'absent' | 'shared' | 'left';
  /** The names of the entries that the person has made their own, which stay. */
  readonly left: readonly string[];
};

type Disconnecting = {
  readonly disconnecting: readonly Disconnection[];
  /** The paths of the files in which entries stay, because another assistant reads the same file. */
  readonly staying: readonly string[];
  /** All contexts, with the current places of their entries. */
  readonly contexts: readonly Context[];
};

/**
 * Plans the files from which entries are removed, as they will be.
 *
 * @throws SetupError `local-file-invalid` if a file cannot be edited safely
 */
export const planDisconnections = async (
  {disconnecting, staying, contexts}: Disconnecting,
  ports: Ports,
): Promise<Disconnections> => {
  const groups = Map.groupBy(disconnecting, ({entry}) => pathKey(entry.path));
  const outcomes = new Map<ContextEntry, Outcome>();
  const planned = await Promise.all(
    [...groups.values()].map(async group => {
      const leaving = group.map(({entry}) => entry);
      if (leaving.some(({path}) => isAmong(path, staying))) {
        for (const entry of leaving) outcomes.set(entry, {outcome: 'shared', left: []});
        return {leaving};
      }
      // All these assistants read one file, but each may know its entries by other names.
      const names = [...new Set(leaving.flatMap(entry => entry.names))];
      const [first] = group;
      const found = first && (await without({...first, entry: {...first.entry, names}}, contexts, ports));
      for (const entry of leaving) outcomes.set(entry, outcomeOf(entry, found));
      const file = await describe(group, found, ports);
      // An entry that the person has made their own may still contain a token, so its ignore line stays.
      return {file, leaving: leaving.filter(entry => !outcomes.get(entry)?.left.length)};
    }),
  );
  const files = planned.flatMap(({file}) => file ?? []);
  return {files, leaving: planned.flatMap(({leaving}) => leaving), outcomes};
};

const outcomeOf = ({names}: ContextEntry, {changed, ours, left}: Partial<Without> = {}): Outcome => {
  const stays = left?.filter(name => names.includes(name)) ?? [];
  if (changed && ours?.some(name => names.includes(name))) return {outcome: 'removed', left: stays};
  return {outcome: stays.length > 0 ? 'left' : 'absent', left: stays};
};

/** A file's text before and after, and the names of the entries that are ours or the person's own now. */
type Without = {
  readonly editor: OpenText['editor'];
  readonly bytes: Buffer;
  readonly text: string;
  readonly left: readonly string[];
  readonly ours: readonly string[];
  /** Absent if nothing changes. */
  readonly changed?: {readonly after: Left; readonly tokens: TokensInFile};
};

/** Returns a file without the entries of an assistant; undefined if there is no file. */
const without = async (
  {assistant, entry}: Disconnection,
  contexts: readonly Context[],
  ports: Ports,
): Promise<Without | undefined> => {
  const {files} = ports;
  const {path, names} = entry;
  const within = confinementOf(entry);
  await files.targetOf(path, within);
  const contents = await files.read(path);
  if (!contents) return undefined;
  await files.check(path, {within});
  const open = await openText(assistant.format, contents.bytes, path);
  const {editor, text} = open;
  const present = editor.read(text, path);
  const ownership = ownershipIn(contexts, path);
  const there = names.filter(name => present[name] !== undefined);
  const ours = there.filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const left = there.filter(name => !ours.includes(name));
  const {bytes} = contents;
  const after = await takeOut({...entry, assistant, bytes, open, ours, ownership, contexts}, ports);
  const found = {editor, bytes, text, left, ours};
  if (after) {
    const tokens = tokensAround(open, {present, after: after.text, removed: ours}, assistant, ownership);
    return {...found, changed: {after, tokens}};
  }
  // A process that was killed while it wrote a file for our entries has left an empty one.
  return entry.created && isAbsent(bytes) ? {...found, changed: {after: {text: '', bytes}, tokens: noTokens}} : found;
};

const isAmong = (path: string, staying: readonly string[]): boolean => staying.some(one => isSamePath(one, path));

const describe = async (
  group: readonly Disconnection[],
  found: Without | undefined,
  ports: Ports,
): Promise<PlannedFile | undefined> => {
  const [first] = group;
  if (!first || !found?.changed) return undefined;
  const {entry} = first;
  const {path} = entry;
  const {shown} = first.assistant.entry;
  const {editor, bytes, text, ours: gone} = found;
  const {after: left, tokens} = found.changed;
  const {text: after} = left;
  const isGone = after === '' || (entry.created === true && after.trim() === '');
  const readers = group.map(({assistant: {name}}) => name).join(', ');
  const {directories = []} = entry;
  const within = confinementOf(entry);
  const leadsTo = within ? await linkTargetOf(path, within.root, ports.files) : undefined;
  return {
    path,
    ...(leadsTo === undefined ? {} : {leadsTo}),
    change: isGone ? 'removed' : 'changed',
    summary: `removes ${gone.length === 1 ? 'one entry' : `${gone.length} entries`} of ${readers}`,
    diff: await diffOf(editor.mask(text, gone, shown), isGone ? '' : editor.mask(after, [], [])),
    before: digest(bytes),
    write: {
      after: isGone ? null : new Secret(left.bytes),
      mode: 0o600,
      tighten: tokens.before.length > 0,
      tokens,
      directories,
      ...(within ? {within} : {}),
    },
  };
};
