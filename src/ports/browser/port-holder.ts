import {readdir, readFile, readlink, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {parseJson} from '../../json.ts';
import type {Processes} from '../ports.ts';

export type PortHolder = {
  readonly pid: number;
  readonly name: string;
  /** True if the holder is this program, in another window or started by an assistant. */
  readonly isThisProgram?: true;
  /** True if the holder is this program's bridge, which an assistant has started. */
  readonly isBridge?: true;
};

/** Describes the holder of a port in words; “another program” if the holder is unknown. */
export const describeHolder = (holder: PortHolder | undefined): string => {
  if (!holder) return 'another program';
  const own = holder.isBridge ? 'a sign-in that an assistant started' : 'this program in another window';
  const name = holder.isThisProgram ? own : holder.name;
  return `${name} (process ${holder.pid})`;
};

/**
 * Returns the program that listens on a TCP port of this machine, if the system reveals it: /proc on Linux, `lsof` on
 * macOS. Undefined if it belongs to another user or the system does not say. Never throws.
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
      return {pid: Number(entry), ...(await programOf(entry))};
    }
  }
  return undefined;
};

/** Describes the program of a process by its command line, because `comm` may be the name of a thread. */
const programOf = async (pid: string): Promise<Omit<PortHolder, 'pid'>> => {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  const name = basename(words[0] ?? '') || (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
  return {name, ...(await ownIn(words))};
};

/** Recognises a command line that starts this program, and whether it starts the bridge. */
const ownIn = async (words: readonly string[]): Promise<Omit<PortHolder, 'pid' | 'name'>> => {
  const launcher = (await Promise.all(words.map(isLauncher))).indexOf(true);
  if (launcher < 0) return {};
  const [group, action] = words.slice(launcher + 1);
  return {isThisProgram: true, ...(group === 'mcp' && action === 'serve' ? {isBridge: true} : {})};
};

/** Whether a word of a command line is the launcher of this program, in any copy of it. */
const isLauncher = async (word: string): Promise<boolean> => {
  try {
    const path = await realpath(word);
    if (basename(path) !== 'setup.js') return false;
    const text = await readFile(join(dirname(dirname(path)), 'package.json'), 'utf8');
    return recordIn(parseJson(text))?.name === 'platform-setup';
  } catch {
    return false;
  }
};

const recordIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? {...value} : undefined;

const fromLsof = async (port: number, processes: Processes): Promise<PortHolder | undefined> => {
  const signal = new AbortController().signal;
  const result = await processes.run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    timeout: 2_000,
    signal,
  });
  if (result.outcome !== 'exited') return undefined;
  const pid = /^p(\d+)$/m.exec(result.stdout)?.[1];
  const name = /^c(.+)$/m.exec(result.stdout)?.[1];
  if (!pid || !name) return undefined;
  const called = await processes.run('ps', ['-ww', '-o', 'args=', '-p', pid], {timeout: 2_000, signal});
  const words = called.outcome === 'exited' ? called.stdout.trim().split(' ') : [];
  return {pid: Number(pid), name, ...(await ownIn(words))};
};
