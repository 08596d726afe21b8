import {stat} from 'node:fs/promises';
import {expect} from 'vitest';
import type {System} from '../../../src/assistants/place.ts';

/** The system that the tests run on, for places whose files are written to disk. */
export const systemHere: System =
  process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';

/** Returns the first value on Windows, and the second elsewhere. */
export const onWindowsOr = <Value>(windows: Value, elsewhere: Value): Value =>
  systemHere === 'win32' ? windows : elsewhere;

/**
 * Checks that a file has these permission bits. Skipped on Windows, which has none: Node derives some from whether a
 * file is read-only.
 */
export const expectMode = async (path: string, mode: number): Promise<void> => {
  if (systemHere !== 'win32') expect((await stat(path)).mode & 0o777).toBe(mode);
};
