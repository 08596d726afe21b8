import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {compose} from '../../src/compose.ts';
import type {Env, Ports} from '../../src/ports/ports.ts';

/** An empty directory that is gone when the test is over. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-test-'));
  onTestFinished(() => rm(directory, {recursive: true, force: true}));
  return directory;
};

/** The real ports in a home of the test's own, with no program on PATH. */
export const portsIn = (home: string, env: Env = {}, allowHttp: readonly string[] = []): Ports =>
  compose({HOME: home, SETUP_HOME: home, PATH: '', ...env}, {allowHttp});

export const temporaryPorts = async (env: Env = {}): Promise<Ports> => portsIn(await temporaryDirectory(), env);
