import {chmod, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test, vi} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {createCredentialsStore} from '../../src/store/credentials-store.ts';
import type {Keychain} from '../../src/store/keychain.ts';
import {mcpClientContext as context} from '../support/context.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

const key = {issuer: context.issuer, clientId: context.clientId};

const texts = ['audience', 'clientSecret', 'createdSecret', 'accessToken', 'refreshToken', 'account'];
const times = ['expiresAt', 'obtainedAt', 'retryAt'];

describe('the credentials', () => {
  test('of a server with a token of its own are kept beside those of the sign-in', async () => {
    const {credentials} = await temporaryPorts();
    const own = {...key, audience: 'http://observer.acme.localhost:11080/mcp'};
    await credentials.replace(key, {...key, accessToken: 'one', refreshToken: 'r'});
    await credentials.replace(own, {...own, accessToken: 'other'});
    expect(await credentials.get(key)).toEqual({...key, accessToken: 'one', refreshToken: 'r'});
    expect(await credentials.get(own)).toEqual({...own, accessToken: 'other'});
    await credentials.replace(own, undefined);
    expect([await credentials.get(own), (await credentials.get(key))?.accessToken]).toEqual([undefined, 'one']);
  });

  test('of many are had from one reading of the file', async () => {
    const {credentials, files} = await temporaryPorts();
    const keys = ['a', 'b', 'c'].map(clientId => ({...key, clientId}));
    for (const one of keys) await credentials.replace(one, {...one, accessToken: `token-of-${one.clientId}`});
    let reads = 0;
    const read: typeof files.read = (path, options) => {
      reads += 1;
      return files.read(path, options);
    };
    const store = createCredentialsStore({...files, read}, credentials.path, async () => undefined);
    const found = await store.getEach([...keys, {...key, clientId: 'nobody'}]);
    expect(found.map(one => one.status === 'fulfilled' && one.value?.accessToken)).toEqual([
      'token-of-a',
      'token-of-b',
      'token-of-c',
      undefined,
    ]);
    expect(reads).toBe(1);
  });

  test('that have the secret of a client are found, and no others', async () => {
    const {credentials} = await temporaryPorts();
    await credentials.replace(key, {...key, accessToken: 't'});
    const [used, created] = ['used', 'created'].map(clientId => ({...key, clientId}));
    if (!used || !created) throw new Error('There are two.');
    await credentials.replace(used, {...used, clientSecret: 's'});
    await credentials.replace(created, {...created, createdSecret: 's'});
    expect(await credentials.withClientSecret()).toEqual([used, created]);
  });

  onUnix('are readable by their owner only, from the first byte', async () => {
    const {credentials} = await temporaryPorts();
    await credentials.update(key, async () => ({...key, clientSecret: 's', accessToken: 't', expiresAt: 5}));
    expect((await stat(credentials.path)).mode & 0o777).toBe(0o600);
    expect(await credentials.get(key)).toEqual({...key, clientSecret: 's', accessToken: 't', expiresAt: 5});
  });

  test('are kept apart by issuer and client', async () => {
    const {credentials} = await temporaryPorts();
    const other = {issuer: 'https://elsewhere.example', clientId: key.clientId};
    await credentials.update(key, async () => ({...key, clientSecret: 'a'}));
    await credentials.update(other, async () => ({...other, clientSecret: 'b'}));
    expect((await credentials.get(key))?.clientSecret).toBe('a');
    await credentials.update(key, async () => undefined);
    expect(await credentials.get(key)).toBeUndefined();
    expect((await credentials.get(other))?.clientSecret).toBe('b');
  });

  test('a broken file is named without showing what is in it', async () => {
    const {credentials} = await temporaryPorts();
    await writeFile(credentials.path, '{"credentials": "canary-secret');
    const error = await credentials.get(key).catch(caught => caught);
    expect(error).toMatchObject({code: 'local-credentials-invalid'});
    expect(error.message).not.toContain('canary');
  });

  const incomplete: readonly unknown[] = [
    'text',
    {clientId: 'x'},
    {issuer: 'x'},
    ...texts.map(name => ({...key, [name]: 7})),
    ...times.map(name => ({...key, [name]: 'soon'})),
    ...['yes', {at: 'then'}].map(refused => ({...key, refused})),
    {...key, inKeychain: 'yes'},
  ];

  test.each<[contents: object, reason: string]>([
    [{version: 2, credentials: []}, 'its version is 2'],
    [{version: 1}, '"credentials" is not a list'],
    ...incomplete.map((one): [object, string] => [
      {version: 1, credentials: [key, one]},
      'credentials[1] is not complete',
    ]),
  ])('of a file that is no such file (%j) are refused, and it is said why', async (contents, reason) => {
    const {credentials} = await temporaryPorts();
    await writeFile(credentials.path, JSON.stringify(contents), {mode: 0o600});
    await expect(credentials.get(key)).rejects.toMatchObject({
      code: 'local-credentials-invalid',
      message: expect.stringContaining(reason),
    });
  });

  test('are kept with everything that is known of them', async () => {
    const {credentials} = await temporaryPorts();
    const whole = {
      ...{...key, audience: 'http://observer', account: 'ann', refused: {at: 3, reason: 'It has ended.'}},
      ...{clientSecret: 's', createdSecret: 'c', accessToken: 'a', refreshToken: 'r'},
      ...{expiresAt: 3, obtainedAt: 1, retryAt: 2},
    };
    await credentials.replace(whole, whole);
    expect(await credentials.get(whole)).toEqual(whole);
  });

  test('that cannot be read for another reason are not moved aside', async () => {
    const {files, credentials} = await temporaryPorts();
    const denied = new SetupError('local-write-failed', 'Access is denied.');
    const read = () => Promise.reject(denied);
    const store = createCredentialsStore({...files, read}, credentials.path, async () => undefined);
    await expect(store.get(key)).rejects.toBe(denied);
    await expect(store.replace(key, key)).rejects.toBe(denied);
  });

  test('that another setup has written meanwhile stay, and it is said to try again', async () => {
    const {files, credentials} = await temporaryPorts();
    const store = createCredentialsStore(files, credentials.path, async () => undefined);
    const theirs = `${JSON.stringify({version: 1, credentials: [{...key, accessToken: 'theirs'}]})}\n`;
    const meanwhile = store.update(key, async () => {
      await writeFile(credentials.path, theirs, {mode: 0o600});
      return {...key, accessToken: 'ours'};
    });
    await expect(meanwhile).rejects.toMatchObject({code: 'local-locked'});
    expect(await readFile(credentials.path, 'utf8')).toBe(theirs);
  });

  test('that cannot be written are said as that', async () => {
    const {files, credentials} = await temporaryPorts();
    const full = new SetupError('local-write-failed', 'The disk is full.');
    const write = () => Promise.reject(full);
    const store = createCredentialsStore({...files, write}, credentials.path, async () => undefined);
    await expect(store.replace(key, key)).rejects.toBe(full);
  });

  test('are not written by a look at them', async () => {
    const {files, credentials} = await temporaryPorts();
    await credentials.replace(key, {...key, accessToken: 'a'});
    const write = vi.spyOn(files, 'write');
    const store = createCredentialsStore(files, credentials.path, async () => undefined);
    await store.get(key);
    expect(write).not.toHaveBeenCalled();
  });

  onUnix('a broken file is kept under another name by the next sign-in', async () => {
    const home = await temporaryDirectory();
    const {credentials} = portsIn(home);
    await writeFile(credentials.path, '{"credentials": "what was there');
    await credentials.update(key, async () => ({...key, accessToken: 'new'}));
    expect(await credentials.get(key)).toMatchObject({accessToken: 'new'});
    const [aside = ''] = (await readdir(home)).filter(name => name.includes('.bad-'));
    // Its name contains the time at which it was moved.
    expect(Math.abs(Number(aside.split('.bad-')[1]) - Date.now())).toBeLessThan(60_000);
    expect(await readFile(join(home, aside), 'utf8')).toBe('{"credentials": "what was there');
    expect((await stat(join(home, aside))).mode & 0o777).toBe(0o600);
  });

  onUnix('that others could read are for their owner only after the first look', async () => {
    const {credentials} = await temporaryPorts();
    await credentials.update(key, async () => ({...key, accessToken: 'a'}));
    await chmod(credentials.path, 0o644);
    await credentials.get(key);
    expect((await stat(credentials.path)).mode & 0o777).toBe(0o600);
  });

  test('never reach the journal', async () => {
    const home = await temporaryDirectory();
    const {credentials, config} = portsIn(home);
    await credentials.update(key, async () => ({...key, clientSecret: 'canary-1'}));
    await credentials.update(key, async () => ({...key, clientSecret: 'canary-2'}));
    await config.saveContext(context);
    await chmod(credentials.path, 0o644);
    await credentials.get(key);
    await writeFile(credentials.path, 'canary-broken');
    await credentials.replace(key, {...key, clientSecret: 'canary-3'});
    await credentials.replace(key, undefined);
    const journal = await readdir(join(home, 'journal'));
    const texts = await Promise.all(journal.map(name => readFile(join(home, 'journal', name), 'utf8')));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join('')).not.toContain('canary');
    // Undo does not remove a broken file that was moved aside.
    expect((await portsIn(home).journal.list()).map(({path}) => path)).toEqual([config.path]);
  });
});

describe('a transaction', () => {
  const signIn = {...key, accessToken: 'a1', refreshToken: 'r1', obtainedAt: 1};
  const readOnly = new SetupError('local-write-failed', 'It is read-only.');
  const lost = new SetupError('local-locked', 'The lock is lost.');

  /** Creates a store with files that differ from the real ones, and a sign-in that was stored before. */
  const storeWith = async (differing: (files: Ports['files']) => Partial<Ports['files']>) => {
    const {files, credentials} = await temporaryPorts();
    await credentials.replace(key, {...key, accessToken: 'a0', refreshToken: 'r0', obtainedAt: 0});
    return createCredentialsStore({...files, ...differing(files)}, credentials.path, async () => undefined);
  };

  test('reads, reserves, writes and returns the value of its work', async () => {
    const store = await storeWith(() => ({}));
    const result = await store.transaction(key, async ({current, read, reserve, write}) => {
      expect(await read()).toEqual(current);
      await reserve();
      await write(signIn);
      return current?.accessToken;
    });
    expect(result).toEqual({value: 'a0'});
    expect(await store.get(key)).toEqual(signIn);
  });

  test('that writes nothing leaves the file as it is', async () => {
    let writes = 0;
    const store = await storeWith(files => ({
      write: async (...args) => {
        writes += 1;
        await files.write(...args);
      },
    }));
    expect(await store.transaction(key, async () => 'done')).toEqual({value: 'done'});
    expect(writes).toBe(0);
  });

  test('says why the disk does not have what it wrote', async () => {
    const store = await storeWith(() => ({write: () => Promise.reject(readOnly)}));
    expect(await store.transaction(key, ({write}) => write(signIn))).toEqual({value: undefined, unwritten: readOnly});
    expect(await store.get(key)).toMatchObject({accessToken: 'a0'});
  });

  test.each([
    ['has written', true, {value: 'done'}],
    ['could not write', false, {value: 'done', unwritten: lost}],
  ])('that has lost its lock and %s knows which', async (_what, hasWritten, expected) => {
    const store = await storeWith(files => ({
      withLock: async (...args) => {
        await files.withLock(...args);
        throw lost;
      },
      ...(hasWritten ? {} : {write: () => Promise.reject(lost)}),
    }));
    const work = async ({write}: {write: (next: typeof signIn) => Promise<void>}) => {
      await write(signIn);
      return 'done';
    };
    expect(await store.transaction(key, work)).toEqual(expected);
  });

  test('that wrote nothing does not care about a lost lock', async () => {
    const store = await storeWith(files => ({
      withLock: async (...args) => {
        await files.withLock(...args);
        throw lost;
      },
    }));
    expect(await store.transaction(key, async () => 'done')).toEqual({value: 'done'});
  });

  test('runs on what can be read if nothing can be written', async () => {
    const store = await storeWith(() => ({withLock: () => Promise.reject(readOnly)}));
    const reading = store.transaction(key, async ({current, read}) => [current, await read()]);
    expect(await reading).toMatchObject({value: [{accessToken: 'a0'}, {accessToken: 'a0'}]});
    expect(await reading).not.toHaveProperty('unwritten');
    const writing = store.transaction(key, ({write}) => write(signIn));
    expect(await writing).toMatchObject({unwritten: readOnly});
    await expect(store.transaction(key, ({reserve}) => reserve())).rejects.toBe(readOnly);
  });

  test('rejects with what its work throws, and with a bug in writing', async () => {
    const bug = new TypeError('This is a bug.');
    const store = await storeWith(() => ({}));
    await expect(store.transaction(key, () => Promise.reject(bug))).rejects.toBe(bug);
    const failing = await storeWith(() => ({write: () => Promise.reject(bug)}));
    await expect(failing.transaction(key, ({write}) => write(signIn))).rejects.toBe(bug);
  });
});

describe('a keychain', () => {
  /** Creates a keychain in memory that can fail on request. */
  const memory = (fails = false) => {
    const secrets = new Map<string, string>();
    const refuse = async () => {
      if (fails) throw new Error('locked');
    };
    const keychain: Keychain = {
      name: 'the test’s keychain',
      works: async () => true,
      get: async account => secrets.get(account),
      set: async (account, secret) => {
        await refuse();
        secrets.set(account, secret);
      },
      remove: async account => void secrets.delete(account),
    };
    return {keychain, secrets};
  };
  const storeWith = async (keychain: Keychain | undefined) => {
    const {files, credentials} = await temporaryPorts();
    return {
      store: createCredentialsStore(files, credentials.path, async () => keychain),
      path: credentials.path,
      files,
    };
  };
  const whole = {...key, clientSecret: 'canary-s', accessToken: 'canary-a', refreshToken: 'canary-r', expiresAt: 5};

  test('has the secrets, and the file has the rest', async () => {
    const {keychain, secrets} = memory();
    const {store, path} = await storeWith(keychain);
    await store.update(key, async () => whole);
    expect(await store.get(key)).toEqual(whole);
    expect(await store.where()).toBe('the test’s keychain');
    expect(await readFile(path, 'utf8')).not.toContain('canary');
    // A later release looks for them there as well.
    expect([...secrets.keys()]).toEqual([`${key.clientId} at ${key.issuer}`]);
    await store.update(key, async () => undefined);
    expect(secrets.size).toBe(0);
  });

  test('has the secrets of each audience under a name of their own', async () => {
    const {keychain, secrets} = memory();
    const {store} = await storeWith(keychain);
    const own = {...key, audience: 'https://observer.example/mcp'};
    await store.replace(key, whole);
    await store.replace(own, {...whole, ...own, accessToken: 'canary-own'});
    expect(secrets.size).toBe(2);
    expect(await store.get(key)).toEqual(whole);
    expect((await store.get(own))?.accessToken).toBe('canary-own');
    await store.replace(own, undefined);
    expect([secrets.size, await store.get(key)]).toEqual([1, whole]);
  });

  test('that is chosen once stays chosen, and so does the file', async () => {
    const {files, path} = await storeWith(undefined);
    const inFile = createCredentialsStore(files, path, async () => undefined);
    await inFile.update(key, async () => whole);
    const {keychain, secrets} = memory();
    const later = createCredentialsStore(files, path, async () => keychain);
    await later.update(key, async () => ({...whole, accessToken: 'canary-b'}));
    expect([await later.where(), secrets.size]).toEqual(['file', 0]);
  });

  test('is left alone where there is nothing secret', async () => {
    const {keychain, secrets} = memory();
    const {store} = await storeWith(keychain);
    await store.replace(key, {...key, account: 'ann'});
    expect([await store.get(key), secrets.size]).toEqual([{...key, account: 'ann'}, 0]);
    // The store names the keychain as the place for secrets.
    expect(await store.where()).toBe('the test’s keychain');
  });

  test('keeps what is still in it, and loses what went to the file', async () => {
    const {keychain, secrets} = memory();
    const {store} = await storeWith(keychain);
    await store.replace(key, whole);
    await store.replace(key, {...whole, accessToken: 'canary-b'});
    expect([secrets.size, (await store.get(key))?.accessToken]).toEqual([1, 'canary-b']);
    keychain.set = () => Promise.reject(new Error('locked'));
    await store.replace(key, whole);
    expect([secrets.size, await store.get(key), await store.where()]).toEqual([0, whole, 'file']);
  });

  test('that is gone, or does not work, is none', async () => {
    const {keychain} = memory();
    const {store, files, path} = await storeWith({...keychain, works: async () => false});
    expect(await store.where()).toBe('file');
    await createCredentialsStore(files, path, async () => keychain).replace(key, whole);
    const without = createCredentialsStore(files, path, async () => undefined);
    expect(await without.where()).toBe('a missing keychain');
    await without.replace(key, undefined);
    expect(await without.get(key)).toBeUndefined();
  });

  test('that does not let go of a secret keeps nobody from signing out', async () => {
    const {keychain} = memory();
    const {store} = await storeWith({...keychain, remove: () => Promise.reject(new Error('locked'))});
    await store.replace(key, whole);
    await store.replace(key, undefined);
    expect(await store.get(key)).toBeUndefined();
  });

  test('is asked for in the place that the file names, and in no other', async () => {
    const {keychain} = memory();
    const {store, path} = await storeWith(keychain);
    const at = async (place: string) => {
      await writeFile(path, JSON.stringify({version: 1, place, credentials: []}), {mode: 0o600});
      return store.where();
    };
    expect([await at('file'), await at('keychain'), await at('elsewhere')]).toEqual([
      ...['file', 'the test’s keychain', 'the test’s keychain'],
    ]);
  });

  test('that does not take a secret loses none', async () => {
    const {keychain} = memory(true);
    const {store} = await storeWith(keychain);
    await store.update(key, async () => whole);
    expect(await store.get(key)).toEqual(whole);
    expect(await store.where()).toBe('file');
  });

  test('whose contents are damaged is said, without what it held', async () => {
    const {keychain, secrets} = memory();
    const {store} = await storeWith(keychain);
    await store.update(key, async () => whole);
    for (const account of secrets.keys()) secrets.set(account, 'canary{');
    const error: Error = await store.get(key).then(
      () => expect.fail('It was read.'),
      reason => reason,
    );
    expect(error).toMatchObject({code: 'local-keychain-failed'});
    expect(inspect(error, {depth: 9})).not.toContain('canary');
  });

  test('that is gone is said, and does not keep anybody from signing in again', async () => {
    const {keychain} = memory();
    const {store, files, path} = await storeWith(keychain);
    await store.update(key, async () => whole);
    const without = createCredentialsStore(files, path, async () => undefined);
    await expect(without.get(key)).rejects.toMatchObject({code: 'local-keychain-failed'});
    const again = {...whole, accessToken: 'canary-again'};
    // A renewal cannot read the saved credentials without the keychain, and must not take them for absent.
    await expect(without.update(key, async () => undefined)).rejects.toMatchObject({code: 'local-keychain-failed'});
    expect(await store.get(key)).toEqual(whole);
    await without.replace(key, again);
    expect(await without.get(key)).toEqual(again);
  });
});

onUnix.each(['file', 'directory'])(
  'credentials whose %s others can change are neither believed nor closed',
  async what => {
    const home = await temporaryDirectory();
    const {credentials} = portsIn(home);
    await credentials.update(key, async () => ({...key, accessToken: 'a'}));
    const [path, mode] = what === 'file' ? [credentials.path, 0o622] : [home, 0o733];
    await chmod(path, mode);
    const refused = {code: 'local-open-to-others', remedy: expect.stringContaining(`chmod go-w ${path}`)};
    await expect(credentials.get(key)).rejects.toMatchObject(refused);
    await expect(credentials.update(key, async () => ({...key, accessToken: 'b'}))).rejects.toMatchObject(refused);
    // The mode is unchanged, so that it stays visible that others could have written there.
    expect((await stat(path)).mode & 0o777).toBe(mode);
  },
);
