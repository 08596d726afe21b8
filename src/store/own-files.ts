import {lstat, readdir, readFile, rm, rmdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {entriesLockOf} from '../domain/paths.ts';
import type {OwnFiles} from '../ports/storage.ts';
import {isGoing, removeCopy} from './own-copies.ts';

/** The places where this program keeps its files. */
export type OwnPlaces = {
  /** Files, which may have locks, temporary files and set-aside copies beside them. */
  readonly files: readonly string[];
  /** Directories whose contents all belong to this program. */
  readonly directories: readonly string[];
  /** The directory of this program's copies, in which foreign directories may lie. */
  readonly programs: string;
  /** The person's home, which stays whatever it contains. */
  readonly home: string;
  /**
   * One start of this program creates all its directories within this time, in milliseconds. A parent directory that
   * was created earlier belongs to somebody else.
   */
  readonly oneStart?: number;
};

/** Matches the end of a file's name, after the name of one of this program's files: its locks and set-aside copies. */
const beside = /^\.(?:(?:entries\.)?lock|bad-.+)$/;

/** Matches the name of a lease, complete or not: a file beside the credentials that allows one process to renew. */
const claim = /^renewing-[0-9a-f]+-\d+(?:\.[0-9a-f]{8})?$/;

/**
 * Manages everything that this program keeps for itself. Anything else at the same place stays, and so does a parent
 * directory that was not created for this program.
 */
export const createOwnFiles = ({files, directories, programs, home, oneStart = 1_000}: OwnPlaces): OwnFiles => {
  const roots = [...new Set([...files, ...directories].map(dirname).concat(programs))];

  const owned = async (): Promise<readonly string[]> => {
    const names = new Set(files.map(path => basename(path)));
    const isOurs = (name: string) => {
      const own = [...names].find(one => name.startsWith(one) || name.startsWith(`.${one}.`));
      if (own === undefined) return claim.test(name);
      return (
        name === own || beside.test(name.slice(own.length)) || /^\.\d+-[0-9a-f]+\.tmp$/.test(name.slice(own.length + 1))
      );
    };
    const inRoots = await Promise.all(
      [...new Set(files.map(dirname))].map(async root =>
        (await namesIn(root)).filter(isOurs).map(name => join(root, name)),
      ),
    );
    const there = await Promise.all(directories.map(async path => ((await exists(path)) ? [path] : [])));
    const copies = await Promise.all(
      (await namesIn(programs)).map(async name => {
        const path = join(programs, name);
        const isCopy =
          isGoing.test(name) ||
          (await readFile(join(path, 'copy.json')).then(
            () => true,
            () => false,
          ));
        return isCopy ? [path] : [];
      }),
    );
    return [...new Set([inRoots, there, copies].flat(2))].toSorted();
  };

  /** Each root with the directories of `directoriesAbove`, the innermost first; empty if the root is the home. */
  const chains = roots.map(root => (root === home ? [] : [root, ...directoriesAbove(root, home)]));

  const marksFound = async (): Promise<readonly string[]> => {
    const marks = [...new Set(chains.flat())].map(markOf);
    const found = await Promise.all(marks.map(async path => ((await exists(path)) ? [path] : [])));
    return found.flat();
  };

  return {
    list: async () => [...new Set([...(await owned()), ...(await marksFound())])].toSorted(),
    remove: async () => {
      const found = await owned();
      const ours = [...found, ...roots.filter(isNamedAfterUs)];
      const births = (await Promise.all(ours.map(birthOf))).filter(birth => birth > 0);
      const since = Math.min(...births) - oneStart;
      for (const chain of chains) {
        const top = await topOf(chain, since);
        // A failure does no harm: a user who cannot write beside the directory cannot remove it either.
        if (top !== undefined) await writeFile(markOf(top), '', {mode: 0o600}).catch(() => {});
      }
      const held = [...files].map(path => `${entriesLockOf(path)}.lock`);
      for (const path of found) {
        if (held.includes(path)) continue;
        const isCopy = dirname(path) === programs && !files.includes(path);
        await (isCopy ? removeCopy(path) : rm(path, {recursive: true, force: true})).catch(() => {});
      }
    },
    removeDirectories: async () => {
      const marks = await marksFound();
      // The programs may lie in one of the other directories.
      const innermostFirst = [...chains].sort(([one = ''], [other = '']) => other.length - one.length);
      for (const chain of innermostFirst) {
        const end = chain.findLastIndex(path => marks.includes(markOf(path)));
        for (const path of chain.slice(0, end + 1)) await rmdir(path).catch(() => {});
      }
      // Done last: until here, a start after a kill finds what is still to be removed.
      for (const path of marks) await rm(path, {force: true}).catch(() => {});
      const left = await Promise.all(
        roots.map(async root =>
          (await namesIn(root)).map(name => join(root, name)).filter(path => !roots.includes(path)),
        ),
      );
      return left.flat().toSorted();
    },
  };
};

/** Returns the directories above a path, without the home and its parents, and without the root of the file system. */
const directoriesAbove = (path: string, home: string): readonly string[] => {
  const above = dirname(path);
  return above === home || dirname(above) === above ? [] : [above, ...directoriesAbove(above, home)];
};

/**
 * Returns the uppermost directory of a chain that was made for this program: one with its name, or one that was created
 * with its files. Undefined if the innermost is foreign.
 */
const topOf = async (chain: readonly string[], since: number): Promise<string | undefined> => {
  let top: string | undefined;
  for (const [index, path] of chain.entries()) {
    const isOurs = index === 0 && isNamedAfterUs(path);
    if (!isOurs && !((await birthOf(path)) >= since)) break;
    top = path;
  }
  return top;
};

/**
 * Returns the path of the file that marks a directory for removal. It lies beside the directory, not in it: so it
 * exists until the directory is gone, and a kill in between does not lose it.
 */
const markOf = (directory: string): string =>
  join(dirname(directory), `.${basename(directory)}.platform-setup-removed`);

/**
 * Whether a directory has this program's name, which no other program uses. One that SETUP_HOME names may be foreign.
 */
const isNamedAfterUs = (directory: string): boolean => basename(directory) === 'platform-setup';

const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Returns when a file or directory was created, in milliseconds since the epoch; 0 if the file system does not know.
 */
const birthOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({birthtimeMs}) => birthtimeMs,
    () => 0,
  );
