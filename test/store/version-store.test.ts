import {chmod, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createVersionStore} from '../../src/store/caches.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';

test('what a program said is known to the next start, for as long as it is the same file', async () => {
  const home = await temporaryDirectory();
  const path = join(home, 'versions.json');
  let state = 'one';
  const store = () => createVersionStore(portsIn(home).files, path, () => state);
  const first = store();
  expect(await first.get('/bin/claude')).toBeUndefined();
  first.put('/bin/claude', `2.1.328${' and more'.repeat(100)}`);
  await first.keep();
  expect(await store().get('/bin/claude')).toMatch(/^2\.1\.328 and more/);
  expect((await store().get('/bin/claude'))?.length).toBe(200);
  expect(await store().get('/bin/codex')).toBeUndefined();
  state = 'other';
  expect(await store().get('/bin/claude')).toBeUndefined();
});

test.each(['{', '[]', '{"version": 2}', '{"version": 1, "programs": {"/bin/claude": {"state": "one", "said": 7}}}'])(
  'a file that says %s says nothing, and is written anew',
  async text => {
    const home = await temporaryDirectory();
    const path = join(home, 'versions.json');
    await writeFile(path, text, {mode: 0o600});
    const store = createVersionStore(portsIn(home).files, path, () => 'one');
    expect(await store.get('/bin/claude')).toBeUndefined();
    store.put('/bin/claude', '1.0.0');
    await store.keep();
    expect(await store.get('/bin/claude')).toBe('1.0.0');
  },
);

test('a directory that takes nothing is no reason to fail', async () => {
  const home = await temporaryDirectory();
  const store = createVersionStore(portsIn(home).files, join(home, 'versions.json', 'x'), () => 'one');
  await writeFile(join(home, 'versions.json'), '');
  await chmod(home, 0o700);
  store.put('/bin/claude', '1.0.0');
  await expect(store.keep()).resolves.toBeUndefined();
});

test('the file is read once for all that are asked about at the same time', async () => {
  const {files} = portsIn(await temporaryDirectory());
  let reads = 0;
  const read: typeof files.read = (...args) => {
    reads += 1;
    return files.read(...args);
  };
  const store = createVersionStore({...files, read}, '/nowhere/versions.json', () => 'one');
  await Promise.all(['/bin/claude', '/bin/codex', '/bin/gemini'].map(store.get));
  expect(reads).toBe(1);
});
