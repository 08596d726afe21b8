import {execFileSync} from 'node:child_process';
import {chmod, mkdir, rm, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {quickToken} from '../src/quick-token.ts';
import {temporaryDirectory} from './support/place.ts';

const issuer = 'http://idp.acme.localhost:8080';
const config = {version: 1, currentContext: 'acme', contexts: [{name: 'acme', issuer, clientId: 'cli'}]};
const credentials = {issuer, clientId: 'cli', accessToken: 'the-token', obtainedAt: 0, expiresAt: 3_600_000};

/** Returns what is printed with these files in the home, at a time in milliseconds. */
const print = async (
  files: {config?: unknown; credentials?: unknown},
  flags: readonly string[] = [],
  now = 60_000,
  env = {},
) => {
  const home = join(await temporaryDirectory(), 'home');
  await mkdir(home);
  for (const [name, value] of Object.entries(files)) {
    await writeFile(join(home, `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return quickToken(flags, {SETUP_HOME: home, ...env}, now, 1);
};

const good = {config, credentials: {version: 1, place: 'file', credentials: [credentials]}};

test('a token that is good is printed, or its header', async () => {
  expect(await print(good)).toBe('the-token\n');
  expect(await print(good, ['--header'])).toBe('Authorization: Bearer the-token\n');
  expect(await print(good, ['--mcp-header'])).toBe('{"Authorization":"Bearer the-token"}\n');
  expect(await print(good, ['--json'])).toBe(
    '{"accessToken":"the-token","expiresAt":"1970-01-01T01:00:00.000Z","context":"acme"}\n',
  );
});

test('what a terminal would act on is escaped in JSON', async () => {
  const named = {
    ...good,
    config: {...config, currentContext: 'a\u009Bb', contexts: [{...config.contexts[0], name: 'a\u009Bb'}]},
  };
  expect(await print(named, ['--json'])).toContain('a\\u009bb');
});

test('the context is the named one, and the home the one that a flag names, as assistants pass both on', async () => {
  expect(await print(good, ['--mcp-header', '--context', 'acme'])).toContain('the-token');
  expect(await print(good, ['--context', 'other'])).toBeUndefined();
  expect(await print(good, ['--context'])).toBe('the-token\n');
  const elsewhere = join(await temporaryDirectory(), 'nothing');
  expect(await print(good, ['--mcp-header', '--setup-home', elsewhere])).toBeUndefined();
});

test.each([undefined, 'gone'])(
  'the current context is the one that the program takes where %s is',
  async currentContext => {
    expect(await print({...good, config: {...config, currentContext}})).toBe('the-token\n');
  },
);

describe('where a server has a token of its own', () => {
  const audience = 'http://observer.acme.localhost:11080/mcp';
  const [context] = config.contexts;
  const own = {...credentials, audience, accessToken: 'its-own'};
  const apart = {
    config: {...config, contexts: [{...context, resources: {observability: audience}}]},
    credentials: {version: 1, credentials: [own, credentials]},
  };

  test('it is the one that is printed for that server', async () => {
    expect(await print(apart)).toBe('the-token\n');
    expect(await print(apart, ['--server', 'control-plane'])).toBe('the-token\n');
    const asAssistantsAsk = ['--mcp-header', '--context', 'acme', '--server', 'observability'];
    expect(await print(apart, asAssistantsAsk)).toBe('{"Authorization":"Bearer its-own"}\n');
  });

  test('that is not there, or no server, is left to the program', async () => {
    const without = {...apart, credentials: {version: 1, credentials: [credentials]}};
    expect(await print(without, ['--server', 'observability'])).toBeUndefined();
    expect(await print(apart, ['--server', 'gateway'])).toBeUndefined();
  });

  test('and where it has none, it is the token of the sign-in', async () => {
    expect(await print(good, ['--server', 'observability'])).toBe('the-token\n');
  });
});

describe('everything else is left to the program', () => {
  const but = (changes: object) => ({...good, credentials: {version: 1, credentials: [{...credentials, ...changes}]}});

  test.each([
    ['a token that is due', good, [], 3_300_000],
    ['an expired token', good, [], 3_600_000],
    ['other flags', good, ['--renew'], 60_000],
    ['more words', good, ['--header', '--quiet'], 60_000],
    ['no token', but({accessToken: undefined}), [], 60_000],
    ['another client’s token', but({clientId: 'other'}), [], 60_000],
    ['another issuer’s token', but({issuer: 'https://elsewhere.example'}), [], 60_000],
    ['secrets in a keychain', but({accessToken: undefined, inKeychain: true}), [], 60_000],
    ['no files', {}, [], 60_000],
    ['a broken config', {...good, config: '{'}, [], 60_000],
    ['broken credentials', {...good, credentials: '['}, [], 60_000],
    ['a later version', {...good, config: {...config, version: 2}}, [], 60_000],
    ['nothing saved', {...good, config: {version: 1, contexts: []}}, [], 60_000],
  ] satisfies [string, object, string[], number][])('%s', async (_name, files, flags, now) => {
    expect(await print(files, flags, now)).toBeUndefined();
  });

  test('a context that the environment names', async () => {
    expect(await print(good, [], 60_000, {SETUP_CONTEXT: 'other'})).toBeUndefined();
  });
});

describe('files that are not to be believed are left to the program as well', () => {
  const printed = async (change: (home: string) => Promise<unknown>) => {
    const home = join(await temporaryDirectory(), 'above', 'home');
    await mkdir(home, {recursive: true});
    for (const name of ['config', 'credentials'] as const)
      await writeFile(join(home, `${name}.json`), JSON.stringify(good[name]));
    await change(home);
    return quickToken(['--mcp-header'], {SETUP_HOME: home}, 60_000, 1);
  };
  const pipe = async (path: string) => {
    await rm(path, {force: true});
    execFileSync('mkfifo', [path]);
  };

  test('as long as others can only read them, they are believed', async () => {
    expect(await printed(home => chmod(join(home, 'credentials.json'), 0o644))).toContain('the-token');
  });

  test.each<[string, (home: string) => Promise<unknown>]>([
    ['a config that others can change', home => chmod(join(home, 'config.json'), 0o666)],
    ['credentials that the group can change', home => chmod(join(home, 'credentials.json'), 0o620)],
    ['a directory that others can change', home => chmod(home, 0o777)],
    ['one above that', home => chmod(join(home, '..'), 0o777)],
    ['a pipe for a config', home => pipe(join(home, 'config.json'))],
    ['a pipe for the credentials', home => pipe(join(home, 'credentials.json'))],
    ['credentials of 200 MB', home => truncate(join(home, 'credentials.json'), 200_000_000)],
  ])('%s', async (_what, change) => {
    expect(await printed(change)).toBeUndefined();
  });

  test('and a pipe for what was handed out is waited for by nobody', async () => {
    expect(await printed(home => pipe(join(home, 'handed-out.json')))).toContain('the-token');
  });
});
