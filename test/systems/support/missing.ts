import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';

let mayMount: boolean | undefined;

/** Returns what these tests lack on this machine. Undefined if nothing is missing. */
export const missing = (program?: 'bindfs'): string | undefined => {
  if (process.platform !== 'linux') return 'mount namespaces, which only Linux has';
  // Root in a container may lack this right.
  mayMount ??= spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
  if (!mayMount) return 'the right to mount, which root has';
  if (program === undefined) return undefined;
  const isThere = existsSync('/dev/fuse') && ['/usr/bin', '/bin'].some(one => existsSync(`${one}/${program}`));
  return isThere ? undefined : `${program} (Debian: ${program})`;
};
