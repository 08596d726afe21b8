import {mkdir, readFile, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {signOut} from '../../../src/flows/sign-out/sign-out.ts';
import {uninstall} from '../../../src/flows/uninstall/uninstall.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {jwt, machine} from './support/machine.ts';

const cline = allAssistants.find(({id}) => id === 'cline') ?? expect.fail();

/** A machine on which Cline was connected in its old place, and has moved its file to the new one since. */
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
  return {...at, now, before, where, text: () => readFile(now, 'utf8')};
};

test('entries in a file that its assistant has moved are disconnected there', async () => {
  const {saved, ports, where, now, text} = await moved();
  const input = {...where, context: await saved(), chosen: () => true};
  const {result} = await collect(disconnectAssistants(input, ports, noSignal));
  expect(result).toMatchObject([{path: now, outcome: 'removed'}]);
  expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
  expect((await saved()).entries).toEqual([]);
});

test('they lose their tokens there', async () => {
  const {saved, ports, where, now, text, token} = await moved();
  const {result} = await collect(signOut({...where, context: await saved()}, ports, noSignal));
  expect(result.cleared).toEqual([now]);
  expect(await text()).not.toContain(token);
});

test('they are renewed there, and known there alone', async () => {
  const {saved, ports, input, now, before, text} = await moved();
  const [renews] = (await saved()).entries ?? [];
  const fresh = jwt(4_100_000_000);
  const renewal = {
    ...input([]),
    targets: [{assistant: cline, scope: 'user' as const, method: 'header' as const, ...(renews ? {renews} : {})}],
    tokens: {signIn: new Secret(fresh)},
  };
  const {result: plan} = await collect(planFiles(renewal, ports, noSignal));
  await collect(writeFiles({plan, context: 'acme'}, ports, noSignal));
  expect(await text()).toContain(fresh);
  expect(await ports.files.exists(before)).toBe(false);
  expect((await saved()).entries?.map(({path}) => path)).toEqual([now]);
});

test('they go when the program is uninstalled', async () => {
  const {ports, where, now, text} = await moved();
  const {result} = await collect(uninstall(where, ports, noSignal));
  expect(result.files).toContainEqual({path: now, outcome: 'restored'});
  expect(await text()).toBe('{"mcpServers": {"theirs": {"command": "node"}}}');
});
