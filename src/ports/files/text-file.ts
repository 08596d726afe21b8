import {closeSync, constants, openSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {directoryModes, handOver, makeDirectory} from './owner.ts';
import {limits, readRegularSync} from './regular-file.ts';

/** Flags to open a file for writing, without waiting if it is not a regular file (open(2)). */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0);

/**
 * Reads and writes small files of this program that may be lost, synchronously, because an assistant waits for the
 * program. Throws `UnfitFile` and the file system's own errors.
 */
export const textFile = {
  read: (path: string): string => readRegularSync(path, limits.own).bytes.toString('utf8'),
  write: (path: string, text: string): void => {
    makeDirectory(dirname(path), directoryModes.own);
    const descriptor = openSync(path, FLAGS, 0o600);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    handOver(path);
  },
};
