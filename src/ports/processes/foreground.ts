import type {Processes} from '../ports.ts';

/**
 * Whether this process controls its terminal: the system stops a background process that reads from it (POSIX, terminal
 * access control). True if the system does not tell. Never throws.
 */
export const isForeground = async ({run}: Pick<Processes, 'run'>): Promise<boolean> => {
  if (process.platform === 'win32') return true;
  const {signal} = new AbortController();
  const args = ['-o', 'tpgid=', '-o', 'pgid=', '-p', String(process.pid)];
  const asked = await run('ps', args, {timeout: 1_000, signal}).catch(() => undefined);
  if (asked?.outcome !== 'exited') return true;
  const [terminals, own] = asked.stdout.trim().split(/\s+/).map(Number);
  return terminals === undefined || !(terminals > 0) || terminals === own;
};
