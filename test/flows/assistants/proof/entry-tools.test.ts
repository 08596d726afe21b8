import {expect, test} from 'vitest';
import {createEntryTools} from '../../../../src/flows/assistants/verify-entries.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import {noSignal} from '../../../support/flows.ts';
import {mcpServer} from '../../../support/mcp-server.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {serve} from '../../../support/server.ts';

/** Runs helpers that wait until the test releases them, and counts how many run at once. */
const entryTools = async () => {
  const url = `${await serve(mcpServer(() => true))}/mcp`;
  const seen = {running: 0, most: 0, lines: [] as string[]};
  const {promise: mayGoOn, resolve: letGo} = Promise.withResolvers<void>();
  const own = await temporaryPorts();
  const runLine: Ports['processes']['runLine'] = async line => {
    seen.lines.push(line);
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await mayGoOn;
    seen.running -= 1;
    return line === 'broken' ? {outcome: 'missing'} : {outcome: 'exited', code: 0, stdout: '{}', stderr: ''};
  };
  const ports = {...own, processes: {...own.processes, runLine}};
  const tools = createEntryTools({ports, signal: noSignal, tell: () => {}});
  return {seen, letGo, toolsBy: (helper: string) => tools({kind: 'helper', url, helper})};
};

test('four are looked through at a time, and each in its turn', async () => {
  const {seen, letGo, toolsBy} = await entryTools();
  const all = Array.from({length: 11}, (_, index) => toolsBy(`helper ${index}`));
  await expect.poll(() => seen.running).toBe(4);
  letGo();
  for (const {names} of await Promise.all(all)) expect(names).toEqual(['one', 'two']);
  expect(seen).toMatchObject({running: 0, most: 4});
  expect(seen.lines).toHaveLength(11);
});

test('the same command is run once, however many entries have it', async () => {
  const {seen, letGo, toolsBy} = await entryTools();
  letGo();
  await Promise.all([toolsBy('same'), toolsBy('same'), toolsBy('other')]);
  expect(seen.lines).toEqual(['same', 'other']);
});

test('one that fails takes nobody else’s turn', async () => {
  const {letGo, toolsBy} = await entryTools();
  letGo();
  const all = await Promise.allSettled([
    ...Array.from({length: 4}, () => toolsBy('broken')),
    toolsBy('a'),
    toolsBy('b'),
  ]);
  expect(all.map(({status}) => status)).toEqual([
    ...Array.from({length: 4}, () => 'rejected'),
    'fulfilled',
    'fulfilled',
  ]);
  // A later helper gets its turn as well.
  expect((await toolsBy('c')).names).toEqual(['one', 'two']);
});
