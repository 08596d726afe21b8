import {chmod, readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {cursor} from '../../../src/assistants/catalogue/cursor.ts';
import type {Context, ContextEntry} from '../../../src/domain/context.ts';
import {type Credentials, type CredentialsKey, keyOf} from '../../../src/domain/credentials.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {accessToken} from '../../../src/flows/sign-in/access-token.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {createCredentialsStore} from '../../../src/store/credentials-store.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';
import {systemHere} from '../../support/systems/system-here.ts';
import {worded} from '../../support/worded.ts';
import {jwt} from '../assistants/support/machine.ts';

/** Sets up a sign-in whose identity provider revokes as `revoking` says, and records its other requests. */
const signedIn = async (revoking: (token: string | null) => Promise<number>) => {
  const asked: string[] = [];
  const revoked: (string | null)[] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.method === 'POST') asked.push(request.url ?? '');
    if (request.url === '/revoke') {
      const token = new URLSearchParams(await text(request)).get('token');
      revoked.push(token);
      return json({}, await revoking(token))(request, response);
    }
    const endpoints = {token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`};
    return json({issuer, ...endpoints, jwks_uri: `${issuer}/jwks`})(request, response);
  });
  const home = await temporaryDirectory();
  const context = contextAt(issuer);
  const {clientId} = context;
  const kept: Credentials = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: 1};
  await portsIn(home).credentials.replace(context, kept);
  const ports = portsIn(home);
  const place = {home, project: home, system: systemHere, env: {}} as const;
  const leave = (through = ports, from: Context = context) =>
    collect(signOut, {context: from, assistants: [cursor], place}, through);
  /** Saves the sign-in with these changes. */
  const keep = (change: Partial<Credentials>, key: CredentialsKey = context) =>
    ports.credentials.replace(key, {...kept, ...keyOf(key), ...change});
  return {asked, revoked, context, home, ports, leave, keep, kept: () => portsIn(home).credentials.get(context)};
};

test('nobody renews what is being revoked', async () => {
  const {promise: started, resolve: start} = Promise.withResolvers<void>();
  const {promise: answered, resolve: answer} = Promise.withResolvers<number>();
  const {asked, context, home, leave} = await signedIn(() => {
    start();
    return answered;
  });
  const disconnecting = leave();
  await started;
  const renewing = collect(accessToken, context, portsIn(home));
  renewing.catch(() => undefined);
  answer(200);
  expect((await disconnecting).result.revocation).toBe('revoked');
  await expect(renewing).rejects.toMatchObject({code: 'auth-sign-in-required'});
  expect(asked).toEqual(['/revoke']);
});

test('what the identity provider may have ended with it is said', async () => {
  const {ports, context, keep, leave} = await signedIn(async () => 200);
  const other: Context = {...context, name: 'other', controlPlaneUrl: 'https://other.example.com'};
  const client: Context = {...other, name: 'client', clientId: 'ci', signIn: 'service-account'};
  for (const one of [context, other, client]) await ports.config.saveContext(one);
  await keep({refreshToken: 'mine'}, {...context, account: 'ann'});
  await keep({refreshToken: 'theirs'}, {...other, account: 'ann'});
  const {result} = await leave();
  expect(result).toMatchObject({revocation: 'revoked', alsoEnded: ['other']});
});

test('a revocation that was refused is said, and removes all the same', async () => {
  const {leave, kept} = await signedIn(async () => 503);
  expect((await leave()).result.revocation).toBe('refused');
  expect(await kept()).toBeUndefined();
});

test('what the keychain does not give is removed too', async () => {
  const {ports, leave, kept} = await signedIn(async () => 200);
  const update = async () => {
    throw new SetupError('local-keychain-failed', 'It is locked.');
  };
  const locked = {...ports, credentials: {...ports.credentials, update}};
  expect((await leave(locked)).result.revocation).toBe('unread');
  expect(await kept()).toBeUndefined();
});

test('a file that does not read may hold what is not revoked then, and goes', async () => {
  const {ports, leave, revoked} = await signedIn(async () => 200);
  const {path} = ports.credentials;
  await writeFile(path, (await readFile(path)).subarray(0, -4));
  expect((await leave()).result.revocation).toBe('unread');
  expect(revoked).toEqual([]);
  for (const name of await readdir(dirname(path)))
    expect(await readFile(join(dirname(path), name), 'utf8').catch(() => '')).not.toContain('refresh-0');
});

describe('where nothing can be removed', () => {
  const readOnly = (path: string) =>
    new SetupError('local-write-failed', `${path} was not written: the file system is read-only.`);

  /** Returns the same ports on a file system that takes no write, and therefore no lock either. */
  const unwritable = (ports: Ports): Ports => {
    const refuse = (path: string) => Promise.reject(readOnly(path));
    const files = {...ports.files, write: refuse, remove: refuse, withLock: refuse, reserve: refuse, check: refuse};
    const credentials = createCredentialsStore(files, ports.credentials.path, async () => undefined);
    return {...ports, files, credentials};
  };

  test.each([
    [200, 'The identity provider has revoked the sign-in, but secrets of it are still on this machine.'],
    [503, 'Secrets are still on this machine, and the sign-in was not revoked.'],
  ])('the sign-in is revoked all the same, and what is left is said (%i)', async (status, words) => {
    const {ports, leave, revoked, kept} = await signedIn(async () => status);
    const {path} = ports.credentials;
    // Credentials that others can read are used if their mode cannot be changed.
    await chmod(path, 0o644);
    await expect(worded(leave(unwritable(ports)))).rejects.toMatchObject({
      code: 'local-write-failed',
      message: `${words} ${path} was not written: the file system is read-only.`,
      remedy: expect.stringContaining('npx setup logout again'),
    });
    expect(new Set(revoked)).toEqual(new Set(['refresh-0']));
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('only files that hold a token are named', async () => {
    const {ports, home, context, leave} = await signedIn(async () => 200);
    const entryAt = (name: string, method: 'bridge' | 'header') => {
      const path = join(home, name);
      return {assistant: 'cursor', scope: 'user', project: home, method, path, names: ['acme-control-plane']} as const;
    };
    const entries = [entryAt('with.json', 'header'), entryAt('without.json', 'bridge')];
    for (const {path} of entries) await writeFile(path, '{"mcpServers": {"acme-control-plane": {}}}');
    const error = await leave(unwritable(ports), {...context, entries}).catch(caught => caught);
    expect(error.message).toContain('with.json was not written');
    expect(error.message).not.toContain('without.json');
    expect(worded(error).remedy).toContain(`delete ${ports.credentials.path} and the tokens in the assistants’ files`);
    const {remedy} = worded(
      await leave(unwritable(ports), {...context, entries: entries.slice(1)}).catch(caught => caught),
    );
    expect(remedy).toContain('delete the files named above');
  });

  test('it is not revoked twice where the write came last', async () => {
    const {ports, leave, revoked} = await signedIn(async () => 200);
    const write = (path: string) => Promise.reject(readOnly(path));
    const files = {...ports.files, write};
    const credentials = createCredentialsStore(files, ports.credentials.path, async () => undefined);
    await expect(leave({...ports, files, credentials})).rejects.toMatchObject({code: 'local-write-failed'});
    expect(revoked).toEqual(['refresh-0']);
  });

  test('what was set aside is named', async () => {
    const {ports, home, leave} = await signedIn(async () => 200);
    const aside = join(home, 'credentials.json.bad-1');
    await writeFile(aside, 'canary');
    await expect(leave(unwritable(ports))).rejects.toMatchObject({message: expect.stringContaining(`${aside}.`)});
  });

  test('a bug is none of that', async () => {
    const {ports, leave} = await signedIn(async () => 200);
    const error = new Error('A bug.');
    const update = () => Promise.reject(error);
    await expect(leave({...ports, credentials: {...ports.credentials, update}})).rejects.toBe(error);
  });
});

test('what was set aside as broken or left by a write goes too, beside an assistant’s file what is ours', async () => {
  const {ports, home, context, leave} = await signedIn(async () => 200);
  const gone = [
    'credentials.json.bad-1700000000000',
    '.credentials.json.99999999-0a.tmp',
    `.credentials.json.${process.pid}-0b.tmp`,
    '.mcp.json.99999999-0c.tmp',
    '.cli-config.99999999-0d.tmp',
  ];
  const kept = ['mcp.json.bad-1', 'mcp.json.former', 'credentials.json.mine', 'other.json.bad-1'];
  for (const name of [...gone, ...kept]) await writeFile(join(home, name), 'canary');
  const entry: ContextEntry = {
    ...{assistant: 'cursor', project: home, scope: 'user', method: 'bridge', path: join(home, 'mcp.json'), names: []},
  };
  const cli = {path: join(home, 'cli-config'), name: 'acme', added: []};
  await leave(ports, {...context, entries: [entry], cli});
  const left = await readdir(home);
  expect(left.filter(name => gone.includes(name))).toEqual([]);
  expect(kept.filter(name => !left.includes(name))).toEqual([]);
});

test('who has signed out is told by their name, else by the client', async () => {
  const {leave, keep} = await signedIn(async () => 200);
  const told = async () => (await leave()).events.filter(({type}) => type === 'token-revoked');
  expect(await told()).toMatchObject([{account: 'platform-cli', outcome: 'revoked'}]);
  await keep({account: 'ann'});
  expect(await told()).toMatchObject([{account: 'ann', outcome: 'revoked'}]);
});

describe('the password of a proxy', () => {
  const proxy = 'http://proxy.example:3128';
  const keyOfProxy = {issuer: proxy, clientId: 'proxy'};

  /** Sets up a person behind a proxy, and another context behind it with these saved credentials. */
  const behindProxy = async (kept: Partial<Credentials> | undefined) => {
    const {ports, context, leave} = await signedIn(async () => 200);
    const network = {proxy: {https: proxy}};
    const other: Context = {...context, name: 'beta', clientId: 'other', network};
    await ports.config.saveContext({...context, network});
    await ports.config.saveContext(other);
    await ports.credentials.replace(keyOfProxy, {...keyOfProxy, clientSecret: 'the-word'});
    if (kept) await ports.credentials.replace(other, {...keyOf(other), ...kept});
    const word = async () => (await ports.credentials.get(keyOfProxy))?.clientSecret;
    return {ports, other, word, leave: (through = ports) => leave(through, {...context, network})};
  };

  test.each([
    ['leaves where nobody else is signed in behind it', undefined, undefined],
    ['stays for somebody who is', {accessToken: 'access-1'}, 'the-word'],
  ])('%s', async (_what, kept, left) => {
    const {leave, word} = await behindProxy(kept);
    await leave();
    expect(await word()).toBe(left);
  });

  test('stays where it cannot be read whether somebody is', async () => {
    const {ports, other, leave, word} = await behindProxy(undefined);
    const get: Ports['credentials']['get'] = async key => {
      if (key.clientId === other.clientId) throw new SetupError('local-keychain-failed', 'It is locked.');
      return ports.credentials.get(key);
    };
    await leave({...ports, credentials: {...ports.credentials, get}});
    expect(await word()).toBe('the-word');
  });
});

test('a sign-in is not its own reason to stay', async () => {
  const {leave, ports, context, kept} = await signedIn(async () => 200);
  await ports.config.saveContext(context);
  expect((await leave()).result.revocation).toBe('revoked');
  expect(await kept()).toBeUndefined();
  // The person is signed out already, which is not a failure.
  expect((await leave()).result).toStrictEqual({revocation: 'nothing', cleared: []});
});

test('a sign-in that another context lives on stays', async () => {
  const {leave, ports, context, kept, revoked} = await signedIn(async () => 200);
  await ports.config.saveContext(context);
  await ports.config.saveContext({...context, name: 'beta'});
  expect((await leave()).result).toEqual({revocation: 'shared', cleared: []});
  expect([await kept(), revoked]).toMatchObject([{refreshToken: 'refresh-0'}, []]);
});

describe('a server that has tokens of its own', () => {
  const resource = 'http://observer.acme.localhost';
  const withOwn = (context: Context): Context => ({...context, resources: {observability: resource}});
  const keyOfOwn = (context: Context) => ({...context, audience: resource});

  test('has them revoked first: the sign-in is what they are revoked by', async () => {
    const {leave, keep, context, ports, revoked} = await signedIn(async () => 200);
    await keep({refreshToken: 'refresh-of-observer'}, keyOfOwn(context));
    expect((await leave(ports, withOwn(context))).result.revocation).toBe('revoked');
    expect(revoked).toEqual(['refresh-of-observer', 'refresh-0']);
    expect(await ports.credentials.get(keyOfOwn(context))).toBeUndefined();
  });

  test('does not change what came of it where there are none', async () => {
    const {leave, context, ports, revoked} = await signedIn(async () => 200);
    expect((await leave(ports, withOwn(context))).result.revocation).toBe('revoked');
    expect(revoked).toEqual(['refresh-0']);
  });

  test('makes it as bad as what stands longest', async () => {
    const {leave, keep, context, ports} = await signedIn(async token => (token === 'refresh-0' ? 200 : 503));
    await keep({refreshToken: jwt(4_000_000_000)}, keyOfOwn(context));
    expect((await leave(ports, withOwn(context))).result).toEqual({
      ...{revocation: 'refused', cleared: [], goodUntil: 4_000_000_000_000},
      answered: expect.stringMatching(/\/revoke answered 503\.$/),
    });
  });
});

test('what each renewal put off ends then, as nobody renews it any more', async () => {
  const {leave, keep, ports} = await signedIn(async () => 503);
  await keep({refreshToken: jwt(4_000_000_000), slides: true});
  expect((await leave(ports)).result.goodUntil).toBe(4_000_000_000_000);
});

test('how long a token stays good that was not revoked is said, by the one that does longest', async () => {
  const {leave, keep, context, ports} = await signedIn(async () => 503);
  const audience = 'http://observer.acme.localhost';
  await keep({refreshToken: jwt(4_000_000_000)});
  await keep({refreshToken: jwt(3_000_000_000)}, {...context, audience});
  const {result} = await leave(ports, {...context, resources: {observability: audience}});
  expect(result.goodUntil).toBe(4_000_000_000_000);
});

test('a token that was revoked is not said to stay good', async () => {
  const {leave, keep} = await signedIn(async () => 200);
  await keep({refreshToken: jwt(4_000_000_000)});
  expect((await leave()).result).toEqual({revocation: 'revoked', cleared: []});
});

describe('the files', () => {
  const put = async (path: string, authorization = 'Bearer access-0') => {
    const entry = {url: 'http://api.acme.localhost/mcp', headers: {Authorization: authorization}};
    await writeFile(path, JSON.stringify({mcpServers: {acme: entry}}));
    return path;
  };
  const entryAt = (path: string, assistant = 'cursor'): ContextEntry => ({
    ...{assistant, scope: 'user', project: '/', method: 'header', path, names: ['acme']},
  });

  test('lose their tokens, and those that hold none are not named', async () => {
    const {leave, context, ports, home} = await signedIn(async () => 200);
    const [held, unknown] = [await put(join(home, 'held.json')), await put(join(home, 'unknown.json'))];
    const cli = {path: join(home, 'config'), name: 'acme', added: []};
    await writeFile(cli.path, 'credentials:\n    - name: acme\n      token: access-0\n');
    const entries = [entryAt(held), entryAt(join(home, 'gone.json')), entryAt(unknown, 'no-more')];
    const {result, events} = await leave(ports, {...context, entries, cli});
    expect(result.cleared).toEqual([held, cli.path]);
    expect(events.filter(({type}) => type === 'file-written')).toEqual([
      {type: 'file-written', path: held, change: 'changed'},
      {type: 'file-written', path: cli.path, change: 'changed'},
    ]);
    const texts = await Promise.all([held, cli.path, unknown].map(path => readFile(path, 'utf8')));
    expect(texts.map(one => one.includes('access-0'))).toEqual([false, false, true]);
  });

  test('that cannot be edited are all named, with what is to be done', async () => {
    const {leave, context, ports, home, kept} = await signedIn(async () => 200);
    const [broken, cli] = [join(home, 'broken.json'), {path: join(home, 'config'), name: 'acme', added: []}];
    await writeFile(broken, '{');
    await writeFile(cli.path, 'credentials: [');
    const error = await leave(ports, {...context, entries: [entryAt(broken)], cli}).catch(caught => caught);
    expect(worded(error)).toMatchObject({
      code: 'local-file-invalid',
      remedy: expect.stringMatching(/^Remove it by hand/),
    });
    expect(error.message).toMatch(/^You are signed out, but/);
    expect([error.message.includes(broken), error.message.includes(cli.path)]).toEqual([true, true]);
    expect(await kept()).toBeUndefined();
  });

  test('that hold no token of the CLI are not named', async () => {
    const {leave, context, ports, home} = await signedIn(async () => 200);
    const cli = {path: join(home, 'config'), name: 'acme', added: []};
    await writeFile(cli.path, 'credentials: []\n');
    expect((await leave(ports, {...context, cli})).result.cleared).toEqual([]);
  });

  test('and a bug is none that is left for later', async () => {
    const {leave, context, ports, home} = await signedIn(async () => 200);
    const path = await put(join(home, 'held.json'));
    const bug = new Error('A bug.');
    const broken = {...ports, files: {...ports.files, read: () => Promise.reject(bug)}};
    await expect(leave(broken, {...context, entries: [entryAt(path)]})).rejects.toBe(bug);
  });
});

test('until when an access token is good that was not revoked is said, where that is in the future', async () => {
  const later = Date.now() + 3_600_000;
  for (const [status, until] of [
    [503, later],
    [200, undefined],
  ] as const) {
    const {leave, keep, ports} = await signedIn(async () => status);
    await keep({refreshToken: 'opaque', accessToken: 'access', expiresAt: later});
    expect((await leave(ports)).result.accessUntil).toBe(until);
  }
});
