import {ChildProcess} from 'node:child_process';
import {chmod, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createProcesses} from '../../../src/ports/processes/node-processes.ts';
import {temporaryDirectory} from '../../support/place.ts';

const signal = new AbortController().signal;

/** A program of that name on a PATH of its own, beside the system's. */
const withProgram = async (name: string, script: string) => {
  const directory = await temporaryDirectory();
  const path = join(directory, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return createProcesses({PATH: [directory, '/usr/bin', '/bin'].join(delimiter), CLI_CLIENT_SECRET: 'canary'});
};

test('output and exit code are read', async () => {
  const processes = await withProgram('helm', 'echo "$1 of $2"; echo oops >&2; exit 3');
  expect(await processes.run('helm', ['values', 'a release'], {timeout: 5_000, signal})).toEqual({
    outcome: 'exited',
    code: 3,
    stdout: 'values of a release\n',
    stderr: 'oops\n',
  });
});

test('a program that is not installed is an outcome', async () => {
  expect(await createProcesses({PATH: ''}).run('helm', [], {timeout: 5_000, signal})).toEqual({outcome: 'missing'});
});

test('one that hangs is ended at its time, with what it started', async () => {
  const processes = await withProgram('kubectl', 'sleep 60');
  expect(await processes.run('kubectl', [], {timeout: 100, signal})).toEqual({outcome: 'timed-out'});
});

test('secrets of the environment are not passed on', async () => {
  const processes = await withProgram('helm', 'env');
  const result = await processes.run('helm', [], {timeout: 5_000, signal});
  expect(JSON.stringify(result)).not.toContain('canary');
});

test('stopping ends it', async () => {
  const processes = await withProgram('helm', 'sleep 60');
  const controller = new AbortController();
  const run = processes.run('helm', [], {timeout: 60_000, signal: controller.signal});
  controller.abort(new Error('stopped'));
  await expect(run).rejects.toThrow('stopped');
});

test('stopping while one that is not installed is started signals nobody', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill');
  onTestFinished(() => kill.mockRestore());
  const processes = createProcesses({PATH: ''});
  const controller = new AbortController();
  const run = processes.run('helm', [], {timeout: 60_000, signal: controller.signal});
  const conversation = await processes.open('helm', [], {env: {}, signal: controller.signal});
  controller.abort(new Error('stopped'));
  conversation.close();
  await expect(run).rejects.toThrow('stopped');
  expect(kill).not.toHaveBeenCalled();
});
