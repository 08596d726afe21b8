import {stat} from 'node:fs/promises';
import {expect} from 'vitest';
import type {System} from '../../../src/assistants/place.ts';

/** The system that the tests run on, for a place whose files are really written. */
export const systemHere: System =
  process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';

/** What stands on Windows in place of what stands elsewhere. */
export const onWindowsOr = <Value>(windows: Value, elsewhere: Value): Value =>
  systemHere === 'win32' ? windows : elsewhere;

/** That a file has these permission bits. Windows has none: Node makes some up there, from whether a file is read-only. */
export const expectMode = async (path: string, mode: number): Promise<void> => {
  if (systemHere !== 'win32') expect((await stat(path)).mode & 0o777).toBe(mode);
};
