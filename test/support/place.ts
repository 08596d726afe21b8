import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Dispatcher} from 'undici';
import {onTestFinished} from 'vitest';
import {compose} from '../../src/compose.ts';
import {unfinishedWork} from '../../src/ports/exit-guard.ts';
import type {Env, Ports} from '../../src/ports/ports.ts';
import {quickConfigWriter} from './quick-config-writer.ts';

/** Creates an empty directory that is removed when the test ends. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-test-'));
  onTestFinished(async () => {
    // A renewal may still run in the background.
    await unfinishedWork();
    await rm(directory, {recursive: true, force: true, maxRetries: 3});
  });
  return directory;
};

/**
 * Returns the real ports in a home of the test, with no program on PATH. `dispatcher` makes their calls; by default
 * undici does.
 */
export const portsIn = (
  home: string,
  env: Env = {},
  allowHttp: readonly string[] = [],
  dispatcher?: Dispatcher,
): Ports =>
  compose(
    {HOME: home, SETUP_HOME: home, PATH: '', ...env},
    {allowHttp, dispatcher, loadConfigWriter: async () => quickConfigWriter},
  );

/** Makes every pause of a flow a hundredth as long, as those between two polls of the device flow. */
export const hurried = ({clock, ...ports}: Ports): Ports => ({
  ...ports,
  clock: {...clock, sleep: (ms, signal) => clock.sleep(ms / 100, signal)},
});

export const temporaryPorts = async (env: Env = {}): Promise<Ports> => portsIn(await temporaryDirectory(), env);
