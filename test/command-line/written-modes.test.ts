import {readdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {createAuthorityFile} from '../../src/command-line/sandbox/sandbox-options.ts';
import {writeNew} from '../../src/command-line/write-new.ts';
import {writeKit} from '../../src/commands/organisation.ts';
import {temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

/** Returns the modes of a person's files without a umask, which are those that the program asks for. */
const withoutUmask = () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
};

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

onUnix('nobody else can change the files of a kit, whatever the umask', async () => {
  const directory = join(await temporaryDirectory(), 'above', 'kit');
  withoutUmask();
  await writeKit(directory, [
    {path: 'README.md', text: 'one'},
    {path: 'machines/etc/file.json', text: 'two'},
  ]);
  const below = (await readdir(directory, {recursive: true})).map(name => join(directory, name));
  const modes = await Promise.all([dirname(directory), directory, ...below.toSorted()].map(modeOf));
  expect(modes).toEqual(['755', '755', '644', '755', '755', '644']);
});

onUnix('nor a new company file, nor the authority of a sandbox', async () => {
  const path = join(await temporaryDirectory(), 'platform-setup.json');
  withoutUmask();
  await writeNew(path, '{}');
  const authority = await createAuthorityFile('PEM');
  onTestFinished(authority.remove);
  expect([await modeOf(path), await modeOf(authority.path)]).toEqual(['644', '644']);
});
