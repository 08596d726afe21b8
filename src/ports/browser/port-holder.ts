import {readdir, readFile, readlink} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Processes} from '../ports.ts';

export type PortHolder = {readonly pid: number; readonly name: string};

/**
 * The program that listens on a TCP port of this machine, as far as the system tells: /proc on Linux, `lsof` on macOS.
 * Undefined when it is another user's or the system does not say. Never throws.
 */
export const findPortHolder = async (port: number, processes: Processes): Promise<PortHolder | undefined> => {
  try {
    if (process.platform === 'linux') return await fromProc(port);
    if (process.platform === 'darwin') return await fromLsof(port, processes);
    return undefined;
  } catch {
    return undefined;
  }
};

const LISTEN = '0A';

const fromProc = async (port: number): Promise<PortHolder | undefined> => {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  );
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set<string>();
  for (const line of tables.flatMap(table => table.split('\n').slice(1))) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state === LISTEN && local?.endsWith(`:${wanted}`)) sockets.add(`socket:[${inode}]`);
  }
  if (sockets.size === 0) return undefined;

  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const descriptors = await readdir(`/proc/${entry}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      const link = await readlink(`/proc/${entry}/fd/${descriptor}`).catch(() => '');
      if (!sockets.has(link)) continue;
      return {pid: Number(entry), name: await nameOf(entry)};
    }
  }
  return undefined;
};

/** How the program was called: its threads may have other names. */
const nameOf = async (pid: string): Promise<string> => {
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return basename(program) || (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
};

const fromLsof = async (port: number, processes: Processes): Promise<PortHolder | undefined> => {
  const signal = new AbortController().signal;
  const result = await processes.run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    timeout: 2_000,
    signal,
  });
  if (result.outcome !== 'exited') return undefined;
  const pid = /^p(\d+)$/m.exec(result.stdout)?.[1];
  const name = /^c(.+)$/m.exec(result.stdout)?.[1];
  return pid && name ? {pid: Number(pid), name} : undefined;
};
