import {chmod, rm} from 'node:fs/promises';
import {describe, expect, test, vi} from 'vitest';
import type {ContextCli} from '../../../src/domain/context.ts';
import {clearOwnCli, removeOwnCli} from '../../../src/flows/own-cli/own-cli-file.ts';
import {credentialsIn, homeWith, others, person} from './support/home.ts';

/** Sets up a person whose CLI file began with this content and whose CLI was then signed in. */
const signedIn = async (before?: string) => {
  const home = await homeWith(before);
  const {after, record} = await home.compose();
  await home.put(after.reveal());
  const knowing = (cli: ContextCli) => ({...person, cli});
  return {...home, record, context: knowing(record), knowing};
};

const refresh = '      refreshToken: refresh-of-now\n';

describe('a sign-out', () => {
  test('takes the secrets out and leaves the rest, and the journal keeps none of them', async () => {
    const {context, ports, path, text, expectMode} = await signedIn(others);
    const before = await text();
    await chmod(path, 0o644);
    const write = vi.spyOn(ports.files, 'write');
    expect(await clearOwnCli(context, ports)).toBe(true);
    expect(await text()).toBe(before.replace('      token: access-of-now\n', '').replace(refresh, ''));
    await expectMode(0o600);
    const kept = await ports.journal.list();
    expect(kept).toMatchObject([{path, isSignOut: true, before: {cuts: [{}, {}]}}]);
    expect(JSON.stringify(kept)).not.toMatch(/access-of-now|refresh-of-now/);
    // A write of somebody else in between is not overwritten.
    expect(write.mock.calls[0]?.[2].expected).toEqual(Buffer.from(before));
    expect(await clearOwnCli(context, ports)).toBe(false);
  });

  test('has nothing to do where the CLI was not signed in, or its file is gone', async () => {
    const {context, ports, path} = await signedIn();
    expect(await clearOwnCli(person, ports)).toBe(false);
    await rm(path);
    expect(await clearOwnCli(context, ports)).toBe(false);
  });

  test('leaves the sign-in of somebody who has signed in with another client since', async () => {
    const {context, ports, put, text} = await signedIn();
    const theirs = (await text()).replace('openchoreo-cli', 'theirs');
    await put(theirs);
    expect([await clearOwnCli(context, ports), await removeOwnCli(context, ports)]).toEqual([false, false]);
    expect(await text()).toBe(theirs);
  });

  test('takes out a token that no client is named for', async () => {
    const {context, ports, put, text} = await signedIn();
    await put((await text()).replace('      clientId: openchoreo-cli\n', ''));
    expect(await clearOwnCli(context, ports)).toBe(true);
    expect(credentialsIn(await text())).toEqual({name: 'acme', authMethod: 'authorization_code'});
  });

  test('names a file that cannot be edited', async () => {
    const {context, ports, put, path} = await signedIn();
    await put('currentContext: [');
    await expect(clearOwnCli(context, ports)).rejects.toMatchObject({code: 'local-file-invalid', about: {path}});
  });
});

describe('a deployment that is forgotten', () => {
  test('goes out of the file, which is as it was before, with the context that was the current one', async () => {
    const {context, ports, text} = await signedIn(others);
    expect(await removeOwnCli(context, ports)).toBe(true);
    expect(await text()).toBe(others);
    expect(await removeOwnCli(context, ports)).toBe(false);
  });

  test('leaves the context current that was so before it, of several', async () => {
    const list = (...names: readonly string[]) => names.map(name => `    - name: ${name}\n`).join('');
    const before = `currentContext: work\ncontexts:\n${list('home', 'work')}`;
    const {context, ports, text, knowing, record, put} = await signedIn(before);
    const made = await text();
    await removeOwnCli(context, ports);
    expect(await text()).toContain('currentContext: work\n');
    await put(made);
    const {previous: _, ...unknown} = record;
    await removeOwnCli(knowing(unknown), ports);
    expect(await text()).toContain('currentContext: home\n');
  });

  test('takes a file along that was made for it and has nothing else in it', async () => {
    const {context, ports, path} = await signedIn();
    expect(await removeOwnCli(context, ports)).toBe(true);
    expect(await ports.files.exists(path)).toBe(false);
    // Undo restores the file without the tokens.
    const [entry] = await ports.journal.list();
    expect(entry).toMatchObject({path, after: null});
    expect(JSON.stringify(entry)).not.toMatch(/access-of-now|refresh-of-now/);
  });

  test('leaves a file that was there before, or that has something else in it by now', async () => {
    const {record, knowing, ports, text, put} = await signedIn();
    const made = await text();
    const {created: _, ...older} = record;
    expect(await removeOwnCli(knowing(older), ports)).toBe(true);
    expect(await text()).toContain('currentContext:');
    await put(made.replace('credentials:\n', 'credentials:\n    - name: other\n'));
    expect(await removeOwnCli(knowing(record), ports)).toBe(true);
    expect(await text()).toContain('- name: other');
  });

  test('leaves what was in the file before it, without the secrets', async () => {
    const {context, ports, text} = await signedIn('credentials:\n    - name: acme\n      token: older\n');
    expect(await removeOwnCli(context, ports)).toBe(true);
    expect(credentialsIn(await text())).toMatchObject({name: 'acme'});
    expect(await text()).not.toMatch(/token:|api\.acme/);
  });
});
