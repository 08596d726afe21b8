import {readFileSync} from 'node:fs';
import {basename} from 'node:path';

/** No chain of programs is longer. */
const MOST = 64;

/**
 * Returns the first two words of the command line of each process that a process runs under, without directories, the
 * nearest process first (proc(5)). None on a system that has no such files.
 */
export const ancestorsOf = (pid: number): readonly string[] => ancestorPidsOf(pid).flatMap(namesOf);

/**
 * Returns the numbers of the processes that a process runs under, the nearest first, without the first process of the
 * system. None on a system that has no such files.
 */
export const ancestorPidsOf = (pid: number): readonly number[] => {
  const pids: number[] = [];
  for (let at = parentOf(pid); at !== undefined && at > 1 && pids.length < MOST; at = parentOf(at)) pids.push(at);
  return pids;
};

/** Returns the parent: a field after the name of the program, which may contain any characters. */
const parentOf = (pid: number): number | undefined => {
  const text = read(`/proc/${pid}/stat`);
  const parent = Number(text?.slice(text.lastIndexOf(')')).split(' ')[2]);
  return Number.isInteger(parent) ? parent : undefined;
};

/** Returns the name of the program, and the next word: that is the script if an interpreter runs one. */
const namesOf = (pid: number): readonly string[] => {
  const words = read(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  return words.slice(0, 2).map(word => basename(word));
};

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
