import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {errorCodes} from '../../src/errors/error-table.ts';
import {contextAt} from '../support/context.ts';
import type {Surroundings} from '../support/terminal/terminal-environment.ts';
import {filesBelow} from './support/files.ts';
import {reservedPort} from './support/ports.ts';
import {jsonLines, lastLine, runSetup, surroundingsForTest} from './support/run.ts';
import {openSetup} from './support/wizard.ts';

const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test('--version prints the version', async () => {
  expect(await runSetup(['--version'])).toMatchObject({code: 0, stdout: `${version}\n`, stderr: ''});
});

test.each([['-v'], ['version'], ['status', '-v'], ['mcp', '--version']])('%j prints it, too', async (...args) => {
  expect(await runSetup(args)).toMatchObject({code: 0, stdout: `${version}\n`, stderr: ''});
});

test('help is had by the words that people try', async () => {
  const of = async (...args: readonly string[]) => {
    const {code, stdout} = await runSetup(args);
    expect(code).toBe(0);
    return stdout;
  };
  expect(await of('help')).toBe(await of('--help'));
  expect(await of('-h')).toBe(await of('--help'));
  expect(await of('help', 'mcp', 'connect')).toBe(await of('mcp', 'connect', '--help'));
  expect(await of('mcp', '-h')).toBe(await of('help', 'mcp'));
  expect(await runSetup(['mcp'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Choose a subcommand: connect, list/),
  });
});

test('--help lists the commands with examples', async () => {
  const {code, stdout} = await runSetup(['--help']);
  expect(code).toBe(0);
  for (const usage of ['setup demo', 'setup status', 'setup token', 'setup mcp connect', 'setup help commands']) {
    expect(stdout).toContain(usage);
  }
});

test('a flag that does not exist suggests the one that was meant', async () => {
  const {code, stdout, stderr} = await runSetup(['--base-domian', 'acme.localhost']);
  expect({code, stdout}).toEqual({code: 2, stdout: ''});
  expect(stderr).toMatch(
    /^There is no flag --base-domian\.\s+Did you mean --base-domain\?\nMore: npx setup explain input-usage\n$/,
  );
});

test.each([['token'], ['mcp', 'serve', 'control-plane']])(
  '%j names no code to explain, even if it cannot be parsed',
  async (...words) => {
    const {code, stderr} = await runSetup([...words, '--nosuch']);
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('There is no flag --nosuch.')});
    expect(stderr).not.toContain('More:');
  },
);

test('a command that does not exist suggests the one that was meant', async () => {
  const {code, stderr} = await runSetup(['sandbx']);
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean npx setup sandbox?');
});

describe('explain', () => {
  test('says of a code what it means, why it happens, how to fix it, and whose turn it is', async () => {
    const {code, stdout, stderr} = await runSetup(['explain', 'auth-audience-wrong']);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(
      /^auth-audience-wrong: The token was issued for another audience\.\n\nWhat it means\n {2}\S[\s\S]*\n\nWhy it happens\n {2}\S[\s\S]*\n\nHow to fix it\n {2}Ask [\s\S]*\n\nWho can fix it: you, or the operators of the platform or of its identity provider\. Exit code 4\.\n$/,
    );
  });

  test('lists all of them where none is named, for programs too', async () => {
    const {stdout} = await runSetup(['explain']);
    for (const code of errorCodes) expect(stdout).toMatch(new RegExp(`^ {2}${code} {2,}\\S`, 'm'));
    const {codes} = lastLine((await runSetup(['explain', '--json'])).stdout) as unknown as {
      codes: readonly {code: string}[];
    };
    expect(codes.map(({code}) => code)).toEqual(errorCodes);
    expect(lastLine((await runSetup(['explain', 'network-tls', '--json'])).stdout)).toEqual({
      code: 'network-tls',
      ...{name: expect.any(String), means: expect.any(String), why: expect.any(String), remedy: expect.any(String)},
      ...{whose: 'either', exitCode: 3},
    });
  });

  test('knows the warnings of the diagnostics', async () => {
    expect(await runSetup(['explain', 'check-clock'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^check-clock: .+\n\nWhat it means\n/),
    });
  });

  test('suggests the code that was meant', async () => {
    const {code, stdout, stderr} = await runSetup(['explain', 'auth-audience-wron']);
    expect({code, stdout}).toEqual({code: 2, stdout: ''});
    expect(stderr).toMatch(
      /^There is no code auth-audience-wron\. Did you mean npx setup explain auth-audience-wrong\?/,
    );
  });
});

test.each([
  ['a command whose output programs read', ['token'], false],
  ['one that is to say little', ['doctor', '--quiet'], false],
  ['any other', ['logout'], true],
])('how a failure is explained is said, but not by %s', async (_, args, isSaid) => {
  const {stderr} = await runSetup([...args, '--context', 'nowhere']);
  expect(stderr).toContain('There is no context called nowhere');
  expect(stderr.includes('More: npx setup explain input-invalid')).toBe(isSaid);
});

test('an Application ID that is no UUID is refused before anything is asked', async () => {
  const {code, stderr} = await runSetup(['--yes', '--application-id', 'sample-app']);
  expect(code).toBe(2);
  expect(stderr).toContain('--application-id takes a UUID, as the developer portal shows it; not sample-app.');
});

test.each([['--base-domian'], ['demo', '--layot']])(
  'in a terminal, what is wrong with %s stands on its own line',
  async (...args) => {
    const terminal = openSetup(args);
    expect(await terminal.exit).toBe(2);
    expect(terminal.screen()).toMatch(/^There is no flag/m);
  },
);

test.each([
  [['--help']],
  [['help', 'sandbox']],
  [['help', 'doctor']],
  [['explain']],
  [['provider', 'guide', 'keycloak', '--base-domain', 'acme.example']],
  [['status', '--nope']],
  [['doctor', '--plain'], 'C.UTF-8'],
  [['token', '--json', '--context', 'größe']],
])('%j prints ASCII alone where the locale has no more', async (args, locale = 'C') => {
  const {stdout, stderr} = await runSetup(args, {env: {LC_ALL: locale}});
  expect((stdout + stderr).replaceAll('größe', '')).toMatch(/^[\n\x20-\x7E]+$/);
});

test('a platform that is not there ends with its code, the address and what to do', async () => {
  const [gateway, observer] = [await reservedPort(), await reservedPort()];
  const {code, stdout, stderr, temporary} = await runSetup([
    ...['--json', '--yes', '--base-domain', 'nothing.localhost'],
    ...['--control-plane-url', `http://127.0.0.1:${gateway}`, '--auth-url', `http://127.0.0.1:${gateway}`],
    ...['--observer-url', `http://127.0.0.1:${observer}`],
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(3);
  const {message, ...failed} = lastLine(stdout);
  expect(failed).toEqual({type: 'failed', code: 'network-refused', remedy: expect.any(String)});
  expect(message).toContain(`http://127.0.0.1:${gateway}`);
  expect(jsonLines(stdout).filter(({type}) => type === 'failed')).toHaveLength(1);
  expect(filesBelow(temporary)).toEqual([]);
});

test('relative XDG directories keep nothing in the working directory, compiled code neither', async () => {
  const relative = {
    XDG_CONFIG_HOME: 'own',
    XDG_STATE_HOME: 'own',
    XDG_CACHE_HOME: 'own',
    NODE_COMPILE_CACHE: undefined,
  };
  const {code, temporary} = await runSetup(['status', '--debug'], {env: {...relative, SETUP_HOME: undefined}});
  expect(code).not.toBe(70);
  expect(filesBelow(temporary)).toEqual([]);
});

test('a relative SETUP_HOME is absolute in what is said of it', async () => {
  const {stderr, temporary} = await runSetup(['status', '--debug'], {env: {SETUP_HOME: 'mine'}});
  expect(stderr).toContain(`A record of this run is in ${temporary}/mine/records/`);
});

test('upgrade ends with a line for scripts, with nothing to renew as well', async () => {
  const {code, stdout} = await runSetup(['upgrade', '--offline', '--json']);
  expect({code, lines: jsonLines(stdout)}).toEqual({code: 0, lines: [{type: 'done', version: expect.any(String)}]});
});

describe('what is no file is not waited for', () => {
  /** Creates a named pipe in a directory of the test. */
  const withPipe = (at: (surroundings: Surroundings) => string) => {
    const surroundings = surroundingsForTest();
    const path = at(surroundings);
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    execFileSync('mkfifo', [path]);
    return {surroundings, path};
  };

  test.each(['config.json', 'credentials.json'])('as %s of our own', async name => {
    const {surroundings, path} = withPipe(({setupHome}) => join(setupHome, name));
    const context = {...contextAt('http://127.0.0.1:1'), name: 'acme'};
    if (name !== 'config.json')
      writeFileSync(
        join(surroundings.setupHome, 'config.json'),
        JSON.stringify({version: 1, currentContext: 'acme', contexts: [context]}),
        {mode: 0o600},
      );
    const {code, stderr} = await runSetup(['token', '--mcp-header'], {surroundings});
    expect([code, stderr]).toEqual([6, expect.stringContaining(`${path} is a named pipe, not a file.`)]);
  });

  test('as the file of a flag', async () => {
    const {surroundings, path} = withPipe(({temporary}) => join(temporary, 'pipe'));
    const said = async (...args: readonly string[]) => (await runSetup(args, {surroundings})).stderr;
    for (const args of [
      ['--yes', '--ca-file', path],
      ['mcp', 'call', 'control-plane', 'list', '--input', path],
      ['sandbox', '--port', '0', '--observer-port', '0', '--values', path],
    ])
      expect(await said(...args)).toContain(`${path} is a named pipe, not a file.`);
  });
});

test('a config that others can change is refused with the command that closes it, and works once it is closed', async () => {
  const surroundings = surroundingsForTest();
  const path = join(surroundings.setupHome, 'config.json');
  mkdirSync(surroundings.setupHome, {mode: 0o700});
  writeFileSync(path, JSON.stringify({version: 1, contexts: []}));
  chmodSync(path, 0o666);
  const {code, stderr} = await runSetup(['context', 'list'], {surroundings});
  expect(code).toBe(6);
  expect(stderr).toContain(`Others on this machine can change ${path}, so nothing in it is used.`);
  const [command = ''] = /chmod go-w \S+(?=\.)/.exec(stderr) ?? [];
  execFileSync('/bin/sh', ['-c', command]);
  expect(await runSetup(['context', 'list'], {surroundings})).toMatchObject({code: 0});
});
