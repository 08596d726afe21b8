import {writeFile} from 'node:fs/promises';
import {SetupError} from '../errors/errors.ts';
import {codeOf} from '../ports/files/error-code.ts';
import {writeFailure} from '../ports/files/file-errors.ts';

/**
 * Writes a new company file.
 *
 * @throws SetupError `input-invalid` if the file exists, `local-write-failed`
 */
export const writeNew = async (path: string, text: string): Promise<void> => {
  try {
    // Everybody may read it, and nobody else may change it; the umask can only take rights away.
    await writeFile(path, text, {flag: 'wx', mode: 0o644});
  } catch (cause) {
    const about = {path, flag: 'output'};
    if (codeOf(cause) === 'EEXIST') {
      throw new SetupError('input-invalid', `${path} already exists.`, {
        cause,
        remedy: 'Remove it, or name another file with --output.',
        about,
      });
    }
    throw writeFailure(path, cause);
  }
};
