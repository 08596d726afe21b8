import {rename} from 'node:fs/promises';
import {setTimeout as pause} from 'node:timers/promises';
import {codeOf} from '../error-code.ts';

/** What Windows says while another program has the file open that is to be replaced: an editor, a virus scanner. */
const inUse: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long it is waited for that, and how long between two looks, in milliseconds. */
const [PATIENCE, PAUSE] = [4_000, 100];

type System = {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/**
 * Puts a file in the place of another. Windows does not let that be while a program has the other one open, which most
 * have for a moment: it is tried again for some seconds. Elsewhere an error is one at once.
 *
 * @throws Node's error; on Windows, after that time, one whose code is `EBUSY`
 */
export const renameOver = async (from: string, to: string, system: System = {}): Promise<void> => {
  const {platform = process.platform} = system;
  const [move, wait] = [system.rename ?? rename, system.pause ?? pause];
  for (let waited = 0; ; waited += PAUSE) {
    try {
      await move(from, to);
      return;
    } catch (error) {
      if (platform !== 'win32' || !inUse.has(codeOf(error))) throw error;
      if (waited >= PATIENCE) throw Object.assign(new Error(`${to} is in use.`, {cause: error}), {code: 'EBUSY'});
    }
    await wait(PAUSE);
  }
};
