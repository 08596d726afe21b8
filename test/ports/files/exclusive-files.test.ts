import {readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createExclusiveFiles} from '../../../src/ports/files/exclusive-files.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

onUnix('one of those who want it at once makes it, and the others read who that was', async () => {
  const directory = await temporaryDirectory();
  const {create, read} = createExclusiveFiles();
  const path = join(directory, 'state', 'claim');
  const made = await Promise.all(Array.from({length: 20}, (_, index) => create(path, `by ${index}`)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await read(path)).toBe(`by ${made.indexOf(true)}`);
  // Only its owner can read it, and no other file is left beside it.
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(directory, 'state'))).toEqual(['claim']);
});

test('one that is removed can be made again', async () => {
  const {create, read, remove} = createExclusiveFiles();
  const path = join(await temporaryDirectory(), 'claim');
  await create(path, 'one');
  await remove(path);
  expect(await read(path)).toBeUndefined();
  expect(await create(path, 'two')).toBe(true);
  await remove(path);
  await remove(path);
});

test('one that cannot be made is told as any file that is not written', async () => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  await expect(createExclusiveFiles().create(join(file, 'claim'), 'x')).rejects.toMatchObject({
    code: 'local-write-failed',
    message: expect.stringMatching(/claim was not written: .*\.$/),
  });
});
