import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import type {ProcessName} from '../../domain/credentials.ts';

/** Returns the identity of this process, with which other processes on this machine check whether it still runs. */
export const ownName = (): ProcessName => {
  const started = startOf(process.pid);
  return {pid: process.pid, host: hostname(), ...(started === undefined ? {} : {started})};
};

/** Whether a process still runs, suspended or not; undefined if that cannot be known, as for one on another machine. */
export const isRunning = ({pid, host, started}: ProcessName): boolean | undefined => {
  if (host !== hostname()) return undefined;
  if (!isAlive(pid)) return false;
  // The system reuses process numbers, so without the time of its start the process may be another one.
  if (started === undefined) return undefined;
  return startOf(pid) === started;
};

/** Whether a process of this machine has that number. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process refuses the signal, but runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * Returns when a process started, as Linux counts it (proc(5)): a field after the name, which may contain any
 * characters.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
};
