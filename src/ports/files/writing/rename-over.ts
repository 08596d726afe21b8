import {rename} from 'node:fs/promises';
import {setTimeout as pause} from 'node:timers/promises';
import {codeOf} from '../error-code.ts';

/** Error codes of Windows while another program has the target open: an editor, a virus scanner. */
const inUse: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long to wait for that, and the pause between two attempts, in milliseconds. */
const [PATIENCE, PAUSE] = [4_000, 100];

type System = {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/**
 * Replaces a file by another. Windows refuses that while a program has the target open, which most do only for a
 * moment: it is tried again for some seconds. On other systems an error is final.
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
