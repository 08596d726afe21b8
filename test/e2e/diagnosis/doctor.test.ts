import {once} from 'node:events';
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {clientOf} from '../../support/platform.ts';
import {hasRoles, releaseUnderTest} from '../../support/release.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import type {Surroundings} from '../../support/terminal/terminal-environment.ts';
import {connected} from '../support/connected.ts';
import {filesBelow, modeOf} from '../support/files.ts';
import {type Platform, platformForTest} from '../support/platform.ts';
import {reservedPort} from '../support/ports.ts';
import {preparedOnce} from '../support/prepared.ts';
import {expectRestored} from '../support/restored.ts';
import {jsonLines, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';
import {expectWithout} from '../support/secrets.ts';
import {addressFrom, addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';
import {choose, goTo, openSetup, reaches} from '../support/wizard.ts';

/** Sets up a person with a Cursor that is connected through an MCP client. */
const connectCursor = async ({platform, surroundings}: {platform: Platform; surroundings: Surroundings}) => {
  const cursor = join(surroundings.home, '.cursor', 'mcp.json');
  mkdirSync(dirname(cursor), {recursive: true});
  writeFileSync(cursor, '{}');
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const all = ['--yes', '--assistants', 'cursor', ...platform.flags, ...args];
  expect(await runSetup(all, {surroundings, stdin})).toMatchObject({code: 0});
  const run = (...words: readonly string[]) => runSetup(['doctor', ...words], {surroundings});
  return {platform, surroundings, cursor, run, store: storeIn(surroundings.setupHome)};
};

const verdictsIn = (stdout: string) =>
  Object.fromEntries(jsonLines(stdout).flatMap(line => (line.type === 'check' ? [[line.id, line.verdict]] : [])));

describe('setup doctor', () => {
  const setUp = preparedOnce(connectCursor);

  test('writes the report that is asked for also where nothing of what is saved can be read', async () => {
    const surroundings = surroundingsForTest();
    mkdirSync(surroundings.setupHome, {recursive: true});
    writeFileSync(join(surroundings.setupHome, 'config.json'), '{\n  "version": 1\n  "contexts": []\n}', {mode: 0o600});
    const report = join(surroundings.home, 'report.md');
    const {code, stderr} = await runSetup(['doctor', '--report', report], {surroundings});
    expect(code).toBe(6);
    expect(stderr).toContain('it is not JSON (line 3, column 3)');
    expect(stderr).toContain(`The report is in ${report}.`);
    expect(readFileSync(report, 'utf8')).toMatch(/^# Diagnostics of this machine\n[\s\S]*## Saved deployment: fail\n/);
  });

  test('passes on a healthy system, down to the entry of the assistant, and changes nothing', async () => {
    const {run, surroundings} = setUp();
    const before = filesBelow(surroundings.setupHome);
    const {code, stdout, stderr} = await run('--json');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(verdictsIn(stdout)).toMatchObject({
      ...{'health-control-plane': 'pass', issuer: 'pass', token: 'pass', 'mcp-observability': 'pass'},
      'assistant-cursor-user': 'pass',
    });
    expect(jsonLines(stdout).at(-1)).toMatchObject({type: 'done', summary: expect.stringContaining(' 0 fail')});
    expect(filesBelow(surroundings.setupHome)).toEqual(before);
  });

  test('says why, and what to do, with the exit code of the family', async () => {
    const platform = await platformForTest();
    const {run} = await connectCursor({platform, surroundings: surroundingsForTest()});
    await platform.end();
    const {code, stdout, stderr} = await run();
    expect(code).toBe(3);
    expect(stdout).toMatch(/✖ Connection to the control plane: Nothing listens at http/);
    expect(stdout).toMatch(/┊ MCP servers skipped: needs “Connection to the control plane”/);
    // Each failure appears once, with its remedy: in a pipe both streams end up in one place.
    // The last line repeats the first one for others.
    const toPerson = stdout.replace(/\nTo your platform team: .*\n$/, '');
    expect(toPerson).not.toBe(stdout);
    expect(toPerson.split('Nothing listens at').length - 1).toBe(toPerson.split('✖').length - 1);
    expect(stdout).toContain('Check that the platform is running');
    expect(stderr).toBe('');
  });

  test('mends what it can with --fix: others can read the tokens, an entry is gone', async () => {
    const {run, store, cursor} = setUp();
    chmodSync(store.credentialsPath, 0o644);
    writeFileSync(cursor, '{}');
    const {code, stdout} = await run('--json');
    expect(code).toBe(6);
    expect(verdictsIn(stdout)).toMatchObject({credentials: 'warning', 'assistant-cursor-user': 'fail'});
    const mended = await run('--fix', '--strict', '--json');
    expect(verdictsIn(mended.stdout)).toMatchObject({credentials: 'pass', 'assistant-cursor-user': 'pass'});
    expect(modeOf(store.credentialsPath)).toBe(0o600);
    expect(readFileSync(cursor, 'utf8')).toContain('"serve"');
  });

  test('says what --fix does, and what came of it', async () => {
    const {run, cursor} = setUp();
    writeFileSync(cursor, '{}');
    const {code, stdout} = await run('--fix');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Writes the entries of your assistants again[\s\S]*Done\. Checking everything again/);
  });

  test('says what a client still asks of the person before it starts what a project names', async () => {
    const {run, surroundings} = setUp();
    const project = join(surroundings.home, 'project');
    mkdirSync(project);
    const where = ['--scope', 'project', '--method', 'bridge', '--project', project];
    expect(await runSetup(['mcp', 'connect', 'claude-code', '--yes', ...where], {surroundings})).toMatchObject({
      code: 0,
    });
    const ofProject = async () =>
      jsonLines((await run('--json', '--project', project)).stdout).find(
        ({id}) => id === 'assistant-claude-code-project',
      );
    expect(await ofProject()).toMatchObject({
      verdict: 'warning',
      sentence: `Claude Code does not trust ${project} yet, so it does not start the MCP servers named in that folder.`,
      remedy: 'Start Claude Code in that folder, and trust the folder when it asks.',
    });
    const enabledMcpjsonServers = Object.keys(JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers);
    const state = {projects: {[project]: {hasTrustDialogAccepted: true, enabledMcpjsonServers}}};
    writeFileSync(join(surroundings.home, '.claude.json'), JSON.stringify(state));
    expect(await ofProject()).toMatchObject({verdict: 'pass'});
  });

  test('warnings count under --strict only', async () => {
    const {run, store} = setUp();
    chmodSync(store.credentialsPath, 0o640);
    expect((await run()).code).toBe(0);
    // Reading the file restores its mode, so the mode is changed once more.
    chmodSync(store.credentialsPath, 0o640);
    expect(await run('--strict')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Stored secrets'),
      stderr: '',
    });
  });

  test('writes a report without one secret', async () => {
    const {run, surroundings, store} = setUp();
    const path = join(surroundings.temporary, 'report.md');
    expect(await run('--quiet', '--report', path)).toMatchObject({code: 0});
    // A newer report replaces a report, and no other file.
    expect(await run('--quiet', '--report', path)).toMatchObject({code: 0});
    const own = join(surroundings.temporary, 'notes.md');
    writeFileSync(own, '# Mine\n');
    expect(await run('--quiet', '--report', own)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not a report'),
    });
    expect(readFileSync(own, 'utf8')).toBe('# Mine\n');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('# Diagnostics of platform');
    const {accessToken = '', clientSecret = ''} = store.only();
    expectWithout(text, accessToken, clientSecret);
  });

  test('looks into a platform that nobody has signed in to', async () => {
    const {flags} = await platformForTest({faults: ['no-pkce']});
    const {code, stdout} = await runSetup(['doctor', '--json', ...flags]);
    expect(code).toBe(4);
    expect(verdictsIn(stdout)).toMatchObject({issuer: 'pass', grants: 'fail', 'sign-in': 'skipped'});
  });

  test('says once what a sign-in that is not there keeps from it', async () => {
    const {flags} = await platformForTest({faults: ['mcp-403']});
    const {code, stdout} = await runSetup(['doctor', ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/┊ Sign-in: nobody has signed in from here\n/);
    expect(stdout.match(/so the checks that need a token were skipped/g)).toHaveLength(1);
    expect(stdout).toContain('Set up this deployment: npx setup --base-domain ');
    expect(stdout).toMatch(
      // A machine without a browser has a warning besides.
      /^Checking .*\nNothing is broken so far, but (?:without a sign-in|there .*\. Without a sign-in,) not everything can be checked\.\n/,
    );
  });

  test('looks at the files of assistants that nothing was written to yet', async () => {
    const {run, surroundings} = setUp();
    mkdirSync(join(surroundings.home, '.gemini'));
    const settings = join(surroundings.home, '.gemini', 'settings.json');
    writeFileSync(settings, '{\n  "theme": "a-word-of-its-own",\n}\n');
    const {code, stdout} = await run();
    expect(code).toBe(0);
    expect(stdout).toContain(
      `▲ Files of your assistants: 0 of 1 can be read\n      ${settings} contains a trailing comma, which the assistant cannot read (line 2).`,
    );
    expect(stdout).not.toContain('a-word-of-its-own');
  });

  test('looks at what the platform’s own CLI is set to', async () => {
    const surroundings = surroundingsForTest();
    mkdirSync(join(surroundings.home, '.openchoreo'), {mode: 0o755});
    writeFileSync(
      join(surroundings.home, '.openchoreo', 'config'),
      'currentContext: d\ncontrolplanes: [{name: d, url: "http://elsewhere.example"}]\ncontexts: [{name: d, controlplane: d}]\n',
      {mode: 0o600},
    );
    const {flags} = await platformForTest();
    const {stdout} = await runSetup(['doctor', '--platform', 'openchoreo', ...flags], {surroundings});
    expect(stdout).toMatch(/▲ The platform’s CLI, occ: context d, http:\/\/elsewhere\.example/);
  });

  test('a certificate that is trusted as the remedy says is trusted', async () => {
    const redirect = ['--redirect-uri', `http://127.0.0.1:${await reservedPort()}/auth-callback`];
    const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'self-signed', ...redirect]);
    const [text] = await sandbox.prints(/^([\s\S]*)Press Ctrl-C to stop it/);
    const [, authority = ''] = /^export NODE_EXTRA_CA_CERTS='(.+)'$/m.exec(text) ?? [];
    const flags = (/^npx setup (.*)$/m.exec(text)?.[1] ?? '').split(' ');
    const doctor = (...more: readonly string[]) => runSetup(['doctor', '--json', ...flags, ...redirect, ...more]);
    const refused = await doctor();
    const told = jsonLines(refused.stdout).find(({id}) => id === 'tls-control-plane');
    expect(told).toMatchObject({verdict: 'fail', remedy: expect.stringContaining('--ca-file')});
    expect(told).toMatchObject({
      remedy: expect.stringContaining('it shows you the certificate and asks whether you trust it'),
    });
    const trusted = await doctor('--ca-file', authority);
    expect(verdictsIn(trusted.stdout)).toMatchObject({'tls-control-plane': 'pass', 'health-control-plane': 'pass'});
    const failed = Object.entries(verdictsIn(trusted.stdout)).filter(([, verdict]) => verdict === 'fail');
    expect(failed).toEqual([]);
    sandbox.kill('SIGTERM');
    await sandbox.ended;
  });

  test('a port that its holder has given up is free', async () => {
    const {flags, port} = await platformForTest();
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const doctor = async () => verdictsIn((await runSetup(['doctor', '--json', ...flags])).stdout)['callback-port'];
    expect(await doctor()).toBe('fail');
    holder.close();
    await once(holder, 'close');
    expect(await doctor()).toBe('pass');
  });

  /** A machine without a browser gets a warning. */
  const isWell = /Everything works|No check failed/;

  test('addresses that lead to what is saved are about that, with its sign-in', async () => {
    const platform = await platformForTest();
    const {run} = await connected(platform);
    const {baseDomain, controlPlaneUrl} = platform.ready;
    const gateway = new URL(controlPlaneUrl).port;
    const ways = [
      ['--base-domain', `http://${baseDomain}:${gateway}`],
      ['--control-plane-url', controlPlaneUrl],
    ];
    for (const way of ways) {
      const {code, stdout} = await run('doctor', ...way);
      expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringMatching(isWell)});
      expect(stdout.split('\n')[0]).toBe(`Checking platform, ${controlPlaneUrl}…`);
    }
    const other = `http://127.0.0.1:${await reservedPort()}`;
    const {stdout} = await run('doctor', '--control-plane-url', controlPlaneUrl, '--observer-url', other, '--verbose');
    expect(stdout).toContain(other);
    expect(stdout).toMatch(/developer@platform\.example/);
  });

  test('every remedy keeps the addresses that were given, and what else the sign-in needs', async () => {
    const {flags, port} = await platformForTest();
    const said = flags.slice(0, flags.indexOf('--redirect-uri')).join(' ');
    const {stdout} = await runSetup(['doctor', ...flags]);
    expect(flags.at(-2)).toBe('--redirect-uri');
    expect(stdout).toContain(`Set up this deployment: npx setup ${flags.join(' ')}\n`);
    // Every command that signs in reports a port that is taken.
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const {stderr} = await runSetup(['login', '--sign-in', 'browser', '--no-browser', ...flags]);
    holder.close();
    expect(stderr).toContain(`npx setup login ${said}`);
  });

  test('asks where to look when nothing says so', async () => {
    expect(await runSetup(['doctor'])).toMatchObject({code: 2, stderr: expect.stringContaining('--base-domain')});
  });
});

/** Signs in in the browser by the fix that the diagnosis offers, and comes back to the diagnosis. */
const signInByFix = async (terminal: Terminal): Promise<void> => {
  terminal.press('f');
  await terminal.waitFor('Signs you in again');
  terminal.press('enter');
  await signInAndReturn(await addressIn(terminal));
  await terminal.waitFor('enter leave');
  terminal.press('enter');
};

/** Leaves a diagnosis that found no failure. Leaving while checks run would be breaking off. */
const leaveOnceChecked = async (terminal: Terminal): Promise<void> => {
  // One screen has to show that all of them have ended: two waits in a row may be met by two frames.
  await terminal.waitFor(/ 0 fail[\s\S]*✔ Sign-in and token[\s\S]*✔ MCP servers[\s\S]*r run again/);
  terminal.press('esc');
  expect(await terminal.exit).toBe(0);
};

describe('on the screen', () => {
  test('a refused refresh is found, and signing in again from there mends it', async () => {
    const {store, surroundings} = await connected(await platformForTest({faults: ['refresh-refused']}));
    store.expire();
    const terminal = openSetup(['doctor'], {env: {...surroundings.env, SSH_CONNECTION: '10.0.0.7 1 10.0.0.8 22'}});
    await terminal.waitFor('❯ ✖ Access token');
    await terminal.waitFor('You are signed out of platform');
    await signInByFix(terminal);
    await leaveOnceChecked(terminal);
    expectRestored(terminal);
  });

  test('a damaged file of secrets is found, and signing in again from there mends it', async () => {
    const {surroundings} = await connected(await platformForTest());
    writeFileSync(join(surroundings.setupHome, 'credentials.json'), '{"x":');
    const terminal = openSetup(['doctor'], {env: surroundings.env});
    await terminal.waitFor('The file with your secrets is damaged');
    await signInByFix(terminal);
    await leaveOnceChecked(terminal);
  });

  test('signing in again from there is not begun if another run has signed in meanwhile', async () => {
    const {store, surroundings} = await connected(await platformForTest({faults: ['refresh-refused']}));
    store.expire();
    const terminal = openSetup(['doctor'], {env: surroundings.env});
    await terminal.waitFor('You are signed out of platform');
    terminal.press('f');
    await terminal.waitFor('Signs you in again');
    const login = startSetup(['login', '--no-browser'], {surroundings});
    await signInAndReturn(await addressFrom(login));
    expect(await login.ended).toMatchObject({code: 0});
    terminal.press('enter');
    await terminal.waitFor('Another run has signed in or out meanwhile');
    await leaveOnceChecked(terminal);
  });

  test('it walks, runs again, and saves; nothing else is written', async () => {
    const {surroundings} = await connectCursor({
      platform: await platformForTest(),
      surroundings: surroundingsForTest(),
    });
    const cwd = surroundings.temporary;
    const terminal = openSetup(['doctor'], {env: surroundings.env, rows: 45, cwd});
    const healthy = hasRoles ? /29 pass 0 warn 0 fail 4 skipped\n/ : /28 pass 0 warn 0 fail 5 skipped\n/;
    await terminal.waitFor(healthy);
    terminal.press('r');
    await terminal.waitFor('to come');
    await terminal.waitFor('✔ Everything works');
    terminal.press('s');
    await terminal.waitFor('It contains no secrets');
    expect(filesBelow(cwd).map(({path}) => path)).toEqual(['platform-setup-report.md']);
    terminal.press('q');
    expect(await terminal.exit).toBe(0);
  });

  test('it ends with the code of what is wrong', async () => {
    const url = `http://127.0.0.1:${await reservedPort()}`;
    const terminal = openSetup(['doctor', '--control-plane-url', url, '--auth-url', url, '--observer-url', url]);
    await terminal.waitFor('❯ ✖ Connection to the control plane');
    terminal.press('q');
    expect(await terminal.exit).toBe(3);
    expectRestored(terminal);
  });

  test('it is cancelled if a person leaves while checks are running', async () => {
    const {flags} = await platformForTest({faults: ['slow-idp']});
    const terminal = openSetup(['doctor', ...flags]);
    await terminal.waitFor(/Checking, \d+ to come/);
    terminal.press('ctrl-c');
    expect(await terminal.exit).toBe(130);
    expectRestored(terminal);
  });

  test('it is one choice away from a failure in the wizard, and leads back to it', async () => {
    const port = await reservedPort();
    const url = `http://127.0.0.1:${port}`;
    const flags = ['--control-plane-url', url, '--auth-url', url, '--observer-url', url];
    const terminal = openSetup(flags);
    await terminal.waitFor('The control plane is not running');
    await choose(terminal, 'Diagnostics');
    await terminal.waitFor('❯ ✖ Connection to the control plane');
    terminal.press('esc');
    await terminal.waitFor('The control plane is not running');
    await choose(terminal, 'Quit');
    expect(await terminal.exit).toBe(3);
  });

  test('and from a file that stopped it before anything was written', async () => {
    const platform = await platformForTest();
    const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
    const {env, home} = surroundingsForTest();
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini', 'settings.json'), '{\n  "theme": "x",\n}\n');
    const terminal = openSetup(['--sign-in', 'service-account', ...platform.flags], {
      env: {...env, CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret},
    });
    await goTo(terminal, 'deployment');
    terminal.press('enter');
    await reaches(terminal, 'assistants');
    terminal.press('enter');
    await choose(terminal, 'Diagnostics');
    await terminal.waitFor('❯ ▲ Files of your assistants');
    await terminal.waitFor(/leave out\s[\s\S]*?Gemini CLI/);
  });

  test('and from a failure after the sign-in too, which it finds by the token of this run', async () => {
    const platform = await platformForTest({faults: ['mcp-403']});
    const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
    const env = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
    const terminal = openSetup(['--sign-in', 'service-account', ...platform.flags], {env});
    await goTo(terminal, 'deployment');
    terminal.press('enter');
    await choose(terminal, 'Diagnostics');
    await terminal.waitFor('❯ ✖ Tools of the control plane MCP server');
    await terminal.waitFor(/accepted\s[\s\S]*?the sign-in but denied access \(403\)\./);
    await terminal.waitFor('✔ Sign-in and token');
    // Nothing is saved for it.
    expect(filesBelow(terminal.setupHome).filter(({path}) => /credentials/.test(path))).toEqual([]);
    terminal.press('esc');
    await terminal.waitFor(/does not allow\s+this account/);
  });
});

describe('before anything is set up, with the sign-in that is meant', () => {
  const diagnose = async (secretOf: (secret: string) => string, options: Partial<SandboxOptions> = {}) => {
    const {ready, flags} = await platformForTest(options);
    const surroundings = surroundingsForTest();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const args = ['--json', '--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'];
    const ran = await runSetup(['doctor', ...args, ...flags], {surroundings, stdin: `${secretOf(secret)}\n`});
    expectWithout(ran.stdout, secretOf(secret));
    expect(storeIn(surroundings.setupHome).exists()).toBe(false);
    return ran;
  };

  test('a client signs in, and its token is tried at the servers, without being kept', async () => {
    const {code, stdout} = await diagnose(secret => secret);
    const checks = {'sign-in': 'pass', token: 'pass', claims: 'pass', 'mcp-control-plane': 'pass'};
    expect(verdictsIn(stdout)).toMatchObject(checks);
    expect([code, verdictsIn(stdout).access]).toEqual([0, hasRoles ? 'pass' : expect.any(String)]);
  });

  test.runIf(hasRoles)('an account without a role is told so', async () => {
    const {code, stdout} = await diagnose(secret => secret, {release: releaseUnderTest});
    expect(verdictsIn(stdout)).toMatchObject({'sign-in': 'pass', token: 'pass', claims: 'pass'});
    expect([code, verdictsIn(stdout).access]).toEqual([4, 'fail']);
  });

  test('a secret that is refused is what is broken', async () => {
    const {code, stdout} = await diagnose(() => 'not-the-secret-of-this-client');
    expect(code).toBe(4);
    expect(verdictsIn(stdout)).toMatchObject({discovery: 'pass', 'sign-in': 'fail', token: 'skipped'});
    expect(jsonLines(stdout).find(({id}) => id === 'sign-in')).toMatchObject({code: 'auth-client-refused'});
  });
});
