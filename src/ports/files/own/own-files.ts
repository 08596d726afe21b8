import {lstat, readdir, readFile, rm, rmdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {OwnFiles} from '../../storage.ts';

/** Where this program keeps what. */
export type OwnPlaces = {
  /** Files, which may have locks, temporary files and set-aside copies beside them. */
  readonly files: readonly string[];
  /** Directories in which everything is this program's. */
  readonly directories: readonly string[];
  /** The directory of its copies, among which somebody else's directories may lie. */
  readonly programs: string;
  /** The person's home, which stays whatever is in it. */
  readonly home: string;
  /** How far apart, in milliseconds, directories may be made that one start of this program makes. */
  readonly oneStart?: number;
};

/** What is made beside a file of ours, after its name: its lock, its second name, and what was set aside or left behind. */
const beside = /^\.(?:lock|former|(?:bad|tmp)-.+)$/;

/** The rights to send a refresh token, which lie beside the credentials. */
const claim = /^renewing-[0-9a-f]+-\d+$/;

/** What a copy of the program has, also one that was not finished. */
const copyName = /\.\d+\.(?:new|old)$/;

/**
 * Everything that this program keeps for itself. Whatever else lies there is somebody's, and stays. So does a directory
 * above that was there before ours.
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
          copyName.test(name) ||
          (await readFile(join(path, 'copy.json')).then(
            () => true,
            () => false,
          ));
        return isCopy ? [path] : [];
      }),
    );
    return [...new Set([inRoots, there, copies].flat(2))].toSorted();
  };

  return {
    list: owned,
    remove: async () => {
      const found = await owned();
      const ours = [...found, ...roots.filter(isNamedAfterUs)];
      const births = (await Promise.all(ours.map(birthOf))).filter(birth => birth > 0);
      const since = Math.min(...births) - oneStart;
      for (const path of found) await rm(path, {recursive: true, force: true}).catch(() => {});
      // The programs may lie in one of the others.
      const innermostFirst = [...roots].sort((one, other) => other.length - one.length);
      for (const root of innermostFirst) await removeUpwards(root, {since, home});
      const left = await Promise.all(
        roots.map(async root =>
          (await namesIn(root)).map(name => join(root, name)).filter(path => !roots.includes(path)),
        ),
      );
      return left.flat().toSorted();
    },
  };
};

/** Removes a directory, and those above it that came with it, as long as they are empty. */
const removeUpwards = async (
  directory: string,
  {since, home}: {readonly since: number; readonly home: string},
): Promise<void> => {
  for (let path = directory; path !== home && dirname(path) !== path; path = dirname(path)) {
    const isOurs = path === directory && isNamedAfterUs(path);
    if (!isOurs && !((await birthOf(path)) >= since)) return;
    const isRemoved = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
};

/** Nobody else makes such a directory; one that SETUP_HOME names may be anybody's. */
const isNamedAfterUs = (directory: string): boolean => basename(directory) === 'platform-setup';

const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** When a file or directory was made, in milliseconds since the epoch; 0 where the file system does not know. */
const birthOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({birthtimeMs}) => birthtimeMs,
    () => 0,
  );
