import {readdir} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {uninstall} from '../../../src/flows/uninstall.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {machine} from '../assistants/support/machine.ts';

/** Sets up a person for whom this program has created a file in new directories, and a second one beside it. */
const connected = async () => {
  const own = await machine();
  const before = await readdir(own.home, {recursive: true});
  await own.connect(['cursor', 'user', 'bridge']);
  await own.again().connect(['gemini-cli', 'user', 'bridge']);
  const run = (ports: Ports) =>
    collect(uninstall, {assistants: allAssistants, place: own.place, portsFor: async () => ports}, ports);
  const left = () => readdir(own.home, {recursive: true});
  return {...own, before, run, left};
};

/** Returns ports of a program that is killed before its `last` change. Every change is counted. */
const killedAt = (ports: Ports, last: number) => {
  let changes = 0;
  const ended = () => {
    changes += 1;
    if (changes >= last) throw new Error('killed');
  };
  const counted =
    <Args extends readonly unknown[], Output>(change: (...args: Args) => Promise<Output>) =>
    async (...args: Args): Promise<Output> => {
      ended();
      return change(...args);
    };
  const {files, journal, config, ownFiles} = ports;
  const killed: Ports = {
    ...ports,
    files: {
      ...files,
      write: counted(files.write),
      remove: counted(files.remove),
      removeEmpty: counted(files.removeEmpty),
    },
    journal: {...journal, forget: counted(journal.forget)},
    config: {...config, saveEntries: counted(config.saveEntries)},
    ownFiles: {
      ...ownFiles,
      remove: counted(ownFiles.remove),
      removeDirectories: counted(ownFiles.removeDirectories),
    },
  };
  return {ports: killed, changes: () => changes};
};

test('whenever an uninstall is killed, the next one leaves nothing, and no directory that was made', async () => {
  const counting = await connected();
  const all = killedAt(counting.ports, Number.POSITIVE_INFINITY);
  await counting.run(all.ports);
  expect(await counting.left()).toEqual(counting.before);
  expect(all.changes()).toBeGreaterThan(5);
  for (let last = 1; last <= all.changes(); last += 1) {
    const own = await connected();
    await expect(own.run(killedAt(own.again().ports, last).ports)).rejects.toThrow('killed');
    await own.run(own.again().ports);
    expect({last, left: await own.left()}).toEqual({last, left: own.before});
  }
});
