import {dirname} from 'node:path';
import type {Context, ContextEntry, IgnoreLine} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import type {Ports} from '../../ports/ports.ts';
import {withoutIgnored} from '../git-repository.ts';
import {diffOf, digest, type PlannedFile} from '../planned-file.ts';

/** The recorded entries of a context. */
type Known = Pick<Context, 'name' | 'entries'>;

type Releasing = {
  /** The name of the context that the entry belongs to. */
  readonly context: string;
  /** Those of its entries that are already gone, but still recorded. */
  readonly gone: readonly ContextEntry[];
};

/**
 * Removes from its ignore file the line that kept an entry's file out of git, once no other entry is recorded for the
 * entry's file. Until then, the line is recorded with the other entries. An ignore file that was created for such lines
 * is removed with the last of them.
 *
 * @returns the path of the ignore file, if it was changed
 * @throws SetupError `local-write-failed`, `local-locked`
 */
export const releaseIgnored = async (
  entry: ContextEntry,
  releasing: Releasing,
  ports: Pick<Ports, 'config' | 'files'>,
): Promise<string | undefined> => {
  const {ignored, path} = entry;
  if (!ignored) return undefined;
  const {contexts} = await ports.config.read();
  const {heirs, isLast} = whoIsLeft(entry, ignored, releasing, contexts);
  for (const name of new Set(heirs.flatMap(({name, entry}) => (entry.ignored ? [] : name)))) {
    await ports.config.saveEntries(name, entries =>
      entries.map(one => (isSamePath(one.path, path) && !one.ignored ? {...one, ignored} : one)),
    );
  }
  if (heirs.length > 0) return undefined;
  return (await removeIgnoreLine(ignored, isLast, ports)) ? ignored.path : undefined;
};

/**
 * Returns the entries that still need the line of a removed entry, and whether it is our last line in that ignore file.
 */
const whoIsLeft = (
  entry: ContextEntry,
  {path: ignore}: IgnoreLine,
  {context, gone}: Releasing,
  contexts: readonly Known[],
) => {
  const isGone = (one: ContextEntry) =>
    [entry, ...gone].some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  const others = contexts.flatMap(({name, entries = []}) =>
    entries.filter(one => name !== context || !isGone(one)).map(entry => ({name, entry})),
  );
  const heirs = others.filter(({entry: one}) => isSamePath(one.path, entry.path));
  const isLast = !others.some(({entry}) => entry.ignored && isSamePath(entry.ignored.path, ignore));
  return {heirs, isLast};
};

type PlannedRelease = {
  /** The entries that are removed, and no longer need a line. */
  readonly leaving: readonly ContextEntry[];
  /** The name of their context. */
  readonly context: string;
  /** The entries of every context that will be recorded by then, including the leaving ones. */
  readonly contexts: readonly Known[];
  /** The ignore files that get a line as well. */
  readonly planned: readonly PlannedFile[];
};

/**
 * Plans the ignore files from which `releaseIgnored` will remove lines. That function writes them, after the entries
 * are gone: a line is added before the token is written, and stays until the token is gone.
 */
export const planReleases = async (
  {leaving, context, contexts, planned}: PlannedRelease,
  {files}: Pick<Ports, 'files'>,
): Promise<readonly PlannedFile[]> => {
  const lines = leaving.flatMap((entry, index) => {
    if (!entry.ignored) return [];
    const gone = leaving.slice(0, index);
    const {heirs, isLast} = whoIsLeft(entry, entry.ignored, {context, gone}, contexts);
    return heirs.length > 0 ? [] : [{line: entry.ignored, isLast}];
  });
  const groups = Map.groupBy(lines, ({line}) => pathKey(line.path));
  const changed = await Promise.all(
    [...groups.values()].map(async (group): Promise<readonly PlannedFile[]> => {
      const path = group[0]?.line.path ?? '';
      const before = (await isOwnFile(path, files)) ? (await files.read(path))?.bytes : undefined;
      const other = planned.find(one => isSamePath(one.path, path));
      const added = other?.write?.after;
      const first = Buffer.isBuffer(added) ? added : before;
      if (!first) return [];
      const left = group.reduce<Buffer | null>((at, {line, isLast}) => at && withoutLine(at, line, isLast), first);
      if (left?.equals(first)) return [];
      const diff = await diffOf((before ?? NONE).toString('utf8'), (left ?? NONE).toString('utf8'));
      if (other) return [{...other, diff}];
      const change = left ? 'changed' : 'removed';
      return [{path, change, summary: 'no longer keeps it out of git', diff, before: digest(before ?? null)}];
    }),
  );
  return changed.flat();
};

const NONE = Buffer.alloc(0);

/**
 * Removes a line of ours from its ignore file. What the person changed stays.
 *
 * @param isLast whether no other line there is ours
 */
export const removeIgnoreLine = async (
  line: IgnoreLine,
  isLast: boolean,
  {files}: Pick<Ports, 'files'>,
): Promise<boolean> => {
  const {path} = line;
  const within = withinOf(path);
  if (!(await isOwnFile(path, files))) return false;
  const work = async () => {
    const contents = await files.read(path);
    if (!contents) return false;
    const left = withoutLine(contents.bytes, line, isLast);
    if (left?.equals(contents.bytes)) return false;
    if (left) await files.write(path, left, {mode: contents.mode, journal: true, expected: contents.bytes, within});
    else await files.remove(path, {journal: true, within});
    return true;
  };
  return files.withLock(path, work, {within});
};

const withinOf = (path: string) => ({root: dirname(path), isNoLink: true}) as const;

/** Whether there is such a file. A link in its place was not written by this program. */
const isOwnFile = (path: string, files: Ports['files']): Promise<boolean> =>
  files.targetOf(path, withinOf(path)).then(
    () => files.exists(path),
    () => false,
  );

/** Returns an ignore file without a line of ours; null if it was created for such lines and is empty without them. */
const withoutLine = (bytes: Buffer, {pattern, made}: IgnoreLine, isLast: boolean): Buffer | null => {
  const left = withoutIgnored(bytes, pattern, isLast && made === 'line-end');
  const isEmpty = made === 'file' && left.toString('latin1').trim() === '';
  return isEmpty && !left.equals(bytes) ? null : left;
};
