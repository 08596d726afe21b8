import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {SIGNED_OUT} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {chosenRun, undoableRuns, undoWrites} from '../../../src/flows/undo.ts';
import {collect} from '../../support/flows.ts';
import {context, jwt, machine} from '../assistants/support/machine.ts';

const fresh = jwt(4_100_000_000);

/** Sets up a machine on which an assistant's file holds a token, with a person's text around it. */
const holding = async (id: string, {token, around}: {token?: string; around?: (text: string) => string} = {}) => {
  const at = await machine();
  const path = at.fileOf(id);
  /** Writes a token in another start of the program. */
  const connect = async (access: string) => {
    const {ports} = at.again();
    const input = {...at.input([[id, 'user', 'header']]), tokens: {signIn: new Secret(access)}};
    const {result: plan} = await collect(planFiles, input, ports);
    await collect(writeFiles, {plan, context: 'acme'}, ports);
  };
  await connect(token ?? at.token);
  if (around) await writeFile(path, around(await readFile(path, 'utf8')));
  const undo = async () => (await collect(undoWrites, {which: 1}, at.again().ports)).result.files;
  const leave = async () => {
    const {ports} = at.again();
    await collect(signOut, {context: await at.saved(), assistants: allAssistants, place: at.place}, ports);
  };
  const journal = async () => {
    const directory = join(at.home, '..', 'setup', 'journal');
    return (await Promise.all((await readdir(directory)).map(name => readFile(join(directory, name), 'utf8')))).join(
      '',
    );
  };
  return {...at, path, text: () => readFile(path, 'utf8'), connect, undo, leave, journal};
};

/** Adds words of the person, among them those that mask tokens elsewhere, and a token that is a word as well. */
const words = (text: string) =>
  text.replace(
    /"mcpServers":\s*\{/,
    `$&"theirs": {"command": "node", "args": ["token", "<access token>"], "headers": {"Authorization": "Bearer token"}},`,
  );

describe('undo of what replaced a token', () => {
  test.each([
    ['cursor', undefined],
    ['zed', undefined],
    ['codex-cli', undefined],
    ['goose', undefined],
    ['cursor', 'token'],
  ])('puts back exactly the bytes: %s, %s', async (id, token) => {
    const {path, text, connect, undo, journal} = await holding(id, {
      ...(token === undefined ? {} : {token}),
      ...(id === 'cursor' ? {around: words} : {}),
    });
    const before = await text();
    await connect(fresh);
    expect(await text()).not.toBe(before);
    expect(await journal()).not.toContain(fresh);
    if (token === undefined) expect(await journal()).not.toContain(jwt(4_000_000_000));
    expect(await undo()).toContainEqual({path, outcome: 'restored'});
    expect(await text()).toBe(before);
  });

  test('says signed out in the place of our own token alone, where the sign-in is gone', async () => {
    const {text, connect, undo, ports} = await holding('cursor', {token: 'token', around: words});
    const before = await text();
    await connect(fresh);
    await ports.credentials.replace(context, undefined);
    await undo();
    const parsed = JSON.parse(await text()).mcpServers;
    expect(parsed.theirs).toEqual(JSON.parse(before).mcpServers.theirs);
    expect(parsed['acme-control-plane'].headers).toEqual({Authorization: SIGNED_OUT});
    expect(await text()).toBe(before.replaceAll(/("acme-[^}]*Bearer )token/g, `$1${SIGNED_OUT.slice(7)}`));
  });
});

describe('a sign-out', () => {
  test('changes the token and no other byte, also in a comment of the entry', async () => {
    const {text, leave, token} = await holding('zed', {
      around: text => text.replace('"acme-control-plane": {', '"acme-control-plane": { // mine\n "mine": [1,2],'),
    });
    const before = await text();
    await leave();
    expect(before).toContain('// mine');
    expect(await text()).toBe(before.replaceAll(token, SIGNED_OUT.slice(7)));
  });

  test('has a way back, which is that of the run before it', async () => {
    const {text, leave, connect, undo, ports} = await holding('cursor');
    const before = await text();
    await connect(fresh);
    await leave();
    const {at} = (await ports.journal.list()).at(-1) ?? expect.fail();
    const [latest, first] = await undoableRuns(ports);
    expect([latest?.signOuts, first?.signOuts]).toEqual([[at], []]);
    expect(latest?.entries[0]).toMatchObject({isSignOut: true});
    expect((await chosenRun('all', ports)).signOuts).toEqual([at]);
    await undo();
    // The sign-in is gone, and so are its tokens.
    expect(await text()).toBe(before.replaceAll(jwt(4_000_000_000), SIGNED_OUT.slice(7)));
  });

  test('of a context whose sign-in another one shares brings the token back', async () => {
    const {text, leave, undo, ports, path} = await holding('cursor', {around: words});
    await ports.config.saveContext({...context, name: 'beta'});
    await ports.config.useContext('acme');
    const before = await text();
    await leave();
    expect(await text()).not.toBe(before);
    expect(await undo()).toContainEqual(expect.objectContaining({path}));
    expect(await text()).toBe(before);
  });
});
