import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {uninstall} from '../../../src/flows/uninstall.ts';
import {collect} from '../../support/flows.ts';
import {jwt, machine} from './support/machine.ts';

const cline = allAssistants.find(({id}) => id === 'cline') ?? expect.fail();

/** Sets up a machine on which Cline was connected in its old place and has moved its file to the new one since. */
const moved = async () => {
  const at = await machine();
  const [now = '', before = ''] = cline.files('user', at.place);
  await mkdir(dirname(before), {recursive: true});
  await at.put(before, '{"mcpServers": {"theirs": {"command": "node"}}}');
  await at.connect(['cline', 'user', 'header']);
  expect((await at.saved()).entries).toMatchObject([{path: before}]);
  await mkdir(dirname(now), {recursive: true});
  await rename(before, now);
  const where = {assistants: allAssistants, place: at.place};
  const fresh = jwt(4_100_000_000);
  /** Writes the entries again, as another sign-in does. */
  const renew = async () => {
    const [renews] = (await at.saved()).entries ?? [];
    const {ports} = at.again();
    const renewal = {
      ...at.input([]),
      targets: [{assistant: cline, scope: 'user' as const, method: 'header' as const, ...(renews ? {renews} : {})}],
      tokens: {signIn: new Secret(fresh)},
    };
    const {result: plan} = await collect(planFiles, renewal, ports);
    await collect(writeFiles, {plan, context: 'acme'}, ports);
  };
  return {...at, now, before, where, fresh, renew, text: () => readFile(now, 'utf8')};
};

test('entries in a file that its assistant has moved are disconnected there', async () => {
  const {saved, ports, where, now, text} = await moved();
  const input = {...where, context: await saved(), chosen: () => true};
  const {result} = await collect(disconnectAssistants, input, ports);
  expect(result).toMatchObject([{path: now, outcome: 'removed'}]);
  expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
  expect((await saved()).entries).toEqual([]);
});

test('they go there when their assistant is unticked', async () => {
  const {saved, again, input, now, before, text} = await moved();
  const {ports} = again();
  const disconnecting = ((await saved()).entries ?? []).map(entry => ({assistant: cline, entry}));
  const {result: plan} = await collect(planFiles, {...input([]), disconnecting}, ports);
  expect(plan.files).toMatchObject([{path: now, change: 'changed', summary: 'removes 2 entries of Cline'}]);
  await collect(writeFiles, {plan, context: 'acme'}, ports);
  expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
  expect(await ports.files.exists(before)).toBe(false);
  expect((await saved()).entries).toEqual([]);
});

test('they lose their tokens there', async () => {
  const {saved, ports, where, now, text, token} = await moved();
  const {result} = await collect(signOut, {...where, context: await saved()}, ports);
  expect(result.cleared).toEqual([now]);
  expect(await text()).not.toContain(token);
});

test('they are renewed there, and known there alone', async () => {
  const {saved, ports, renew, fresh, now, before, text} = await moved();
  await renew();
  expect(await text()).toContain(fresh);
  expect(await ports.files.exists(before)).toBe(false);
  expect((await saved()).entries?.map(({path}) => path)).toEqual([now]);
});

test('they go when the program is uninstalled', async () => {
  const {ports, where, now, text} = await moved();
  const {result} = await collect(uninstall, {...where, portsFor: async () => ports}, ports);
  expect(result.files).toContainEqual({path: now, outcome: 'edited'});
  expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
});

describe('undo of a connect', () => {
  test('puts the file back where its assistant has moved it', async () => {
    const {again, where, now, text} = await moved();
    const {result} = await collect(undoWrites, {which: 1, where}, again().ports);
    expect(result.files).toContainEqual({path: now, outcome: 'restored'});
    expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
  });

  test('removes one that was made for the entries', async () => {
    const {connect, again, place, ports} = await machine();
    const [made = '', elsewhere = ''] = cline.files('user', place);
    await connect(['cline', 'user', 'header']);
    await mkdir(dirname(elsewhere), {recursive: true});
    await rename(made, elsewhere);
    const input = {which: 1, where: {assistants: allAssistants, place}};
    const {result} = await collect(undoWrites, input, again().ports);
    expect(result.files).toContainEqual({path: elsewhere, outcome: 'removed'});
    expect(await ports.files.exists(elsewhere)).toBe(false);
  });

  test('leaves one alone that was changed as well, and says whose entries stay', async () => {
    const {again, where, now, text} = await moved();
    const changed = `${await text()}\n`;
    await writeFile(now, changed);
    const {result} = await collect(undoWrites, {which: 1, where}, again().ports);
    const entries = [{assistant: 'cline', context: 'acme'}];
    expect(result.files).toContainEqual(expect.objectContaining({path: now, outcome: 'changed-since', entries}));
    expect(result.files).toContainEqual(expect.objectContaining({outcome: 'kept'}));
    expect(await text()).toBe(changed);
  });

  test('goes back over a renewal in the new place', async () => {
    const {again, renew, where, now, text} = await moved();
    await renew();
    const {result} = await collect(undoWrites, {which: 'all', where}, again().ports);
    expect(result.files).toContainEqual({path: now, outcome: 'restored'});
    expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
  });
});
