import {access, readFile, rm, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../src/assistants/catalogue/all.ts';
import type {Context} from '../../src/domain/context.ts';
import {Secret} from '../../src/domain/secret.ts';
import {cancelled} from '../../src/errors/errors.ts';
import {disconnectAssistants} from '../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../src/flows/assistants/write-files.ts';
import type {Run} from '../../src/flows/flow.ts';
import {saveSignIn} from '../../src/flows/sign-in/save-sign-in.ts';
import {signOut} from '../../src/flows/sign-out.ts';
import {undoWrites} from '../../src/flows/undo.ts';
import {uninstall} from '../../src/flows/uninstall.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {collect, noSignal} from '../support/flows.ts';
import {machine} from './assistants/support/machine.ts';

const cursor = [['cursor', 'user', 'bridge']] as const;

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

type Machine = Awaited<ReturnType<typeof machine>>;

/** Runs a flow in another start of the program, and stops it at the write of `path` until `goOn` is called. */
const stoppedAt = (path: string, ports: Ports) => {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const stopping: Ports = {
    ...ports,
    files: {
      ...ports.files,
      write: async (target, bytes, options) => {
        if (target === path) {
          arrived.resolve();
          await gate.promise;
        }
        await ports.files.write(target, bytes, options);
      },
    },
  };
  return {ports: stopping, arrived: arrived.promise, goOn: gate.resolve};
};

/** How each journey removes entries from files, or tokens from entries. */
const removals = {
  'a disconnection': (run: Run, context: Context, _at: Machine) =>
    disconnectAssistants({context, assistants: allAssistants, chosen: () => true}, run),
  'an undo': (run: Run, _context: Context, _at: Machine) => undoWrites({which: 1}, run),
  'a sign-out': (run: Run, context: Context, {place}: Machine) =>
    signOut({context, assistants: allAssistants, place}, run),
  'an uninstall': (run: Run, _context: Context, {place}: Machine) =>
    uninstall({assistants: allAssistants, place, portsFor: async () => run.ports}, run),
};

/** Sets up a connection that is saved in the config and about to be written to its file. */
const connecting = async () => {
  const at = await machine();
  const path = at.fileOf('cursor');
  const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
  const stopped = stoppedAt(path, at.ports);
  const connected = collect(writeFiles, {...at.input(cursor), plan}, stopped.ports);
  await stopped.arrived;
  return {...at, path, connected, goOn: stopped.goOn};
};

/** Returns a run that calls `awaited` when its flow says that it waits for another setup. */
const runTelling = (ports: Ports, signal: AbortSignal, awaited: () => void): Run => ({
  ports,
  signal,
  tell: ({type}) => {
    if (type === 'setup-awaited') awaited();
  },
});

const entriesIn = async ({config}: Ports) => (await config.read()).contexts.flatMap(({entries = []}) => entries);

describe.each(Object.entries(removals))('%s that begins while a connection is being written', (name, removal) => {
  test('waits for it, says so, and leaves no entry that nobody knows of', async () => {
    const at = await connecting();
    let waits = 0;
    const run = runTelling(at.again().ports, noSignal, () => {
      waits += 1;
      at.goOn();
    });
    const removing = removal(run, await at.saved(), at);
    await Promise.race([removing, at.connected]);
    at.goOn();
    await Promise.all([removing, at.connected]);
    const isConnected = name === 'a sign-out';
    expect([await isThere(at.path), (await entriesIn(at.ports)).length > 0, waits]).toEqual([
      isConnected,
      isConnected,
      1,
    ]);
  });

  test('is ended by Ctrl-C while it waits, and has removed nothing', async () => {
    const at = await connecting();
    const stop = new AbortController();
    const run = runTelling(at.again().ports, stop.signal, () => stop.abort(cancelled()));
    const removing = removal(run, await at.saved(), at);
    await expect(removing).rejects.toMatchObject({code: 'cancelled'});
    at.goOn();
    await at.connected;
    expect([await isThere(at.path), (await entriesIn(at.ports)).length]).toEqual([true, 1]);
  });
});

describe('a plan that another setup has overtaken', () => {
  test('is not carried out where the entries that were to stay are gone with their file', async () => {
    const at = await machine();
    await at.connect(...cursor);
    const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
    expect(plan.files.map(({change}) => change)).toEqual(['unchanged']);
    await at.again().disconnect();
    const writing = collect(writeFiles, {...at.input(cursor), plan}, at.ports);
    await expect(writing).rejects.toMatchObject({code: 'local-file-changed'});
    expect([await isThere(at.fileOf('cursor')), await entriesIn(at.ports)]).toEqual([false, []]);
  });

  test('is not carried out either where the file stayed with what else is in it', async () => {
    const at = await machine();
    const text = '{"mcpServers": {"mine": {"command": "x"}}}';
    const path = await at.put(at.fileOf('cursor'), text);
    await at.connect(...cursor);
    const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
    await at.again().disconnect();
    const writing = collect(writeFiles, {...at.input(cursor), plan}, at.ports);
    await expect(writing).rejects.toMatchObject({code: 'local-file-changed', about: {path}});
    expect([await readFile(path, 'utf8'), await entriesIn(at.ports)]).toEqual([text, []]);
  });

  test('is carried out where only its owner has changed a file in which nothing changes', async () => {
    const at = await machine();
    const path = await at.put(at.fileOf('cursor'), '{"mcpServers": {}}');
    await at.connect(...cursor);
    const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
    await writeFile(path, `${await readFile(path, 'utf8')}\n`);
    await collect(writeFiles, {...at.input(cursor), plan}, at.ports);
    expect(await entriesIn(at.ports)).toHaveLength(1);
  });
});

test('what another setup has disconnected is not renewed, and no empty file is made for it', async () => {
  const at = await machine();
  await at.connect(...cursor);
  const stale = await at.saved();
  const targets = at.input(cursor).targets.map(target => {
    const [renews] = stale.entries ?? [];
    if (!renews) throw new Error('There is an entry.');
    return {...target, renews};
  });
  await at.again().disconnect();
  const {result: plan} = await collect(planFiles, {...at.input(cursor), targets}, at.ports);
  await collect(writeFiles, {...at.input(cursor), plan}, at.ports);
  expect([plan.files, await isThere(at.fileOf('cursor')), await entriesIn(at.ports)]).toEqual([[], false, []]);
});

test('nothing is written for a context that another setup has removed', async () => {
  const at = await machine();
  const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
  await at.ports.config.removeContext('acme');
  const writing = collect(writeFiles, {...at.input(cursor), plan}, at.ports);
  await expect(writing).rejects.toMatchObject({code: 'local-file-changed', about: {path: at.ports.config.path}});
  expect(await isThere(at.fileOf('cursor'))).toBe(false);
});

test('a disconnection goes by who made the file, not by what was known when it began', async () => {
  const at = await machine();
  const path = await at.put(at.fileOf('cursor'), '{}');
  await at.connect(...cursor);
  const stale = await at.saved();
  // Meanwhile the person has removed the file, and another setup has created it again.
  await at.again().disconnect();
  await rm(path);
  await at.again().connect(...cursor);
  await collect(disconnectAssistants, {context: stale, assistants: allAssistants, chosen: () => true}, at.ports);
  expect([await isThere(path), await entriesIn(at.ports)]).toEqual([false, []]);
});

test('a sign-in that was begun before keeps the entries that were connected meanwhile', async () => {
  const at = await machine();
  const stale = {...(await at.saved()), entries: []};
  await at.connect(...cursor);
  const token = {account: 'ann', fingerprint: 'abcd', renewable: false, access: new Secret(at.token)};
  await collect(saveSignIn, {context: stale, token}, at.ports);
  expect(await entriesIn(at.ports)).toHaveLength(1);
});

describe('an empty file of an assistant counts as none', () => {
  test('so it is removed with the entries that were put in it', async () => {
    const at = await machine();
    const path = await at.put(at.fileOf('cursor'), '');
    const plan = await at.connect(...cursor);
    expect(plan.files.map(({change}) => change)).toEqual(['new']);
    expect(await at.saved()).toMatchObject({entries: [{created: true}]});
    await at.disconnect();
    expect(await isThere(path)).toBe(false);
  });

  test('and by undo', async () => {
    const at = await machine();
    const path = await at.put(at.fileOf('cursor'), '');
    await at.connect(...cursor);
    await collect(undoWrites, {which: 1}, at.ports);
    expect(await isThere(path)).toBe(false);
  });

  test('one that was emptied since is removed by undo, and nothing has changed since', async () => {
    const at = await machine();
    const path = at.fileOf('cursor');
    await at.connect(...cursor);
    await writeFile(path, '');
    const {result} = await collect(undoWrites, {which: 1}, at.ports);
    expect(result.files).toContainEqual({path, outcome: 'removed'});
    expect(await isThere(path)).toBe(false);
  });

  test('and by a disconnection, where it was made for the entries', async () => {
    const at = await machine();
    const path = at.fileOf('cursor');
    await at.connect(...cursor);
    await writeFile(path, '');
    await at.disconnect();
    expect([await isThere(path), await entriesIn(at.ports)]).toEqual([false, []]);
  });

  test('none is left where nobody knows who made the file', async () => {
    const at = await machine();
    const path = at.fileOf('cursor');
    await at.connect(...cursor);
    await at.ports.config.saveEntries('acme', known => known.map(({created: _, ...entry}) => entry));
    await at.disconnect();
    expect(await isThere(path)).toBe(false);
  });
});
