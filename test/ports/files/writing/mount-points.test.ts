import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isMountPoint} from '../../../../src/ports/files/atomic-write.ts';
import {temporaryDirectory} from '../../../support/place.ts';

test('a file that something is mounted on, whatever its name', async () => {
  const table = join(await temporaryDirectory(), 'mountinfo');
  await writeFile(
    table,
    [
      '22 1 0:21 / / rw,relatime - overlay overlay rw',
      '31 22 8:1 /vol/claude.json /home/ann/.claude.json rw,relatime - ext4 /dev/sda1 rw',
      '32 22 8:1 /vol/x /home/ann/My\\040files/größe\\134.json rw,relatime - ext4 /dev/sda1 rw',
      '',
    ].join('\n'),
  );
  const found = (path: string) => isMountPoint(path, table);
  expect(await found('/home/ann/.claude.json')).toBe(true);
  expect(await found('/home/ann/My files/größe\\.json')).toBe(true);
  expect(await found('/home/ann')).toBe(false);
  expect(await found('/vol/claude.json')).toBe(false);
});

test('where no table is, nothing is mounted', async () => {
  expect(await isMountPoint('/home/ann/.claude.json', join(await temporaryDirectory(), 'none'))).toBe(false);
});
