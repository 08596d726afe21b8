import {mkdir, readFile, readlink, realpath, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {targetOf} from '../../../src/ports/files/atomic-write.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

/** Creates a directory for links, and another for their targets. */
const places = async () => {
  const directory = await realpath(await temporaryDirectory());
  const [links, files] = [join(directory, 'links'), join(directory, 'files')];
  await Promise.all([mkdir(links), mkdir(files)]);
  return {links, files};
};

test('a file, there or not, is where it is', async () => {
  const {files} = await places();
  await writeFile(join(files, 'a'), '');
  for (const name of ['a', 'b', 'c/d/e']) expect(await targetOf(join(files, name))).toBe(join(files, name));
});

onUnix('links are followed: of the file, of a directory above, through others, to nothing yet', async () => {
  const {links, files} = await places();
  await writeFile(join(files, 'a'), '');
  await symlink('../files/a', join(links, 'there'));
  await symlink('../files/not/yet', join(links, 'dangling'));
  await symlink('dangling', join(links, 'twice'));
  await symlink('../files', join(links, 'above'));
  await symlink(join(files, 'new'), join(links, 'new'));
  expect(await targetOf(join(links, 'there'))).toBe(join(files, 'a'));
  expect(await targetOf(join(links, 'dangling'))).toBe(join(files, 'not', 'yet'));
  expect(await targetOf(join(links, 'twice'))).toBe(join(files, 'not', 'yet'));
  expect(await targetOf(join(links, 'above', 'x', 'mcp.json'))).toBe(join(files, 'x', 'mcp.json'));
  expect(await targetOf(join(links, 'new', 'mcp.json'))).toBe(join(files, 'new', 'mcp.json'));
});

onUnix('a circle is left as it is', async () => {
  const {links} = await places();
  await symlink('two', join(links, 'one'));
  await symlink('one', join(links, 'two'));
  expect(await targetOf(join(links, 'one'))).toMatch(/\/links\/(one|two)$/);
});

onUnix('a write through a link that leads to nothing makes the file there, and keeps the link', async () => {
  const {links, files} = await places();
  const link = join(links, 'mcp.json');
  await symlink('../files/mcp.json', link);
  await portsIn(links).files.write(link, 'text', {mode: 0o600, journal: false});
  expect([await readlink(link), await readFile(join(files, 'mcp.json'), 'utf8')]).toEqual([
    '../files/mcp.json',
    'text',
  ]);
});
