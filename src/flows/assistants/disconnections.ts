import type {Assistant} from '../../assistants/assistant.ts';
import type {ContextEntry} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths/same-path.ts';
import {Secret} from '../../domain/secret.ts';
import type {Ports} from '../../ports/ports.ts';
import {digest, openText} from '../file-contents.ts';
import {diffOf, type PlannedFile} from '../planned-file.ts';
import {confinementOf, linkTargetOf} from '../project-files.ts';
import {ourTokensIn} from './assistant-file.ts';

/** An assistant that is not to be connected any more, with what it has in one file. */
export type Disconnection = {readonly assistant: Assistant; readonly entry: ContextEntry};

/**
 * The files from which entries are taken, as they will be.
 *
 * @param staying paths in which entries stay: another assistant reads the same file
 * @throws SetupError `local-file-invalid` for a file that cannot be edited safely
 */
export const planDisconnections = async (
  disconnecting: readonly Disconnection[],
  staying: readonly string[],
  ports: Ports,
): Promise<readonly PlannedFile[]> => {
  const groups = Map.groupBy(
    disconnecting.filter(({entry}) => !stays(entry, staying)),
    ({entry}) => pathKey(entry.path),
  );
  const planned = await Promise.all([...groups.values()].map(group => describe(group, ports)));
  return planned.flatMap(file => file ?? []);
};

/** Nobody sees what comes of it: only whether the files can be edited counts. @throws SetupError as `planDisconnections` */
export const checkDisconnections = async (
  disconnecting: readonly Disconnection[],
  staying: readonly string[],
  ports: Ports,
): Promise<void> => {
  await Promise.all(disconnecting.map(one => (stays(one.entry, staying) ? undefined : without(one, ports))));
};

/** The text of a file before and after, where there is something to take out of it. */
const without = async ({assistant, entry}: Disconnection, {files}: Ports) => {
  const {path, names, made} = entry;
  const within = confinementOf(entry);
  await files.targetOf(path, within);
  const contents = await files.read(path);
  if (!contents) return undefined;
  await files.check(path, {within});
  const {editor, text, whole} = await openText(assistant.format, contents.bytes, path);
  const after = editor.remove(text, names, path, made);
  return after === text
    ? undefined
    : {editor, present: editor.read(text, path), bytes: contents.bytes, text, after, whole};
};

const stays = ({path}: Disconnection['entry'], staying: readonly string[]): boolean =>
  staying.some(one => isSamePath(one, path));

const describe = async (group: readonly Disconnection[], ports: Ports): Promise<PlannedFile | undefined> => {
  const [first] = group;
  const found = first && (await without(first, ports));
  if (!found) return undefined;
  const {entry} = first;
  const {path} = entry;
  const {shown} = first.assistant.entry;
  const {editor, present, bytes, text, after, whole} = found;
  const gone = new Set(group.flatMap(one => one.entry.names));
  const isGone = after === '' || (entry.created === true && after.trim() === '');
  const readers = group.map(({assistant: {name}}) => name).join(', ');
  const tokens = await ourTokensIn(present, {...entry, assistant: first.assistant}, ports);
  const hidden = tokens.map(token => new Secret(token));
  const {directories = []} = entry;
  const within = confinementOf(entry);
  const leadsTo = within ? await linkTargetOf(path, within.root, ports.files) : undefined;
  return {
    path,
    ...(leadsTo === undefined ? {} : {leadsTo}),
    change: isGone ? 'removed' : 'changed',
    summary: `removes ${gone.size === 1 ? 'one entry' : `${gone.size} entries`} of ${readers}`,
    diff: await diffOf(editor.mask(text, entry.names, shown), isGone ? '' : editor.mask(after, [], [])),
    before: digest(bytes),
    write: {
      after: isGone ? null : new Secret(whole(after)),
      mode: 0o600,
      tighten: hidden.length > 0,
      hidden,
      directories,
      ...(within ? {within} : {}),
    },
  };
};
