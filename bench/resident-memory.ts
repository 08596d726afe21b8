import {readFileSync} from 'node:fs';

/** Returns the resident memory of a process in MiB. Undefined if the system does not report it. */
export const residentMemory = (pid: number): number | undefined => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
};
