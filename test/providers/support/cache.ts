import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';

/** The directory outside of the checkout in which identity providers are kept after their first installation. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'platform-setup-tests');

export type Installed = {readonly directory: string} | {readonly missing: string};

/**
 * Returns a directory of the cache with an identity provider, which is installed once.
 *
 * @param put fills the directory, or fails
 */
export const installed = async (name: string, put: (directory: string) => Promise<void>): Promise<Installed> => {
  const directory = join(cache, name);
  const whole = join(directory, '.whole');
  if (existsSync(whole)) return {directory};
  // Removes what an interrupted run has left.
  rmSync(directory, {recursive: true, force: true});
  mkdirSync(directory, {recursive: true});
  try {
    await put(directory);
    writeFileSync(whole, '');
    return {directory};
  } catch (error) {
    rmSync(directory, {recursive: true, force: true});
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    return {missing: `${name} could not be installed: ${reason}`};
  }
};
