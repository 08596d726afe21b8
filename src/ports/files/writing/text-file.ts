import {closeSync, constants, openSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {limits, readRegularSync} from '../regular-file.ts';
import {directoryModes, makeDirectory} from './make-directory.ts';
import {handOver} from './owner.ts';

/** As a file is opened to be written, but for one that is none and would have to be waited for (open(2)). */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0);

/**
 * Small files of this program's own that can be lost, read and written at once: by a program that an assistant waits for.
 * What it throws is the file system's own error.
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
