import {copyFile, link, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {sha256} from '../domain/fingerprint.ts';
import {codeOf} from '../ports/files/error-code.ts';
import {writeFailure} from '../ports/files/file-errors.ts';
import {directoryModes, handOver, isAnothers, makeDirectory} from '../ports/files/owner.ts';
import {isAlive} from '../ports/processes/processes.ts';
import type {OwnCopies} from '../ports/storage.ts';

/**
 * Removes a copy of this program. The copy is renamed first, in one step: after a kill, the next removal recognises the
 * rest by its name.
 *
 * @param directory of the copy, or of what an earlier removal has left of it
 */
export const removeCopy = async (directory: string): Promise<void> => {
  const going = isGoing.test(directory) ? directory : `${directory}.${process.pid}.old`;
  try {
    if (going !== directory) await rename(directory, going);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(going, {recursive: true, force: true});
};

/** The names of copies that are incomplete, or being removed. */
export const isGoing = /\.(\d+)\.(?:new|old)$/;

/** The parts of a copy, besides the library below. */
const parts = ['bin', 'dist', 'package.json'];

/** The only library outside the bundle, because it is compiled for each system. It exists if npm could install it. */
const KEYRING = '@napi-rs/keyring';

const MANIFEST = 'copy.json';
const UNUSED = 'unused-since';

/**
 * Manages copies of this program, each in a directory of its own with the hashes of its files. A copy is complete or
 * does not exist: it is made beside its place, read back, and renamed.
 *
 * @param programs the directory of all copies
 */
export const createOwnCopies = (programs: string): OwnCopies => ({
  has: async copy => isWhole(copy.to, await sourcesOf(copy.from), copy.node),

  make: async ({from, to, node}) => {
    const temporary = `${to}.${process.pid}.new`;
    try {
      const sources = await sourcesOf(from);
      await removeLeftovers(programs);
      makeDirectory(programs, directoryModes.own);
      await fill(temporary, sources, node);
      if (!(await isWhole(temporary, sources, node))) throw Object.assign(new Error('short'), {code: 'EIO'});
      await putInPlace(temporary, to);
    } catch (error) {
      throw writeFailure(to, error);
    } finally {
      await rm(temporary, {recursive: true, force: true}).catch(() => {});
    }
  },

  list: async () => {
    const names = await readdir(programs).catch(() => []);
    const found = await Promise.all(
      names.map(async name => {
        const directory = join(programs, name);
        const [manifest, noted] = await Promise.all(
          [MANIFEST, UNUSED].map(file => readFile(join(directory, file), 'utf8').catch(() => undefined)),
        );
        // Without a manifest it is not a copy of this program. A copy that is incomplete or being removed does not count.
        if (manifest === undefined || isGoing.test(name)) return [];
        return [{directory, unusedSince: noted === undefined ? undefined : Number(noted) || 0}];
      }),
    );
    return found.flat();
  },

  note: async (directory, unusedSince) => {
    const path = join(directory, UNUSED);
    if (unusedSince === undefined) await rm(path, {force: true});
    else await create(path, String(unusedSince));
  },

  remove: removeCopy,
});

/**
 * Returns the files of the running program by their paths in a copy. Links are not followed: none is part of the
 * program.
 */
const sourcesOf = async (from: string): Promise<ReadonlyMap<string, string>> => {
  const sources = new Map<string, string>();
  // A checkout keeps its earlier builds for a day (scripts/build.js). Only the current one is copied.
  const current = await readFile(join(from, 'dist', 'current'), 'utf8').catch(() => undefined);
  const isOther = (name: string) => current !== undefined && /^(?:\.|[0-9a-f]{16})/.test(name) && name !== current;
  const add = async (path: string, name: string) => {
    if (!(await stat(path)).isDirectory()) {
      sources.set(name, path);
      return;
    }
    // One directory at a time: Yarn's Plug'n'Play does not say in which directory of an archive a file is.
    for (const entry of await readdir(path, {withFileTypes: true})) {
      if (name === 'dist' && isOther(entry.name)) continue;
      if (entry.isFile() || entry.isDirectory()) await add(join(path, entry.name), join(name, entry.name));
    }
  };
  for (const part of parts) await add(join(from, part), part);
  for (const [name, directory] of await keyringIn(from)) await add(directory, join('node_modules', name));
  return sources;
};

/**
 * Returns the directories of the library and of its parts for this system, by their names; none if it is not installed.
 */
const keyringIn = async (from: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  const find = async (name: string, by: string) => {
    const entry = createRequire(by).resolve(name);
    const directory = await packageOf(entry, name);
    found.set(name, directory);
    return {entry, directory};
  };
  try {
    const {entry, directory} = await find(KEYRING, join(from, 'package.json'));
    const {optionalDependencies = {}} = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    for (const name of Object.keys(optionalDependencies)) await find(name, entry).catch(() => {});
  } catch {}
  return found;
};

/**
 * Returns the directory of the package that a file belongs to. The directory's name does not tell: Deno has a directory
 * per version.
 */
const packageOf = async (file: string, name: string): Promise<string> => {
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
    const manifest = await readFile(join(at, 'package.json'), 'utf8').catch(() => '{}');
    if (JSON.parse(manifest).name === name) return at;
  }
  throw new Error(`${file} does not belong to a package named ${name}.`);
};

const fill = async (directory: string, sources: ReadonlyMap<string, string>, node: string | undefined) => {
  const hashes: Record<string, string> = {};
  for (const [name, source] of sources) {
    const path = join(directory, name);
    makeDirectory(dirname(path), directoryModes.own);
    const bytes = await readFile(source);
    hashes[name] = sha256(bytes);
    await create(path, bytes);
  }
  if (node !== undefined) {
    const path = join(directory, 'bin', basename(node));
    // Node is a hundred megabytes large, and a hard link needs no space. But a link always has the owner of the
    // original, so a directory of another user gets a copy.
    const copy = async () => {
      await copyFile(node, path);
      handOver(path);
    };
    await (isAnothers(dirname(path)) ? copy() : link(node, path).catch(copy));
  }
  await create(join(directory, MANIFEST), JSON.stringify({version: 1, files: hashes}));
};

const create = async (path: string, contents: string | Buffer): Promise<void> => {
  await writeFile(path, contents, {mode: 0o600});
  handOver(path);
};

/** Whether a copy has these files, byte for byte. Of the runtime, only the size is compared. */
const isWhole = async (
  directory: string,
  sources: ReadonlyMap<string, string>,
  node: string | undefined,
): Promise<boolean> => {
  try {
    const {files}: {files: Readonly<Record<string, string>>} = JSON.parse(
      await readFile(join(directory, MANIFEST), 'utf8'),
    );
    if (Object.keys(files).length !== sources.size) return false;
    for (const [name, source] of sources) {
      const [wanted, found] = await Promise.all([readFile(source), readFile(join(directory, name))]);
      if (files[name] !== sha256(wanted) || !wanted.equals(found)) return false;
    }
    if (node === undefined) return true;
    const [wanted, found] = await Promise.all([stat(node), stat(join(directory, 'bin', basename(node)))]);
    return wanted.size === found.size;
  } catch {
    return false;
  }
};

/** Puts a copy in its place. A directory that is already there is not as it should be, so it is moved aside. */
const putInPlace = async (temporary: string, to: string) => {
  const old = `${to}.${process.pid}.old`;
  await rename(to, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(temporary, to);
  await rm(old, {recursive: true, force: true});
};

/** Removes what a killed process has left. */
const removeLeftovers = async (programs: string) => {
  for (const name of await readdir(programs).catch(() => [])) {
    const pid = isGoing.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(programs, name), {recursive: true, force: true});
  }
};
