import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {SIGNED_OUT} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {ownershipIn, writtenOf} from '../../../src/flows/assistants/ownership.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {collect} from '../../support/flows.ts';
import {context, jwt, machine} from './support/machine.ts';

const fresh = jwt(4_100_000_000);
const theirs = {url: 'https://mine.example/mcp', headers: {Authorization: 'Bearer my-own', 'X-Team': 'a'}};
const name = 'acme-control-plane';

/** Sets up a machine on which Cursor is connected by a header, and functions for what a person may do to an entry. */
const connected = async () => {
  const at = await machine();
  await at.connect(['cursor', 'user', 'header']);
  const path = at.fileOf('cursor');
  const servers = async () => JSON.parse(await readFile(path, 'utf8')).mcpServers;
  const edit = async (change: (entry: Record<string, unknown>) => unknown) => {
    const file = JSON.parse(await readFile(path, 'utf8'));
    change(file.mcpServers[name]);
    await writeFile(path, JSON.stringify(file, null, 2));
  };
  /** Renews the entries as a later sign-in, `upgrade` and `doctor --fix` do. */
  const renew = async () => {
    const assistant = allAssistants.find(({id}) => id === 'cursor') ?? expect.fail();
    const [renews] = (await at.saved()).entries ?? [];
    if (!renews) return expect.fail();
    const input = {
      ...at.input([]),
      targets: [{assistant, scope: renews.scope, method: renews.method, renews}],
      tokens: {signIn: new Secret(fresh)},
    };
    const {result: plan, events} = await collect(planFiles, input, at.ports);
    await collect(writeFiles, {plan, context: 'acme'}, at.ports);
    return events;
  };
  const leave = async () =>
    collect(signOut, {context: await at.saved(), assistants: allAssistants, place: at.place}, at.ports);
  return {...at, path, servers, edit, renew, leave};
};

const isWarning = {
  type: 'warning',
  message: expect.stringMatching(/^“acme-control-plane” in .* has been changed since/),
};

describe('an entry that the person made their own', () => {
  const own = (entry: Record<string, unknown>) => Object.assign(entry, theirs);

  test('is left by a renewal, which says so and renews the other one', async () => {
    const {edit, renew, servers} = await connected();
    await edit(own);
    expect(await renew()).toContainEqual(isWarning);
    const {[name]: left, 'acme-observability': other} = await servers();
    expect(left).toEqual(theirs);
    expect(other.headers.Authorization).toBe(`Bearer ${fresh}`);
  });

  test('is left by a sign-out, which says so and clears the other one', async () => {
    const {edit, leave, servers} = await connected();
    await edit(own);
    expect((await leave()).events).toContainEqual(isWarning);
    const {[name]: left, 'acme-observability': other} = await servers();
    expect(left).toEqual(theirs);
    expect(other.headers.Authorization).toBe(SIGNED_OUT);
  });

  test('is left when the assistant is disconnected, and said', async () => {
    const {edit, disconnect, servers, path} = await connected();
    await edit(own);
    expect(await disconnect()).toMatchObject([{path, outcome: 'removed', left: [name]}]);
    expect(await servers()).toEqual({[name]: theirs});
  });

  test.each<[string, (entry: Record<string, unknown>) => void]>([
    ['its address', entry => Object.assign(entry, {url: 'https://mine.example/mcp'})],
    ['its token', entry => Object.assign(entry.headers as object, {Authorization: 'Bearer my-own'})],
    ['no token', entry => Object.assign(entry, {headers: {}})],
    ['a program', entry => Object.assign(entry, {url: undefined, command: 'mine'})],
  ])('is that by %s, and is theirs to replace', async (_what, change) => {
    const {edit, disconnect, renew, servers, input, ports} = await connected();
    await edit(change);
    const before = (await servers())[name];
    const plan = (replace: boolean) => collect(planFiles, {...input([['cursor', 'user', 'header']]), replace}, ports);
    await expect(plan(false)).rejects.toMatchObject({code: 'local-entry-exists'});
    expect((await plan(true)).result.files).toMatchObject([{change: 'changed'}]);
    await renew();
    await disconnect();
    expect((await servers())[name]).toEqual(before);
  });
});

describe('in an entry that is ours, what this program did not write', () => {
  const more = (entry: Record<string, unknown>) => {
    Object.assign(entry, {sandboxEnabled: true, dev: {watch: ['a']}});
    Object.assign(entry.headers as object, {'X-Team': 'a'});
  };

  test('stays when it is renewed, signed out, and connected in another way', async () => {
    const {edit, renew, leave, connect, servers} = await connected();
    await edit(more);
    const kept = {sandboxEnabled: true, dev: {watch: ['a']}, headers: {'X-Team': 'a'}};
    expect((await renew()).filter(({type}) => type === 'warning')).toEqual([]);
    expect((await servers())[name]).toMatchObject({...kept, headers: {Authorization: `Bearer ${fresh}`}});
    await leave();
    expect((await servers())[name]).toMatchObject({...kept, headers: {Authorization: SIGNED_OUT, 'X-Team': 'a'}});
    await connect(['cursor', 'user', 'bridge']);
    expect((await servers())[name]).toEqual({...kept, command: '/usr/bin/node', args: expect.any(Array)});
  });
});

test('what is recorded of an entry holds none of its values', async () => {
  const {saved, token} = await connected();
  const {entries} = await saved();
  expect(entries?.[0]?.written?.[name]).toHaveLength(1);
  expect(JSON.stringify(entries)).not.toContain(token.slice(0, 40));
  expect(JSON.stringify(entries?.[0]?.written)).not.toContain('http:');
});

test('an entry is ours as it was written last or before that: a write may have come to no end', async () => {
  const {saved, renew, servers, path} = await connected();
  const assistant = allAssistants.find(({id}) => id === 'cursor') ?? expect.fail();
  const before = (await servers())[name];
  await renew();
  const ownership = ownershipIn([await saved()], path);
  expect(ownership.isOurs({name, entry: before}, assistant)).toBe(true);
  await renew();
  expect(ownership.written(name)).toHaveLength(2);
});

test('without a record it counts where an entry leads', async () => {
  const {saved, servers, path} = await connected();
  const assistant = allAssistants.find(({id}) => id === 'cursor') ?? expect.fail();
  const {entries = [], ...rest} = await saved();
  const {written: _, ...bare} = entries[0] ?? expect.fail();
  const ownership = ownershipIn([{...rest, entries: [bare]}], path);
  expect(ownership.isOurs({name, entry: (await servers())[name]}, assistant)).toBe(true);
  expect(ownership.isOurs({name, entry: theirs}, assistant)).toBe(false);
  expect(ownershipIn([context], path).isOurs({name, entry: (await servers())[name]}, assistant)).toBe(false);
  expect(writtenOf({no: 'entry'}, assistant.entry)).toBeUndefined();
});

describe('an entry that was there before', () => {
  const before = `{
  "mcpServers": {
    "acme-control-plane": {"url": "${context.controlPlaneUrl}/mcp", /* mine */ "headers": {"Authorization": "Bearer my-own"}},
    "other": {"command": "x"}
  }
}
`;
  const replacing = async (id: string) => {
    const at = await machine();
    const path = await at.put(at.fileOf(id), before);
    const input = {...at.input([[id, 'user', 'header']]), replace: true};
    const {result: plan} = await collect(planFiles, input, at.ports);
    await collect(writeFiles, {plan, context: 'acme'}, at.ports);
    return {...at, path, text: () => readFile(path, 'utf8')};
  };

  test('is replaced where that is asked for, and comes back to the byte', async () => {
    const {text, disconnect, saved} = await replacing('cursor');
    expect(await text()).not.toContain('my-own');
    expect((await saved()).entries).toMatchObject([{replaced: [name]}]);
    await disconnect();
    expect(await text()).toBe(before);
  });

  test('comes back although the file was changed since', async () => {
    const {text, disconnect, path} = await replacing('cursor');
    await writeFile(path, (await text()).replace('"other": {', '"more": {},\n    "other": {'));
    await disconnect();
    expect(JSON.parse((await text()).replace('/* mine */', '')).mcpServers).toEqual({
      ...JSON.parse(before.replace('/* mine */', '')).mcpServers,
      more: {},
    });
  });
});

test('what was made for entries is forgotten with the last of them: a later file is the person’s', async () => {
  const {connect, disconnect, path} = await connected();
  await writeFile(path, '{"mcpServers": {}}');
  await connect(['cursor', 'user', 'bridge']);
  await disconnect();
  expect(await readFile(path, 'utf8')).toBe('{"mcpServers": {}}');
});
