import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileVersion} from '../../src/ports/files/file-version.ts';
import {createEraStore} from '../../src/store/caches.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';

const DAY = 86_400_000;
const url = 'https://api.example.com/mcp';

const storeAt = async (path?: string) => {
  const home = await temporaryDirectory();
  const at = path ?? join(home, 'mcp-eras.json');
  let time = 1_000_000;
  const open = () => createEraStore(portsIn(home).files, at, {fileVersion, now: () => time});
  return {
    open,
    at,
    pass: (ms: number) => {
      time += ms;
    },
  };
};

test('what is kept of a server is there for the next process, for a day', async () => {
  const {open, pass} = await storeAt();
  expect([open().isEmpty(), await open().get(url)]).toEqual([true, undefined]);
  await open().put(url, 'legacy');
  await open().put('https://observer.example.com/mcp', 'modern');
  expect([open().isEmpty(), await open().get(url)]).toEqual([false, 'legacy']);
  pass(DAY - 1);
  expect(await open().get(url)).toBe('legacy');
  pass(1);
  expect(await open().get(url)).toBeUndefined();
});

test('what is forgotten leaves the others, and what was kept by a clock that was ahead does not count', async () => {
  const {open, pass} = await storeAt();
  await open().put(url, 'modern');
  await open().put('https://observer.example.com/mcp', 'modern');
  await open().put(url, undefined);
  expect(await open().get(url)).toBeUndefined();
  expect(await open().get('https://observer.example.com/mcp')).toBe('modern');
  pass(-10);
  expect(await open().get('https://observer.example.com/mcp')).toBeUndefined();
});

test('the same again is not written', async () => {
  const {open, at, pass} = await storeAt();
  await open().put(url, 'modern');
  const before = await readFile(at, 'utf8');
  pass(60_000);
  await open().put(url, 'modern');
  expect(await readFile(at, 'utf8')).toBe(before);
});

test('a file that does not read says nothing, and one that cannot be written is no failure', async () => {
  const {open, at} = await storeAt();
  await writeFile(at, '{"version": 1, "servers": [');
  expect(await open().get(url)).toBeUndefined();
  await writeFile(at, JSON.stringify({version: 1, servers: {[url]: {era: 'stone', until: 1_000_001}}}));
  expect(await open().get(url)).toBeUndefined();
  const nowhere = await storeAt('/proc/nowhere/mcp-eras.json');
  await nowhere.open().put(url, 'modern');
  expect(await nowhere.open().get(url)).toBeUndefined();
});
