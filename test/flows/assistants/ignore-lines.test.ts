import {access, mkdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Method, Scope} from '../../../src/domain/context.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {uninstall} from '../../../src/flows/uninstall.ts';
import {collect} from '../../support/flows.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {context, machine} from './support/machine.ts';

/** Sets up a project in git whose assistants are connected with a token in their files. git ignores those files. */
const inGit = async (before?: string) => {
  const at = await machine();
  await mkdir(join(at.project, '.git'));
  const ignore = join(at.project, '.gitignore');
  if (before !== undefined) await writeFile(ignore, before);
  const text = () => readFile(ignore, 'utf8');
  const isThere = () =>
    access(ignore).then(
      () => true,
      () => false,
    );
  const remove = async () => {
    const {ports} = at.again();
    await collect(uninstall, {assistants: allAssistants, place: at.place, portsFor: async () => ports}, ports);
  };
  /** Disconnects these assistants in the run that connects others, as the wizard does for unticked ones. */
  const untick = async (ids: readonly string[], ...chosen: readonly (readonly [string, Scope, Method])[]) => {
    const {ports} = at.again();
    const disconnecting = ((await at.saved()).entries ?? []).flatMap(entry => {
      const assistant = allAssistants.find(({id}) => id === entry.assistant);
      return assistant && ids.includes(assistant.id) ? [{assistant, entry}] : [];
    });
    const input = {...at.input(chosen), inGit: 'ignore', disconnecting} as const;
    const {result: plan} = await collect(planFiles, input, ports);
    const {events} = await collect(writeFiles, {plan, context: 'acme'}, ports);
    return {planned: plan.files.find(({path}) => path === ignore), events};
  };
  return {...at, ignore, text, isThere, remove, untick};
};

const claude = ['claude-code', 'project', 'header'] as const;
const cursor = ['cursor', 'project', 'header'] as const;

test('an ignore file that was made for an entry goes with the last one, and comes back by undo', async () => {
  const {connect, again, text, isThere, ignore} = await inGit();
  await connect(claude, cursor);
  const written = await text();
  expect(written).toBe('/.mcp.json\n/.cursor/mcp.json\n');
  expect(await again().disconnect(['claude-code'])).toMatchObject([{outcome: 'removed', ignoreFile: ignore}]);
  expect(await text()).toBe('/.cursor/mcp.json\n');
  const {ports, disconnect} = again();
  expect(await disconnect()).toMatchObject([{outcome: 'removed', ignoreFile: ignore}]);
  expect(await isThere()).toBe(false);
  await collect(undoWrites, {which: 1}, ports);
  expect(await text()).toBe('/.cursor/mcp.json\n');
});

test.each(['node_modules', 'node_modules\r\n', '', '/.mcp.json\n!/.mcp.json\ndist'])(
  'an ignore file that was there is the same again, to the byte (%j)',
  async before => {
    const {connect, again, text} = await inGit(before);
    await connect(claude);
    await again().connect(cursor);
    expect(await text()).not.toBe(before);
    await again().disconnect(['claude-code']);
    await again().disconnect();
    expect(await text()).toBe(before);
  },
);

test('what the person wrote or changed in it stays', async () => {
  const {connect, again, ignore, text, saved} = await inGit();
  await connect(claude, cursor);
  await writeFile(ignore, `# mine\n${(await text()).replace('/.mcp.json', '.mcp.json')}dist\n`);
  const results = await again().disconnect();
  expect(results.map(({path, ignoreFile}) => [basename(path), ignoreFile])).toEqual([
    ['.mcp.json', undefined],
    ['mcp.json', ignore],
  ]);
  expect(await text()).toBe('# mine\n.mcp.json\ndist\n');
  expect((await saved()).entries).toEqual([]);
});

test('a line that the person wrote before stays', async () => {
  const {connect, again, text} = await inGit('/.mcp.json\n');
  await connect(claude);
  await again().disconnect();
  expect(await text()).toBe('/.mcp.json\n');
});

test('a line stays as long as any context has an entry in the file, and goes with the last', async () => {
  const {connect, again, ports, text, isThere, saved} = await inGit();
  await connect(claude);
  const [entry] = (await saved()).entries ?? [];
  const {ignored, ...theirs} = entry ?? expect.fail();
  expect(ignored).toMatchObject({pattern: '/.mcp.json', made: 'file'});
  await ports.config.saveContext({...context, name: 'other', entries: [{...theirs, names: ['other-control-plane']}]});
  await again().disconnect();
  expect(await text()).toBe('/.mcp.json\n');
  const other = (await ports.config.read()).contexts.find(({name}) => name === 'other');
  expect(other?.entries).toMatchObject([{ignored}]);
  const leaving = {context: other ?? expect.fail(), assistants: allAssistants, chosen: () => true};
  await collect(disconnectAssistants, leaving, ports);
  expect(await isThere()).toBe(false);
});

test('a line stays where the person has made the entry their own: the token may still be in it', async () => {
  const {connect, again, text, project} = await inGit();
  await connect(claude);
  const file = join(project, '.mcp.json');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('.localhost', '.example'));
  await again().disconnect();
  expect(await text()).toBe('/.mcp.json\n');
});

test('a line is known after the entry was written anew', async () => {
  const {connect, again, isThere} = await inGit();
  await connect(claude);
  await again().connect(['claude-code', 'project', 'bridge']);
  await again().disconnect();
  expect(await isThere()).toBe(false);
});

onUnix('a link that took the place of the ignore file is left alone', async () => {
  const {connect, again, ignore, put} = await inGit();
  await connect(claude);
  await rm(ignore);
  const elsewhere = await put('ignored', '/.mcp.json\n');
  await symlink(elsewhere, ignore);
  await again().disconnect();
  expect(await readFile(elsewhere, 'utf8')).toBe('/.mcp.json\n');
});

test('uninstalling takes the line out of an ignore file that was changed since, and leaves none that was made', async () => {
  const changed = await inGit();
  await changed.connect(claude);
  await writeFile(changed.ignore, `${await changed.text()}dist\n`);
  await changed.remove();
  expect(await changed.text()).toBe('dist\n');

  const made = await inGit();
  await made.connect(claude);
  await made.remove();
  expect(await made.isThere()).toBe(false);
});

test('a line goes with an assistant that is unticked, and the review shows it', async () => {
  const {connect, untick, text, isThere, ignore, saved} = await inGit();
  await connect(claude, cursor);
  const one = await untick(['claude-code']);
  expect(one.planned).toMatchObject({change: 'changed', diff: '-/.mcp.json\n /.cursor/mcp.json'});
  expect(one.events).toContainEqual({type: 'file-written', path: ignore, change: 'changed'});
  expect(await text()).toBe('/.cursor/mcp.json\n');
  const last = await untick(['cursor']);
  expect(last.planned).toMatchObject({change: 'removed', diff: '-/.cursor/mcp.json'});
  expect(last.events).toContainEqual({type: 'file-written', path: ignore, change: 'removed'});
  expect(await isThere()).toBe(false);
  expect((await saved()).entries).toEqual([]);
});

test('a line goes while another one comes', async () => {
  const {connect, untick, text, again} = await inGit('node_modules');
  await connect(claude);
  const {planned} = await untick(['claude-code'], cursor);
  expect(planned?.diff).toBe(' node_modules\n-/.mcp.json\n+/.cursor/mcp.json');
  expect(await text()).toBe('node_modules\n/.cursor/mcp.json\n');
  await again().disconnect();
  expect(await text()).toBe('node_modules');
});

test('a line of an assistant that is unticked stays as long as somebody needs it', async () => {
  const {connect, untick, text, ports, saved} = await inGit();
  await connect(claude);
  const [entry] = (await saved()).entries ?? [];
  const {ignored, ...theirs} = entry ?? expect.fail();
  await ports.config.saveContext({...context, name: 'other', entries: [{...theirs, names: ['other-control-plane']}]});
  expect((await untick(['claude-code'])).planned).toBeUndefined();
  expect(await text()).toBe('/.mcp.json\n');
  const other = (await ports.config.read()).contexts.find(({name}) => name === 'other');
  expect(other?.entries).toMatchObject([{ignored}]);

  const changed = await inGit();
  await changed.connect(claude);
  const file = join(changed.project, '.mcp.json');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('.localhost', '.example'));
  expect((await changed.untick(['claude-code'])).planned).toBeUndefined();
  expect(await changed.text()).toBe('/.mcp.json\n');
});

describe('undo of what took a token and its line away', () => {
  /** Sets up a project from which an assistant was disconnected. The person has edited its ignore file since. */
  const disconnected = async (since?: string) => {
    const at = await inGit('node_modules\n');
    await at.connect(claude);
    await at.again().disconnect();
    if (since !== undefined) await writeFile(at.ignore, since);
    const file = join(at.project, '.mcp.json');
    const undo = async () => collect(undoWrites, {which: 1}, at.again().ports);
    const outcomes = async () => (await undo()).result.files.map(({path, outcome}) => [path, outcome]);
    const holdsToken = () =>
      readFile(file, 'utf8').then(
        text => text.includes(at.token),
        () => false,
      );
    return {...at, file, undo, outcomes, holdsToken};
  };

  test('brings both back, the line first', async () => {
    const {undo, ignore, file, text, holdsToken} = await disconnected();
    const {events} = await undo();
    const paths = events.flatMap(event => (event.type === 'file-written' ? event.path : []));
    expect(paths.slice(0, 2)).toEqual([ignore, file]);
    expect(await text()).toBe('node_modules\n/.mcp.json\n');
    expect(await holdsToken()).toBe(true);
  });

  test('brings neither back where the ignore file has changed since, until git leaves the file out again', async () => {
    const {undo, ignore, file, text, holdsToken, outcomes, saved} = await disconnected('dist\n');
    const {files} = (await undo()).result;
    expect(files).toContainEqual(expect.objectContaining({path: ignore, outcome: 'changed-since'}));
    const because = {path: ignore, why: 'token-would-be-in-git'};
    expect(files).toContainEqual({path: file, outcome: 'kept', because});
    expect(await text()).toBe('dist\n');
    expect(await holdsToken()).toBe(false);
    expect(await outcomes()).toContainEqual([file, 'kept']);
    await writeFile(ignore, 'dist\n/.mcp.json\n');
    expect(await outcomes()).toContainEqual([file, 'restored']);
    expect(await holdsToken()).toBe(true);
    expect((await saved()).entries).toMatchObject([{path: file}]);
  });

  test('brings neither back where the file has changed since: git would leave out what the person wrote', async () => {
    const {undo, ignore, file, text} = await disconnected();
    await writeFile(file, '{"mcpServers": {"mine": {"command": "node"}}}');
    const {files} = (await undo()).result;
    const because = {path: file, why: 'would-keep-it-out-of-git'};
    expect(files).toContainEqual({path: ignore, outcome: 'kept', because});
    expect(files).toContainEqual(expect.objectContaining({path: file, outcome: 'changed-since'}));
    expect(await text()).toBe('node_modules\n');
  });

  test('brings the file back where git leaves it out all the same', async () => {
    const {outcomes, file, holdsToken} = await disconnected('/.mcp.json\ndist\n');
    expect(await outcomes()).toContainEqual([file, 'restored']);
    expect(await holdsToken()).toBe(true);
  });

  test('brings the file back without a token where the sign-in is gone', async () => {
    const {outcomes, file, holdsToken, ports} = await disconnected('dist\n');
    await ports.credentials.replace(context, undefined);
    expect(await outcomes()).toContainEqual([file, 'restored']);
    expect(await holdsToken()).toBe(false);
  });
});
