import {describe, expect, test} from 'vitest';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import {clientOf, runningPlatform} from '../../support/platform.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {lastLine, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {flagsFor} from '../support/sandbox.ts';
import {openSetup} from '../support/wizard.ts';

const names = Object.keys(releases) as ReleaseName[];

/** Starts the built program with a platform of a release and a service account that exists from the start. */
const begin = async (release: ReleaseName) => {
  const sandbox = await runningPlatform('single', {
    release,
    platform: 'openchoreo',
    baseDomain: 'openchoreo.localhost',
  });
  const {ready} = sandbox;
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const subject = ready.clients.find(one => one.clientId === clientId)?.subject ?? clientId;
  const surroundings = surroundingsForTest();
  const env = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  const run = (...args: string[]) => runSetup(args, {surroundings, env});
  const words = ['--yes', '--json', '--sign-in', 'service-account', '--assistants', 'cursor', ...flagsFor(ready)];
  const wizard = (...args: string[]) => run(...words, ...args);
  const start = (...args: string[]) => startSetup([...words, ...args], {surroundings, env});
  /** Runs the same in a narrow terminal. */
  const inTerminal = (columns: number) => {
    const args = ['--yes', '--sign-in', 'service-account', '--assistants', 'none', ...flagsFor(ready)];
    return openSetup(args, {env: {...surroundings.env, ...env}, columns});
  };
  return {sandbox, subject, run, wizard, start, inTerminal};
};

describe.each(rowsOfTable(names))('release %s', release => {
  test('a service account with a role is connected, and every command works for it', async () => {
    const {sandbox, subject, run, wizard} = await begin(release);
    sandbox.bind({claim: 'sub', value: subject});
    const done = await wizard();
    expect(done.stderr).toBe('');
    expect(lastLine(done.stdout)).toMatchObject({type: 'done', platform: 'openchoreo'});

    const components = await run('component', 'list');
    expect(components).toMatchObject({code: 0, stderr: ''});
    expect(components.stdout).toContain('greeter-service');
    const tools = JSON.parse((await run('mcp', 'tools', 'control-plane', '--json')).stdout);
    expect(tools.tools.length).toBeGreaterThan(0);
    const doctor = await run('doctor', '--json');
    expect(JSON.parse(doctor.stdout.trim().split('\n').at(-1) ?? '').code ?? 0).toBe(0);
    expect(doctor.code).toBe(0);
  });
});

const withRoles = names.filter(name => name !== '0.14');

describe.each(rowsOfTable(withRoles, 2))('release %s, without a role', release => {
  test('ends with the truth, and goes on where that is wanted', async () => {
    const {run, wizard, subject, inTerminal} = await begin(release);
    const narrow = inTerminal(30);
    expect(await narrow.exit).toBe(4);
    // Sentences break between words, and text to be copied stays whole.
    expect(narrow.raw()).toContain("\r\nkubectl apply -f - <<'EOF'\r\n");
    expect(narrow.raw()).toMatch(/ {4}value: \S+\r\n/);

    const refused = await wizard();
    expect(refused.code).toBe(4);
    expect(lastLine(refused.stdout)).toMatchObject({
      type: 'failed',
      code: 'auth-no-role',
      message: expect.stringContaining(subject),
      remedy: expect.stringContaining('kubectl apply'),
    });

    // For tools that only look, the least role that looks is proposed.
    const looking = lastLine((await wizard('--tools', 'look')).stdout);
    expect(looking).toMatchObject({code: 'auth-no-role', remedy: expect.stringContaining('name: project-reader')});
    expect(refused.stdout).not.toContain('name: project-reader');

    // The sign-in is saved although the check failed: the next commands know the account.
    for (const command of [['component', 'list'], ['doctor']]) {
      const {code, stdout, stderr} = await run(...command);
      expect([command, code]).toEqual([command, 4]);
      expect(stdout + stderr).not.toContain('Nothing is set up yet');
      expect(stdout + stderr).toMatch(/kind: (?:ClusterAuthz|AuthzCluster)RoleBinding/);
    }

    const connected = await wizard('--role', 'without');
    expect(connected.code).toBe(0);
    expect(lastLine(connected.stdout)).toMatchObject({type: 'done', access: expect.stringContaining('no role')});
    for (const command of [['component', 'list'], ['mcp', 'call', 'control-plane', 'list_namespaces'], ['doctor']]) {
      const {code, stdout, stderr} = await run(...command);
      expect([command, code]).toEqual([command, 4]);
      expect(stdout + stderr).toMatch(/kind: (?:ClusterAuthz|AuthzCluster)RoleBinding/);
    }
  });

  test('a role that is given meanwhile is waited for', async () => {
    const {sandbox, subject, start} = await begin(release);
    const waiting = start('--role', 'wait');
    await waiting.prints(/role-awaited/);
    sandbox.bind({claim: 'sub', value: subject});
    expect(lastLine((await waiting.ended).stdout)).toMatchObject({type: 'done'});
  });
});
