import type {Assistant} from '../assistants/assistant.ts';
import type {Ports} from '../ports/ports.ts';
import type {ContextEntry} from '../ports/storage.ts';
import {decodeText, digest} from './assistant-file.ts';
import {diffOf, type PlannedFile} from './planned-file.ts';

/** An assistant that is not to be connected any more, with what it has in one file. */
export type Leaving = {readonly assistant: Assistant; readonly entry: ContextEntry};

/**
 * The files from which entries are taken, as they will be.
 *
 * @param staying paths in which entries stay: another assistant reads the same file
 * @throws SetupError `local-file-invalid` for a file that cannot be edited safely
 */
export const planLeaving = async (
  leaving: readonly Leaving[],
  staying: readonly string[],
  ports: Ports,
): Promise<readonly PlannedFile[]> => {
  const groups = Map.groupBy(
    leaving.filter(({entry}) => !staying.includes(entry.path)),
    ({entry}) => entry.path,
  );
  const planned = await Promise.all([...groups].map(([path, group]) => describe(path, group, ports)));
  return planned.flatMap(file => file ?? []);
};

const describe = async (path: string, group: readonly Leaving[], {files}: Ports): Promise<PlannedFile | undefined> => {
  const [first] = group;
  const contents = await files.read(path);
  if (!first || !contents) return undefined;
  await files.check(path);
  const {assistant, entry} = first;
  const editor = await assistant.format.editor();
  const text = decodeText(contents.bytes, path);
  const after = editor.remove(text, entry.names, path, entry.made);
  if (after === text) return undefined;
  const isGone = entry.created === true && after.trim() === '';
  const readers = group.map(({assistant: {name}}) => name).join(', ');
  return {
    path,
    change: isGone ? 'removed' : 'changed',
    summary: `without the entries of ${readers}`,
    diff: await diffOf(editor.hide(text, entry.names), isGone ? '' : editor.hide(after, [])),
    before: digest(contents.bytes),
  };
};
