import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {removeUnusedCopies} from '../../../src/flows/assistants/write-files.ts';
import {contextAt} from '../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

const HOUR = 3_600_000;

/** Creates two copies of the program, and an assistant's file in which a context has entries. */
const scene = async () => {
  const home = await temporaryDirectory();
  let now = 1_000_000;
  const ports = {...portsIn(home), clock: {...portsIn(home).clock, now: () => now}};
  const copies = await Promise.all(
    ['1.0.0', '2.0.0'].map(async version => {
      const directory = join(home, 'programs', version);
      await mkdir(directory, {recursive: true});
      await writeFile(join(directory, 'copy.json'), '{}');
      return directory;
    }),
  );
  const path = join(home, 'mcp.json');
  const entry = {assistant: 'generic', scope: 'user', project: home, method: 'bridge', path, names: ['acme']};
  await ports.config.saveContext({...contextAt('http://idp.acme.localhost'), entries: [entry as never]});
  return {
    ports,
    path,
    copies,
    names: (text: string) => writeFile(path, text),
    after: async (hours: number) => {
      now += hours * HOUR;
      await removeUnusedCopies(ports);
      return (await ports.copies.list()).map(({directory}) => directory);
    },
  };
};

test('a copy goes a day after the last entry that named it', async () => {
  const {copies, names, after} = await scene();
  const [old = '', current = ''] = copies;
  await names(JSON.stringify({command: `${current}/bin/setup.js`}));
  expect(await after(0)).toEqual([old, current]);
  expect(await after(23)).toEqual([old, current]);
  expect(await after(1)).toEqual([current]);
  expect(await after(1000)).toEqual([current]);
});

test('one that is named again begins anew', async () => {
  const {copies, names, after} = await scene();
  const [old = ''] = copies;
  await names('');
  await after(0);
  await names(old);
  expect(await after(30)).toEqual([old]);
  await names('');
  expect(await after(1)).toEqual([old]);
  expect(await after(24)).toEqual([]);
});

test('what cannot be read may name any of them', async () => {
  const {copies, path, after} = await scene();
  await mkdir(path);
  expect(await after(0)).toEqual(copies);
  expect(await after(48)).toEqual(copies);
});
