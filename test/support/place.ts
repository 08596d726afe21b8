import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Dispatcher} from 'undici';
import {onTestFinished} from 'vitest';
import {compose} from '../../src/compose.ts';
import type {Env, Ports} from '../../src/ports/ports.ts';
import {unfinishedWork} from '../../src/ports/processes/unfinished.ts';

/** An empty directory that is gone when the test is over. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-test-'));
  onTestFinished(async () => {
    // A renewal may have been begun beside what was asked for.
    await unfinishedWork();
    await rm(directory, {recursive: true, force: true, maxRetries: 3});
  });
  return directory;
};

/** The real ports in a home of the test's own, with no program on PATH. `dispatcher` makes their calls, undici without it. */
export const portsIn = (
  home: string,
  env: Env = {},
  allowHttp: readonly string[] = [],
  dispatcher?: Dispatcher,
): Ports => compose({HOME: home, SETUP_HOME: home, PATH: '', ...env}, {allowHttp, dispatcher});

export const temporaryPorts = async (env: Env = {}): Promise<Ports> => portsIn(await temporaryDirectory(), env);
