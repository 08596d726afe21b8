import {expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {modeOf} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {lastLine, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {addressFrom} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';

/** Sets up a platform, its service account, and a home to sign in from. */
const place = async () => {
  const {ready, flags, end} = await platformForTest();
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const login = (args: readonly string[], {env = {}, stdin = ''} = {}) =>
    runSetup(['login', '--client-credentials', ...flags, ...args], {surroundings, env, stdin});
  return {ready, end, store, surroundings, login, ...clientOf(ready, 'client_secret_post')};
};

const WRONG = 'not-the-secret-of-this-client';

test('CLI_CLIENT_ID and CLI_CLIENT_SECRET sign a service account in', async () => {
  const {login, store, surroundings, clientId, secret} = await place();
  const {code, stdout, stderr} = await login(['--json'], {env: {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret}});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(lastLine(stdout)).toMatchObject({type: 'done', account: clientId});
  const {accessToken = '', ...kept} = store.only();
  expect(kept).toMatchObject({clientId, clientSecret: secret});
  expect(kept).not.toHaveProperty('refreshToken');
  expect(modeOf(store.credentialsPath)).toBe(0o600);
  expectWithout(stdout, accessToken, secret);

  // The program gets a new token by itself, without the variables of the first run.
  store.expire();
  const again = await runSetup(['token'], {surroundings});
  expect(again).toMatchObject({code: 0, stderr: ''});
  expect(again.stdout.trim()).not.toBe(accessToken);
});

test.each([
  ['as a shell pipes it', (secret: string) => `${secret}\n`],
  ['as programs of Windows write it', (secret: string) => `\uFEFF${secret}\r\n`],
])('the ID by flag and the secret on standard input, %s', async (_name, written) => {
  const {login, clientId, secret} = await place();
  const {code, stdout, stderr} = await login(['--client-id', clientId, '--client-secret-stdin'], {
    stdin: written(secret),
  });
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toContain(`Signed in as ${clientId}`);
  expectWithout(stdout, secret);
});

test('a wrong secret names the client, and shows no secret', async () => {
  const {login, store, clientId} = await place();
  const {code, stdout, stderr} = await login(['--client-id', clientId, '--client-secret-stdin'], {stdin: `${WRONG}\n`});
  expect(code).toBe(4);
  expect(stderr).toContain(clientId);
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.any(String),
    expect.stringMatching(/^More: npx setup explain auth-/),
  ]);
  expectWithout(stdout + stderr, WRONG);
  expect(store.exists()).toBe(false);
});

test('a secret in the arguments works, and warns', async () => {
  const {login, clientId, secret} = await place();
  const {code, stdout, stderr} = await login(['--client-id', clientId, '--client-secret', secret]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Warning: others on this machine can see --client-secret\..*\n$/);
  expectWithout(stdout + stderr, secret);
});

test.each([
  {name: 'a flag wins over standard input and the environment', right: 'flag', wrong: ['stdin', 'env']},
  {name: 'standard input wins over the environment', right: 'stdin', wrong: ['env']},
  {name: 'a wrong flag is not made up for', right: 'env', wrong: ['flag'], code: 4},
])('$name', async ({right, wrong, code = 0}) => {
  const {login, clientId, secret} = await place();
  const given = (source: string) => (source === right ? secret : wrong.includes(source) ? WRONG : undefined);
  const [flag, stdin, env] = ['flag', 'stdin', 'env'].map(given);
  const args = [...(flag ? ['--client-secret', flag] : []), ...(stdin ? ['--client-secret-stdin'] : [])];
  const run = await login(['--client-id', clientId, ...args], {
    env: {CLI_CLIENT_ID: 'another-client', ...(env ? {CLI_CLIENT_SECRET: env} : {})},
    stdin: `${stdin ?? ''}\n`,
  });
  expect(run.code, run.stderr).toBe(code);
  expect(`${run.stdout}${run.stderr}`).toContain(clientId);
  expect(`${run.stdout}${run.stderr}`).not.toContain('another-client');
});

test('without a secret, the flag that would give it is named', async () => {
  const {login} = await place();
  const {code, stderr} = await login(['--client-id', 'somebody']);
  expect(code).toBe(2);
  expect(stderr).toContain('--client-secret-stdin');
});

test('CLI_CLIENT_ID names a service account, and not the client that a person signs in with', async () => {
  const {flags} = await platformForTest();
  const run = startSetup(['login', '--no-browser', ...flags], {env: {CLI_CLIENT_ID: 'service-account'}});
  expect(new URL(await addressFrom(run)).searchParams.get('client_id')).toBe('platform-cli');
});

test('a platform that is gone while the token is good is named, and nothing crashes', async () => {
  const {login, end, surroundings, ready, clientId, secret} = await place();
  await login(['--client-id', clientId, '--client-secret-stdin'], {stdin: `${secret}\n`});
  await end();
  const words = await runSetup(['component', 'list'], {surroundings});
  expect(words).toMatchObject({code: 3, stdout: '', stderr: expect.stringContaining(ready.controlPlaneUrl)});
  expect(words.stderr.trimEnd().split('\n')).toEqual([expect.any(String), 'More: npx setup explain network-refused']);
  const json = await runSetup(['component', 'list', '--json'], {surroundings});
  expect({code: json.code, stderr: json.stderr}).toEqual({code: 3, stderr: ''});
  expect(lastLine(json.stdout)).toMatchObject({type: 'failed', code: 'network-refused'});
});
