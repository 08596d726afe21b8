import type {Assistant} from '../../assistants/assistant.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import {Secret} from '../../domain/secret.ts';
import type {Ports} from '../../ports/ports.ts';
import {digest, openText} from '../file-contents.ts';
import {diffOf, type PlannedFile} from '../planned-file.ts';
import {confinementOf, linkTargetOf} from '../project-files.ts';
import {ownershipIn} from './ownership.ts';
import {takeOut} from './take-out.ts';
import {tokensAround} from './token-spans.ts';

/** An assistant that is not to be connected any more, with what it has in one file. */
export type Disconnection = {readonly assistant: Assistant; readonly entry: ContextEntry};

export type Disconnections = {
  readonly files: readonly PlannedFile[];
  /** The entries after which nothing of ours is left in their files, or that stay for another assistant. */
  readonly leaving: readonly ContextEntry[];
};

type Disconnecting = {
  readonly disconnecting: readonly Disconnection[];
  /** The paths in which entries stay: another assistant reads the same file. */
  readonly staying: readonly string[];
  /** All contexts, with their entries where they are now. */
  readonly contexts: readonly Context[];
};

/**
 * The files from which entries are taken, as they will be.
 *
 * @throws SetupError `local-file-invalid` for a file that cannot be edited safely
 */
export const planDisconnections = async (
  {disconnecting, staying, contexts}: Disconnecting,
  ports: Ports,
): Promise<Disconnections> => {
  const groups = Map.groupBy(disconnecting, ({entry}) => pathKey(entry.path));
  const planned = await Promise.all(
    [...groups.values()].map(async group => {
      const leaving = group.map(({entry}) => entry);
      if (leaving.some(({path}) => isAmong(path, staying))) return {leaving};
      const found = await Promise.all(group.map(one => without(one, contexts, ports)));
      const file = await describe(group, found[0], ports);
      // What the person has made their own may hold a token still.
      return {file, leaving: leaving.filter((_, index) => !found[index]?.left.length)};
    }),
  );
  return {files: planned.flatMap(({file}) => file ?? []), leaving: planned.flatMap(({leaving}) => leaving)};
};

/** Nobody sees what comes of it: only whether the files can be edited counts. @throws SetupError as `planDisconnections` */
export const checkDisconnections = async (
  {disconnecting, staying, contexts}: Disconnecting,
  ports: Ports,
): Promise<void> => {
  await Promise.all(
    disconnecting.map(one => (isAmong(one.entry.path, staying) ? undefined : without(one, contexts, ports))),
  );
};

/** The text of a file before and after, and the entries there that the person has made their own; undefined for no file. */
const without = async ({assistant, entry}: Disconnection, contexts: readonly Context[], ports: Ports) => {
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
  const tokens = after && tokensAround(open, {present, after: after.text, removed: ours}, assistant, ownership);
  return {editor, bytes, text, left, ours, ...(tokens ? {changed: {after, tokens}} : {})};
};

const isAmong = (path: string, staying: readonly string[]): boolean => staying.some(one => isSamePath(one, path));

const describe = async (
  group: readonly Disconnection[],
  found: Awaited<ReturnType<typeof without>>,
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
