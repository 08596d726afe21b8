import {mkdir, readdir, readFile, readlink, realpath, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {collect} from '../../support/flows.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {machine} from './support/machine.ts';

/** Sets up a person's file outside of the project, which a link could pass off as an assistant's file. */
const outside = async (at: Awaited<ReturnType<typeof machine>>) => {
  const path = await at.put('.ssh/rc', '{}');
  const unchanged = async () => {
    expect(await readFile(path, 'utf8')).toBe('{}');
    expect(await readdir(join(at.home, '.ssh'))).toEqual(['rc']);
  };
  return {path, unchanged};
};

const claude = [['claude-code', 'project', 'header']] as const;
const cursor = [['cursor', 'project', 'header']] as const;

describe('a file of a project that is a link out of it', () => {
  onUnix('is neither planned nor locked, and the file that it leads to is named', async () => {
    const at = await machine();
    const {path, unchanged} = await outside(at);
    await symlink(path, join(at.project, '.mcp.json'));
    await expect(collect(planFiles, at.input(claude), at.ports)).rejects.toMatchObject({
      code: 'local-link-outside',
      message: `${join(at.project, '.mcp.json')} leads to ${await realpath(path)}, outside of the project ${at.project}.`,
    });
    await unchanged();
  });

  onUnix('may be a link that leads to nothing yet, or a directory', async () => {
    const at = await machine();
    const {unchanged} = await outside(at);
    await symlink(join(at.home, '.ssh', 'new'), join(at.project, '.mcp.json'));
    await symlink(join(at.home, '.ssh'), join(at.project, '.cursor'));
    for (const chosen of [claude, cursor]) {
      const planning = collect(planFiles, at.input(chosen), at.ports);
      await expect(planning).rejects.toMatchObject({code: 'local-link-outside'});
    }
    await unchanged();
  });

  onUnix('is not written where the link came after the review', async () => {
    const at = await machine();
    const {unchanged} = await outside(at);
    const {result: plan} = await collect(planFiles, at.input(cursor), at.ports);
    await symlink(join(at.home, '.ssh'), join(at.project, '.cursor'));
    const writing = collect(writeFiles, {...at.input(cursor), plan}, at.ports);
    await expect(writing).rejects.toMatchObject({code: 'local-link-outside'});
    await unchanged();
  });

  onUnix('is not changed through it by disconnecting, signing out or undo', async () => {
    const at = await machine();
    await at.connect(...cursor);
    const {unchanged} = await outside(at);
    const directory = join(at.project, '.cursor');
    // By now the person's other directory contains that file.
    const written = await readFile(join(directory, 'mcp.json'), 'utf8');
    await rename(directory, join(at.home, 'moved'));
    await symlink(join(at.home, 'moved'), directory);
    const context = await at.saved();
    const disconnecting = {context, assistants: allAssistants, chosen: () => true};
    await expect(collect(disconnectAssistants, disconnecting, at.ports)).rejects.toMatchObject({
      code: 'local-link-outside',
    });
    const {result} = await collect(undoWrites, {which: 1}, at.ports);
    expect(result.files).toContainEqual(expect.objectContaining({outcome: 'changed-since'}));
    const leaving = {context, assistants: allAssistants, place: at.place};
    await expect(collect(signOut, leaving, at.ports)).rejects.toMatchObject({
      message: expect.stringContaining('outside of the project'),
    });
    expect(await readFile(join(at.home, 'moved', 'mcp.json'), 'utf8')).toBe(written);
    expect(await readdir(join(at.home, 'moved'))).toEqual(['mcp.json']);
    await unchanged();
  });
});

describe('a link of the person’s own', () => {
  onUnix('is followed, shown with where it leads, and stays when the entries go', async () => {
    const at = await machine();
    const real = await at.put('dotfiles/cursor.json', '{}\n');
    await mkdir(join(at.home, '.cursor'));
    const link = join(at.home, '.cursor', 'mcp.json');
    await symlink('../dotfiles/cursor.json', link);
    const {result: plan, events} = await collect(planFiles, at.input([['cursor', 'user', 'bridge']]), at.ports);
    const leadsTo = await realpath(real);
    expect(plan.files).toMatchObject([{path: link, leadsTo}]);
    expect(events).toContainEqual(expect.objectContaining({type: 'file-planned', path: link, leadsTo}));
    const written = await collect(writeFiles, {...at.input([]), plan}, at.ports);
    expect(written.events).toContainEqual({type: 'file-written', path: link, leadsTo, change: 'changed'});
    await at.disconnect();
    expect(await readFile(real, 'utf8')).toBe('{}\n');
    expect(await readlink(link)).toBe('../dotfiles/cursor.json');
  });

  onUnix('that led to nothing before leads to nothing afterwards', async () => {
    const at = await machine();
    await mkdir(join(at.home, '.cursor'));
    const link = join(at.home, '.cursor', 'mcp.json');
    await symlink('../cursor.json', link);
    await at.connect(['cursor', 'user', 'header']);
    expect(await readFile(join(at.home, 'cursor.json'), 'utf8')).toContain(at.token);
    await at.disconnect();
    expect(await readdir(at.home)).toEqual(['.cursor']);
    expect(await readlink(link)).toBe('../cursor.json');
    await rm(link);
    await writeFile(link, '{}');
  });
});
