import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {serveSocks} from '../../ports/network/support/socks-server.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {filesBelow} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {proxyForTest} from '../support/proxy.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {flagsFor, mcpClientSignIn} from '../support/sandbox.ts';
import {expectWithout} from '../support/secrets.ts';
import {storeIn} from '../support/store.ts';

const password = 'a-word-for-the-proxy';

/** Sets up a person with a Cursor whose platform has names that only a proxy can resolve. */
const behindProxy = async () => {
  const proxy = await proxyForTest(`ann:${password}`);
  const platform = await platformForTest({baseDomain: 'acme.test'});
  const surroundings = surroundingsForTest();
  const {home, setupHome, env, temporary} = surroundings;
  const cursor = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  writeFileSync(cursor, '{}');
  const {ready, flags} = platform;
  const hosts = [ready.controlPlaneUrl, ready.observerUrl, ready.authUrl].map(url => new URL(url).hostname).join(',');
  const {args, stdin} = mcpClientSignIn(ready);
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}, input = '') =>
    runSetup([...words, '--allow-http', hosts], {surroundings, env: more, stdin: input});
  const setUp = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(['--yes', '--assistants', 'cursor', ...flags, ...args, ...words], more, stdin);
  const entry = () => Object.values(JSON.parse(readFileSync(cursor, 'utf8')).mcpServers)[0] as Entry;
  /**
   * Starts the entry's command as an assistant from the desktop does: without a shell's variables, in another
   * directory.
   */
  const startAsAssistant = (words: readonly string[]) => {
    const [program = '', ...before] = [entry().command, ...entry().args];
    const own = before.slice(0, before.indexOf('mcp'));
    const bare = {HOME: env.HOME ?? '', PATH: '/usr/bin:/bin', SETUP_HOME: setupHome};
    const all = [...own, ...words, '--allow-http', hosts];
    return promisify(execFile)(program, all, {env: bare, cwd: '/'});
  };
  return {
    proxy,
    setUp,
    run,
    surroundings,
    store: storeIn(setupHome),
    setupHome,
    home,
    temporary,
    cursor,
    startAsAssistant,
  };
};

const said = (words: readonly string[], variables: Readonly<Record<string, string>>) => [words, variables] as const;

type Entry = {readonly command: string; readonly args: readonly string[]; readonly env?: object};

describe('an authority', () => {
  test('that was named by a relative path is kept by its own, and renewals of an entry trust it', async () => {
    const tls = ['--fault', 'self-signed', '--extras', 'revocation'];
    const sandbox = startSetup(['sandbox', '--port', '0', ...tls, '--json']);
    const [line] = await sandbox.prints(/^\{.*\}\n/);
    const ready = JSON.parse(line);
    const surroundings = surroundingsForTest();
    const {setupHome, temporary, home} = surroundings;
    const {args, stdin} = mcpClientSignIn(ready);
    mkdirSync(join(home, '.cursor'));
    const path = join(temporary, 'authority.pem');
    writeFileSync(path, ready.authority);
    const words = ['--yes', '--assistants', 'cursor', ...flagsFor(ready), ...args];
    const untrusted = await runSetup(words, {surroundings, stdin});
    expect({code: untrusted.code, stderr: untrusted.stderr}).toEqual({
      code: 3,
      stderr: expect.stringContaining('--ca-file'),
    });
    expect(await runSetup([...words, '--ca-file', 'authority.pem'], {surroundings, stdin})).toMatchObject({
      ...{code: 0, stderr: ''},
    });
    const store = storeIn(setupHome);
    expect(store.contexts()[0]?.network).toEqual({authority: {file: realpathSync(path)}});
    store.expireAll();
    expect(await runSetup(['token'], {surroundings})).toMatchObject({code: 0, stderr: ''});
    expect(await runSetup(['mcp', 'tools', 'control-plane'], {surroundings})).toMatchObject({code: 0, stderr: ''});
    // The uninstall also ends the sign-in, through the same proxy.
    const {stdout} = await runSetup(['uninstall', '--yes', '--json'], {surroundings});
    expect(JSON.parse(stdout).signedOut).toMatchObject([{revocation: 'revoked'}]);
    sandbox.kill('SIGTERM');
    await sandbox.ended;
  });

  test('that the environment names is kept where it is one, and is no trouble where it is not', async () => {
    const {proxy, setUp, store} = await behindProxy();
    const {code} = await setUp(['--proxy', proxy.url], {
      NODE_EXTRA_CA_CERTS: '/nowhere.pem',
      SSL_CERT_FILE: '/dev/null',
    });
    expect(code).toBe(0);
    expect(store.contexts()[0]?.network).toEqual({proxy: expect.anything()});
  });

  test('that is no certificate, or not there, is refused with its flag', async () => {
    const {temporary} = surroundingsForTest();
    const empty = join(temporary, 'empty.pem');
    writeFileSync(empty, 'nothing');
    for (const file of [empty, join(temporary, 'nowhere.pem')]) {
      const {code, stderr} = await runSetup(['--yes', '--base-domain', 'acme.test', '--ca-file', file]);
      expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(`--ca-file: ${file}`)});
    }
  });
});

test.each(['socks4a', 'socks5h'])('a proxy of %s is spoken to by the built program', async scheme => {
  const user = {name: 'ann', password};
  const proxy = await serveSocks(scheme === 'socks5h' ? {user} : {});
  const {setUp, run, store} = await behindProxy();
  const url = `${scheme}://ann:${password}@127.0.0.1:${proxy.port}`;
  expect(await setUp(['--proxy', url])).toMatchObject({code: 0});
  expect(proxy.asked).toContainEqual(expect.stringMatching(/^api\.acme\.test:\d+$/));
  store.expireAll();
  expect(await run(['token'])).toMatchObject({code: 0, stdout: expect.stringMatching(/^eyJ/)});
});

describe('a proxy with a password', () => {
  test.each(
    rowsOfTable([
      ['by the flag', (url: string) => said(['--proxy', url], {})],
      ['by the environment', (url: string) => said([], {HTTP_PROXY: url})],
    ] as const),
  )('that was said %s is kept, and used by whatever an assistant starts', async (_how, say) => {
    const {proxy, setUp, run, store, setupHome, cursor, startAsAssistant} = await behindProxy();
    const [words, variables] = say(proxy.url);
    const {code, stdout, stderr} = await setUp([...words, '--debug'], variables);
    expect({code, stderr}).toEqual({code: 0, stderr: expect.stringContaining('It contains no secrets')});
    const [context] = store.contexts();
    expect(context?.network?.proxy).toMatchObject({http: `http://ann@127.0.0.1:${proxy.port}`});
    const open = filesBelow(setupHome).filter(({path}) => !path.endsWith('credentials.json'));
    expectWithout([stdout, readFileSync(cursor, 'utf8'), ...open.map(({text}) => text)].join('\n'), password);

    // The entry is written, and its command renews the token once.
    expect(proxy.asked.length).toBeGreaterThan(0);
    store.expireAll();
    const before = proxy.asked.length;
    expect(await startAsAssistant(['token'])).toMatchObject({stderr: '', stdout: expect.stringMatching(/^eyJ/)});
    expect(proxy.asked.length).toBeGreaterThan(before);

    // Another shell without these variables, or with others, changes nothing.
    expect(await run(['mcp', 'connect', '--yes'], {HTTP_PROXY: 'http://127.0.0.1:1'})).toMatchObject({code: 0});
    expect(store.contexts()[0]?.network).toEqual(context?.network);

    const doctor = await run(['doctor', '--json']);
    expect(doctor.stdout).toContain(`http://ann@127.0.0.1:${proxy.port}`);
    expectWithout(doctor.stdout + doctor.stderr, password);
    expect(await run(['logout'])).toMatchObject({code: 0});
    expectWithout(
      filesBelow(setupHome)
        .map(({text}) => text)
        .join('\n'),
      password,
    );
  });

  test('goes with an undo', async () => {
    const {proxy, setUp, surroundings, setupHome} = await behindProxy();
    expect(await setUp(['--proxy', proxy.url])).toMatchObject({code: 0});
    expect(await runSetup(['undo', '--yes'], {surroundings})).toMatchObject({code: 0});
    const left = existsSync(setupHome) ? filesBelow(setupHome).map(({text}) => text) : [];
    expectWithout(left.join('\n'), password);
  });

  test('that is wrong is said to be, with its address and without the password', async () => {
    const {proxy, setUp} = await behindProxy();
    const wrong = `http://ann:wrong-${password}@127.0.0.1:${proxy.port}`;
    const {code, stdout, stderr} = await setUp(['--proxy', wrong]);
    expect(code).toBe(3);
    expect(stderr).toContain(`The proxy http://ann@127.0.0.1:${proxy.port} rejected the username and password (407).`);
    expectWithout(stdout + stderr, password);
  });

  test('is gone past when that is said', async () => {
    const {proxy, setUp} = await behindProxy();
    const {code, stderr} = await setUp(['--proxy', 'none'], {HTTP_PROXY: proxy.url});
    expect(code).toBe(3);
    expect(stderr).toContain('acme.test');
    expect(proxy.asked).toEqual([]);
  });

  test('that is left to each shell is missing where there is none, and that is found out', async () => {
    const {proxy, setUp} = await behindProxy();
    const {code, stderr} = await setUp(['--proxy', 'environment'], {HTTP_PROXY: proxy.url});
    expect(code).not.toBe(0);
    expect(stderr).toContain('to revert them, run npx setup undo');
  });

  test('that cannot be read is named by its variable, not by its value', async () => {
    const {setUp} = await behindProxy();
    const {code, stderr} = await setUp([], {HTTP_PROXY: `ftp://ann:${password}@proxy`});
    expect(code).toBe(2);
    expect(stderr).toContain('HTTP_PROXY is not a valid proxy address.');
    expectWithout(stderr, password);
  });
});
