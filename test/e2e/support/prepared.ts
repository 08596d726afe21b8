import {cpSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, beforeEach} from 'vitest';
import {createSurroundings, type Surroundings} from '../../support/terminal/terminal-environment.ts';
import {type Platform, startPlatform} from './platform.ts';

/** The material of a preparation: a platform, and directories that are still empty. */
type Bare = {readonly platform: Platform; readonly surroundings: Surroundings};

/**
 * Prepares a machine once for all tests of a `describe`, and restores its files before each test. All tests share the
 * platform, so a test that changes it needs one of its own. Only for sign-ins that can be repeated: a spent refresh
 * token would come back with the files.
 */
export const preparedOnce = <Machine>(prepare: (bare: Bare) => Promise<Machine>): (() => Machine) => {
  const surroundings = createSurroundings();
  const directory = dirname(surroundings.home);
  const kept = `${directory}-kept`;
  let platform: Platform | undefined;
  let machine: {readonly of: Machine} | undefined;

  beforeAll(async () => {
    platform = await startPlatform();
    machine = {of: await prepare({platform, surroundings})};
    cpSync(directory, kept, {recursive: true, preserveTimestamps: true});
  });
  beforeEach(() => {
    for (const name of ['home', 'tmp', 'bin']) {
      rmSync(join(directory, name), {recursive: true, force: true});
      cpSync(join(kept, name), join(directory, name), {recursive: true, preserveTimestamps: true});
    }
  });
  afterAll(async () => {
    await platform?.end();
    surroundings.remove();
    rmSync(kept, {recursive: true, force: true});
  });
  return () => {
    if (!machine) throw new Error('The machine is prepared before the first test, and there for tests only.');
    return machine.of;
  };
};
