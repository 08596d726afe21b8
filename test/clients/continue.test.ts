import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {continueCli} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen} from './support/expect-seen.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {modelFor} from './support/model.ts';
import {testScopes} from './support/scopes.ts';
import {CLOSING, expectGoesOn, listing} from './support/two-calls.ts';

const CONFIG = '.continue/config.yaml';

/** Makes Continue write its file, with models of Anthropic, as at its first start with a key for them. */
const own = async ({program, project, home, env}: Machine) => {
  const options = {cwd: project, env: {...env, ANTHROPIC_API_KEY: 'none'}, stdio: 'ignore'} as const;
  const child = spawn(program, ['-p', 'Begin.'], options);
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const path = join(home, CONFIG);
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8'), {timeout: 60_000}).toContain('models:');
  // Continue would try to reach a model for a minute.
  child.kill('SIGKILL');
  await ended;
};

/** Runs one prompt, answered by a model of the test: the first model in Continue's file gets its address. */
const talk = async ({home, run}: Machine, url: string) => {
  const path = join(home, CONFIG);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('provider: anthropic\n', `provider: anthropic\n    apiBase: ${url}/v1/\n`));
  const ended = await run(['-p', '--auto', 'Begin.']);
  writeFileSync(path, text);
  return ended;
};

/** Expects a call in a conversation with one call. */
const expectCall = async (machine: Machine) => {
  const model = await modelFor([listing, {text: CLOSING}]);
  const {code, stdout} = await talk(machine, model.url);
  expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining(CLOSING)});
  expect(callsSeen(machine)).toEqual([['live', 200]]);
};

await describeClient(continueCli, installed => {
  testScopes(installed, {
    assistant: 'continue',
    chosen: {timeout: 30},
    seenAs: ['continue-cli-client'],
    files: {user: CONFIG},
    makesNone: true,
    own,
    // No command of the client connects, but a conversation does.
    expectConnected: expectCall,
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await machineWith(installed);
    await own(machine);
    await machine.connect('continue', '--scope', 'user');
    await expectGoesOn(machine, url => talk(machine, url));
  });

  test('does not read what a project names, which is said after it was written', async () => {
    const machine = await machineWith(installed);
    await own(machine);
    const said = await machine.connect('continue', '--scope', 'project');
    expect(said).toContain('command line, cn, does not read');
    const model = await modelFor([listing, {text: CLOSING}]);
    const {stdout} = await talk(machine, model.url);
    expect(stdout).toContain(`There is no ${listing.tool}`);
    expect(machine.servers.controlPlane.seen()).toEqual([]);
  });
});
