import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';

/** Where identity providers are kept from the first run on, outside of the checkout. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'platform-setup-tests');

export type Installed = {readonly directory: string} | {readonly missing: string};

/**
 * A directory of the cache with an identity provider in it, which is put there once.
 *
 * @param put fills it, or fails
 */
export const installed = async (name: string, put: (directory: string) => Promise<void>): Promise<Installed> => {
  const directory = join(cache, name);
  const whole = join(directory, '.whole');
  if (existsSync(whole)) return {directory};
  // What a run has left that was ended.
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
