import {execFileSync} from 'node:child_process';
import {constants, existsSync} from 'node:fs';
import {mkdir, open, symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {readRegular, readRegularSync} from '../../../src/ports/files/regular-file.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const ways = [
  ['later', readRegular],
  ['at once', async (path: string, limit: number) => readRegularSync(path, limit)],
] as const;

/** Things that are not files, by the names that messages use. */
const others: Readonly<Record<string, (directory: string) => Promise<string> | string>> = {
  'a directory': async directory => {
    await mkdir(join(directory, 'd'));
    return join(directory, 'd');
  },
  'a named pipe': directory => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    return join(directory, 'pipe');
  },
  'a socket': async directory => {
    const path = join(directory, 's');
    const server = createServer().listen(path);
    await new Promise(resolve => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    return path;
  },
  'a device': () => '/dev/zero',
};

describe.each(ways)('a file that is read %s', (_when, read) => {
  test('has all of its bytes, up to the limit', async () => {
    const path = join(await temporaryDirectory(), 'file');
    for (const size of [0, 1, 100_000]) {
      await writeFile(path, Buffer.alloc(size, 7));
      const {bytes, stats} = await read(path, 100_000);
      expect([bytes.equals(Buffer.alloc(size, 7)), stats.size]).toEqual([true, size]);
    }
  });

  test('is refused with its size and the limit where it is larger, before it is read', async () => {
    const path = join(await temporaryDirectory(), 'file');
    await writeFile(path, '');
    // A sparse file, which takes no room on the disk.
    await truncate(path, 200 * 1024 * 1024);
    await expect(read(path, 64 * 1024 * 1024)).rejects.toMatchObject({
      name: 'UnfitFile',
      message: `${path} is 200 MiB; the limit is 64 MiB.`,
    });
  });

  test.runIf(existsSync('/proc/self/smaps'))('that does not tell its size is read as well, no further', async () => {
    const {bytes} = await read('/proc/self/status', 100_000);
    expect(bytes.toString()).toContain('Pid:');
    await expect(read('/proc/self/status', 100)).rejects.toMatchObject({name: 'UnfitFile'});
  });

  onUnix('may be reached by a link', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'file'), 'text');
    await symlink('file', join(directory, 'link'));
    expect((await read(join(directory, 'link'), 10)).bytes.toString()).toBe('text');
  });

  onUnix.each(Object.keys(others))('is not %s, which nobody waits for', async what => {
    const path = (await others[what]?.(await temporaryDirectory())) ?? '';
    await expect(read(path, 10)).rejects.toMatchObject({
      name: 'UnfitFile',
      message: `${path} is ${what}, not a file.`,
    });
  });

  test('that is not there is the file system’s own error', async () => {
    await expect(read(join(await temporaryDirectory(), 'nothing'), 10)).rejects.toMatchObject({code: 'ENOENT'});
  });
});

onUnix('a pipe that somebody writes to is none either', async () => {
  const path = join(await temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const writer = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => writer.close());
  await writer.write('{"version":1}');
  await expect(readRegular(path, 100)).rejects.toMatchObject({name: 'UnfitFile'});
});
