import {dirname} from 'node:path';
import type {ContextEntry, IgnoreLine} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths/same-path.ts';
import type {Ports} from '../../ports/ports.ts';
import {withoutIgnored} from '../git-repository.ts';

type Releasing = {
  /** The name of the context that the entry is of. */
  readonly context: string;
  /** Its entries that are gone already, and still known. */
  readonly gone: readonly ContextEntry[];
};

/**
 * Takes the line out of an ignore file that kept an entry's file out of git, once no other entry is known in that file;
 * until then the others know of the line. An ignore file that was made for such lines goes with the last of them.
 *
 * @returns the path of the ignore file, where it was changed
 * @throws SetupError `local-write-failed`, `local-locked`
 */
export const releaseIgnored = async (
  entry: ContextEntry,
  {context, gone}: Releasing,
  ports: Pick<Ports, 'config' | 'files'>,
): Promise<string | undefined> => {
  const {ignored, path} = entry;
  if (!ignored) return undefined;
  const {contexts} = await ports.config.read();
  const isGone = (one: ContextEntry) =>
    [entry, ...gone].some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  const others = contexts.flatMap(({name, entries = []}) =>
    entries.filter(one => name !== context || !isGone(one)).map(entry => ({name, entry})),
  );
  const heirs = others.filter(({entry}) => isSamePath(entry.path, path));
  for (const name of new Set(heirs.flatMap(({name, entry}) => (entry.ignored ? [] : name)))) {
    await ports.config.saveEntries(name, entries =>
      entries.map(one => (isSamePath(one.path, path) && !one.ignored ? {...one, ignored} : one)),
    );
  }
  if (heirs.length > 0) return undefined;
  const isLast = !others.some(({entry}) => entry.ignored && isSamePath(entry.ignored.path, ignored.path));
  return (await removeIgnoreLine(ignored, isLast, ports)) ? ignored.path : undefined;
};

/**
 * Takes a line of ours out of its ignore file. What the person changed stays.
 *
 * @param isLast whether no other line there is ours
 */
export const removeIgnoreLine = async (
  {path, pattern, made}: IgnoreLine,
  isLast: boolean,
  {files}: Pick<Ports, 'files'>,
): Promise<boolean> => {
  const within = {root: dirname(path), isNoLink: true} as const;
  // A link in its place is not what was written.
  const isThere = await files.targetOf(path, within).then(
    () => files.exists(path),
    () => false,
  );
  if (!isThere) return false;
  const work = async () => {
    const contents = await files.read(path);
    if (!contents) return false;
    const left = withoutIgnored(contents.bytes, pattern, isLast && made === 'line-end');
    if (left.equals(contents.bytes)) return false;
    if (made === 'file' && left.toString('latin1').trim() === '') await files.remove(path, {journal: true, within});
    else await files.write(path, left, {mode: contents.mode, journal: true, expected: contents.bytes, within});
    return true;
  };
  return files.withLock(path, work, {within});
};
