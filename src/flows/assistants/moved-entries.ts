import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths.ts';
import type {Ports} from '../../ports/ports.ts';
import {openText} from '../planned-file.ts';
import {ownershipIn} from './ownership.ts';

/** The assistants, and where they look for their files. */
export type AssistantPlaces = {readonly assistants: readonly Assistant[]; readonly place: Place};

/**
 * Returns the contexts with the current places of their entries. An assistant may have moved its file, as Cline does:
 * then the entries are where it looks now, and not where they were written.
 */
export const findMoved = async (
  contexts: readonly Context[],
  where: AssistantPlaces,
  ports: Pick<Ports, 'files'>,
): Promise<readonly Context[]> =>
  Promise.all(
    contexts.map(async context => {
      if (!context.entries) return context;
      return {...context, entries: await Promise.all(context.entries.map(entry => find(entry, context, where, ports)))};
    }),
  );

/**
 * Returns the other places in which the assistants of this file look for their entries: an assistant may have moved the
 * file there.
 */
export const otherPlacesOf = (path: string, {assistants, place}: AssistantPlaces): readonly string[] => {
  const lists = assistants.flatMap(assistant => (['user', 'project'] as const).map(one => assistant.files(one, place)));
  const others = lists.flatMap(list => (list.some(one => isSamePath(one, path)) ? list : []));
  return [...new Set(others)].filter(one => !isSamePath(one, path));
};

/** Stores the current places of a context's entries if they were moved. The removal of the entries needs them. */
export const saveMovedEntries = async (
  name: string,
  where: AssistantPlaces,
  ports: Pick<Ports, 'files' | 'config'>,
): Promise<void> => {
  const context = (await ports.config.read()).contexts.find(one => one.name === name);
  if (!context?.entries) return;
  const [now] = await findMoved([context], where, ports);
  const moved = context.entries.flatMap((entry, index) => {
    const path = now?.entries?.[index]?.path ?? entry.path;
    return isSamePath(path, entry.path) ? [] : [{entry, path}];
  });
  if (moved.length === 0) return;
  const pathOf = (one: ContextEntry) =>
    moved.find(({entry}) => entry.assistant === one.assistant && isSamePath(entry.path, one.path))?.path ?? one.path;
  await ports.config.saveEntries(name, entries => entries.map(entry => ({...entry, path: pathOf(entry)})));
};

const find = async (
  entry: ContextEntry,
  context: Context,
  {assistants, place}: AssistantPlaces,
  ports: Pick<Ports, 'files'>,
): Promise<ContextEntry> => {
  const assistant = assistants.find(({id}) => id === entry.assistant);
  // A file that still exists, or that belongs to an unknown assistant, has not moved.
  if (!assistant || (await ports.files.exists(entry.path))) return entry;
  for (const path of assistant.files(entry.scope, {...place, project: entry.project})) {
    if (isSamePath(path, entry.path) || !(await ports.files.exists(path))) continue;
    const moved = {...entry, path};
    const present = await entriesIn(path, assistant, ports).catch(() => ({}));
    const ownership = ownershipIn([{...context, entries: [moved]}], path);
    const isThere = Object.entries(present).some(([name, value]) => ownership.isOurs({name, entry: value}, assistant));
    if (isThere) return moved;
  }
  return entry;
};

const entriesIn = async (path: string, {format}: Assistant, {files}: Pick<Ports, 'files'>) => {
  const {editor, text} = await openText(format, (await files.read(path))?.bytes, path);
  return editor.read(text, path);
};
