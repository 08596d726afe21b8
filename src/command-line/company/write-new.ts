import {writeFile} from 'node:fs/promises';
import {SetupError} from '../../errors/errors.ts';
import {codeOf} from '../../ports/files/error-code.ts';
import {writeFailure} from '../../ports/files/file-errors.ts';

/**
 * Writes a company file, where there is no file of that name yet.
 *
 * @throws SetupError `input-invalid` where there is one, `local-write-failed`
 */
export const writeNew = async (path: string, text: string): Promise<void> => {
  try {
    // For everybody to read, and for nobody else to change, whatever the umask leaves out.
    await writeFile(path, text, {flag: 'wx', mode: 0o644});
  } catch (cause) {
    const about = {path, flag: 'output'};
    if (codeOf(cause) === 'EEXIST') {
      throw new SetupError('input-invalid', `${path} is there already.`, {
        cause,
        remedy: 'Remove it, or name another file with --output.',
        about,
      });
    }
    throw writeFailure(path, cause);
  }
};
