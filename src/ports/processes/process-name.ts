import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import type {ProcessName} from '../../domain/credentials.ts';

/** The running program, for others on this machine to find out whether it still runs. */
export const ownName = (): ProcessName => {
  const started = startOf(process.pid);
  return {pid: process.pid, host: hostname(), ...(started === undefined ? {} : {started})};
};

/** Whether a process still runs, suspended or not; undefined where that cannot be known, as of one of another machine. */
export const isRunning = ({pid, host, started}: ProcessName): boolean | undefined => {
  if (host !== hostname()) return undefined;
  if (!isAlive(pid)) return false;
  // The system gives numbers out again.
  if (started === undefined) return undefined;
  return startOf(pid) === started;
};

/** Whether a process of this machine has that number. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is not ours to ask, and lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** When a process started, as Linux counts it (proc(5)): the field behind the name, which may hold anything. */
const startOf = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
};
