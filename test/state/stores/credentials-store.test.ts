import {chmod, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import type {Keychain} from '../../../src/ports/keychain.ts';
import {createCredentialsStore} from '../../../src/state/stores/credentials-store.ts';
import {mcpClientContext as context} from '../../support/context.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';

const key = {issuer: context.issuer, clientId: context.clientId};

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

  test('are readable by their owner only, from the first byte', async () => {
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

  test('a broken file is kept under another name by the next sign-in', async () => {
    const home = await temporaryDirectory();
    const {credentials} = portsIn(home);
    await writeFile(credentials.path, '{"credentials": "what was there');
    await credentials.update(key, async () => ({...key, accessToken: 'new'}));
    expect(await credentials.get(key)).toMatchObject({accessToken: 'new'});
    const [aside = ''] = (await readdir(home)).filter(name => name.includes('.bad-'));
    expect(await readFile(join(home, aside), 'utf8')).toBe('{"credentials": "what was there');
    expect((await stat(join(home, aside))).mode & 0o777).toBe(0o600);
  });

  test('that others could read are for their owner only after the first look', async () => {
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
    const journal = await readdir(join(home, 'journal'));
    const texts = await Promise.all(journal.map(name => readFile(join(home, 'journal', name), 'utf8')));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join('')).not.toContain('canary');
  });
});

describe('a keychain', () => {
  /** A keychain in memory, which can be told to fail. */
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
    expect(secrets.size).toBe(1);
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
    // A renewal has nothing to go by then, and must not take what is there for nothing.
    await expect(without.update(key, async () => undefined)).rejects.toMatchObject({code: 'local-keychain-failed'});
    expect(await store.get(key)).toEqual(whole);
    await without.replace(key, again);
    expect(await without.get(key)).toEqual(again);
  });
});
