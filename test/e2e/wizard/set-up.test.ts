import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {ownClientId} from '../../../src/command-line/wizard/own-client-id.ts';
import {type Sandbox, startSandbox} from '../../../src/sandbox/sandbox.ts';
import {asUnderTest, createsClients, giveRoles, tellsLayouts} from '../../support/release.ts';
import {createSurroundings} from '../../support/terminal/terminal-environment.ts';
import {filesBelow, modeOf} from '../support/files.ts';
import {lastLine, runSetup, surroundingsForTest} from '../support/run.ts';
import {flagsFor, mcpClientSignIn} from '../support/sandbox.ts';

const jwtLine = /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/;

const surroundings = createSurroundings();
const env = {SETUP_HOME: join(surroundings.home, 'setup')};
const project = surroundings.temporary;
let sandbox: Sandbox;
let setUp: Awaited<ReturnType<typeof runSetup>>;

/** Starts a platform for as long as the test needs it. */
const openSandbox = async () => {
  const sandbox = await startSandbox(asUnderTest({layout: 'single', baseDomain: 'platform.localhost', port: 0}));
  giveRoles(sandbox);
  return sandbox;
};

const connect = ({ready}: Sandbox, options: Parameters<typeof runSetup>[1] & {project: string}) => {
  const {args, stdin} = mcpClientSignIn(ready);
  return runSetup(['--yes', '--json', '--project', options.project, ...flagsFor(ready), ...args], {...options, stdin});
};

beforeAll(async () => {
  sandbox = await openSandbox();
  setUp = await connect(sandbox, {surroundings, env, project});
});

afterAll(async () => {
  await sandbox.close();
  surroundings.remove();
});

test('setup connects to a platform from flags alone', async () => {
  expect(setUp).toMatchObject({code: 0, stderr: ''});
  const {baseDomain, controlPlaneUrl} = sandbox.ready;
  const layout = tellsLayouts ? 'single' : 'unknown';
  expect(lastLine(setUp.stdout)).toMatchObject({type: 'done', baseDomain, controlPlaneUrl, layout});
  expect(modeOf(env.SETUP_HOME)).toBe(0o700);
  expect(modeOf(join(env.SETUP_HOME, 'credentials.json'))).toBe(0o600);
  expect(modeOf(join(project, '.mcp.json'))).toBe(0o600);
});

test('setup status says who is signed in, and where', async () => {
  const {code, stdout, stderr} = await runSetup(['status', '--json'], {surroundings, env});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const {controlPlaneUrl, authUrl} = sandbox.ready;
  const secondsLeft = expect.toSatisfy((seconds: number) => seconds > 0);
  expect(JSON.parse(stdout).contexts).toMatchObject([
    {
      name: 'platform',
      current: true,
      controlPlaneUrl,
      authUrl,
      clientId: createsClients ? ownClientId({}) : 'sandbox_mcp_client',
      secondsLeft,
    },
  ]);
});

test('setup token prints the token and nothing else', async () => {
  const {code, stdout, stderr} = await runSetup(['token'], {surroundings, env});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(jwtLine);
});

test('setup component list prints both versions and the components', async () => {
  const {code, stdout, stderr} = await runSetup(['component', 'list'], {surroundings, env});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(/^CLI version: +\d+\.\d+\.\d+$/m);
  expect(stdout).toMatch(/^Server version: +\d+\.\d+/m);
  const [, header, component] = /^(NAME +PROJECT.*)\n(\S+ .*)$/m.exec(stdout) ?? [];
  expect(header).toContain('NAMESPACE');
  expect(component).toBeDefined();
});

test('a token that is still good needs no platform', async () => {
  const own = surroundingsForTest();
  const ending = await openSandbox();
  await connect(ending, {surroundings: own, project: own.temporary});
  const before = await runSetup(['token'], {surroundings: own});
  await ending.close();
  const after = await runSetup(['token'], {surroundings: own});
  expect(after).toMatchObject({code: 0, stderr: '', stdout: before.stdout});
});

test('a wrong password ends the run, and nothing is written', async () => {
  const own = surroundingsForTest();
  const args = ['--yes', '--json', ...flagsFor(sandbox.ready), ...mcpClientSignIn(sandbox.ready).args];
  const {code, stdout, stderr} = await runSetup(args, {surroundings: own, stdin: 'not-the-password\n'});
  expect({code, stderr}).toEqual({code: 4, stderr: ''});
  expect(lastLine(stdout)).toMatchObject({
    type: 'failed',
    code: expect.stringMatching(/^auth-(admin|client)-refused$/),
  });
  expect(stdout).not.toContain('not-the-password');
  expect([...filesBelow(own.home), ...filesBelow(own.temporary)]).toEqual([]);
});

test('without a terminal, an answer that is missing names its flag', async () => {
  const {code, stdout, stderr} = await runSetup(flagsFor(sandbox.ready));
  expect(code).toBe(2);
  expect(stdout).toMatch(
    tellsLayouts ? /^Deployment platform\.localhost: single-cluster\./m : /^Deployment platform\.localhost\.$/m,
  );
  expect(stderr).toContain('--sign-in');

  const {stdout: json, stderr: nothing} = await runSetup(['--json', ...flagsFor(sandbox.ready)]);
  expect(lastLine(json)).toMatchObject({type: 'failed', code: 'input-required'});
  expect(nothing).toBe('');
});
