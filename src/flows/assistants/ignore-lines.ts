import {dirname} from 'node:path';
import type {Context, ContextEntry, IgnoreLine} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import type {Ports} from '../../ports/ports.ts';
import {withoutIgnored} from '../git-repository.ts';
import {diffOf, digest, type PlannedFile} from '../planned-file.ts';

/** What is known of a context's entries. */
type Known = Pick<Context, 'name' | 'entries'>;

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

/** Who needs the line of an entry that goes, and whether no other line in that ignore file is ours. */
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
  /** The entries that go, and need no line any more. */
  readonly leaving: readonly ContextEntry[];
  /** The name of the context that they are of. */
  readonly context: string;
  /** What will be known of every context by then, with them. */
  readonly contexts: readonly Known[];
  /** The ignore files that get a line as well. */
  readonly planned: readonly PlannedFile[];
};

/**
 * The ignore files out of which `releaseIgnored` takes lines, as they will be. They are written by that one, after the
 * entries are gone: a line that is added is there before the token, and one that is removed is there as long.
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
 * Takes a line of ours out of its ignore file. What the person changed stays.
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

/** Whether there is such a file. A link in its place is not what was written. */
const isOwnFile = (path: string, files: Ports['files']): Promise<boolean> =>
  files.targetOf(path, withinOf(path)).then(
    () => files.exists(path),
    () => false,
  );

/** An ignore file without a line of ours; null where nothing is left of one that was made for such lines. */
const withoutLine = (bytes: Buffer, {pattern, made}: IgnoreLine, isLast: boolean): Buffer | null => {
  const left = withoutIgnored(bytes, pattern, isLast && made === 'line-end');
  const isEmpty = made === 'file' && left.toString('latin1').trim() === '';
  return isEmpty && !left.equals(bytes) ? null : left;
};
