import {lstat, mkdir, readFile, readlink, rm, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {collect} from '../../support/flows.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {machine} from './support/machine.ts';

/** Sets up a machine on which Cursor's file is a link to a dotfile that does not exist yet. */
const linked = async (target = 'dotfiles/mcp.json') => {
  const at = await machine();
  const link = at.fileOf('cursor');
  const file = join(at.home, target);
  await mkdir(dirname(link), {recursive: true});
  await symlink(file, link);
  const leave = async () =>
    collect(signOut, {context: await at.saved(), assistants: allAssistants, place: at.place}, at.ports);
  return {...at, link, file, leave};
};

onUnix('a link whose target was not there keeps being one, and its target goes with the entries', async () => {
  for (const target of ['dotfiles/mcp.json', 'mcp.json', 'deep/er/mcp.json']) {
    const {connect, disconnect, link, file, ports} = await linked(target);
    await connect(['cursor', 'user', 'header']);
    expect(await readlink(link)).toBe(file);
    expect((await disconnect()).map(({outcome}) => outcome)).toEqual(['removed']);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await ports.files.exists(file)).toBe(false);
  }
});

onUnix('a sign-out takes the token out of the file that a link leads to', async () => {
  const {connect, leave, file, link, token, disconnect, ports} = await linked();
  await connect(['cursor', 'user', 'header']);
  expect(await readFile(file, 'utf8')).toContain(token);
  await leave();
  expect(await readFile(file, 'utf8')).not.toContain(token);
  await disconnect();
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await ports.files.exists(file)).toBe(false);
});

onUnix('a link that was made later than the entries stays, and so does its file', async () => {
  const at = await machine();
  await at.connect(['cursor', 'user', 'bridge']);
  const path = at.fileOf('cursor');
  const file = await at.put('dotfiles/mcp.json', await readFile(path, 'utf8'));
  await rm(path);
  await symlink(file, path);
  await at.disconnect();
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
});
