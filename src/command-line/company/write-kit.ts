import {lstat, mkdtemp, readdir, rename, rm, rmdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {SetupError} from '../../errors/errors.ts';
import type {KitFile} from '../../flows/organisation/platform-files.ts';
import {codeOf} from '../../ports/files/error-code.ts';
import {writeFailure} from '../../ports/files/file-errors.ts';
import {directoryModes, makeDirectory} from '../../ports/files/writing/make-directory.ts';

/**
 * Writes all files of a kit, or none, into a directory that does not exist yet or is empty.
 *
 * @throws SetupError `input-invalid` if the directory is not empty, `local-write-failed`
 */
export const writeKit = async (directory: string, files: readonly Pick<KitFile, 'path' | 'text'>[]): Promise<void> => {
  const target = resolve(directory);
  await refuseFull(target, directory);
  let partial: string | undefined;
  try {
    makeDirectory(dirname(target), directoryModes.shared);
    // In the parent directory of the target, so that both are on one file system and a rename works.
    partial = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    const kit = join(partial, 'kit');
    for (const {path, text} of files) {
      const file = join(kit, ...path.split('/'));
      makeDirectory(dirname(file), directoryModes.shared);
      await writeFile(file, text, {flag: 'wx', mode: 0o644});
    }
    await rmdir(target).catch(ignoreMissing);
    await rename(kit, target);
  } catch (cause) {
    throw writeFailure(directory, cause);
  } finally {
    if (partial !== undefined) await rm(partial, {recursive: true, force: true});
  }
};

const refuseFull = async (target: string, directory: string): Promise<void> => {
  const kind = await lstat(target).catch(() => undefined);
  if (!kind) return;
  if (kind.isDirectory() && (await readdir(target)).length === 0) return;
  const why = kind.isDirectory() ? 'is not empty' : 'is a file';
  throw new SetupError('input-invalid', `${directory} ${why}. Nothing was written.`, {
    remedy: 'Choose a directory that does not exist yet.',
    about: {path: directory},
  });
};

const ignoreMissing = (error: unknown): void => {
  if (codeOf(error) !== 'ENOENT') throw error;
};
