import {chmod, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {clearTokens, removeEntries} from '../../../src/flows/assistants/edit-entries.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {collect} from '../../support/flows.ts';
import {expectMode} from '../../support/systems/system-here.ts';
import {context, machine} from './support/machine.ts';

test('a sign-out takes the tokens out of every file that has one, and leaves the rest', async () => {
  const {connect, saved, ports, home, token, place, fileOf} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
  const zed = await readFile(fileOf('zed'), 'utf8');
  const {result} = await collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports);
  expect(result.cleared).toEqual([join(home, '.cursor', 'mcp.json')]);
  expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).not.toContain(token);
  expect(await readFile(fileOf('zed'), 'utf8')).toBe(zed);
});

describe('a sign-out', () => {
  test('takes the token out of every file that it can, and names the one that it cannot', async () => {
    const {connect, saved, ports, home, token, place} = await machine();
    await connect(['cursor', 'user', 'header'], ['gemini-cli', 'user', 'header']);
    await writeFile(join(home, '.cursor', 'mcp.json'), '{');
    const signingOut = collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports);
    await expect(signingOut).rejects.toMatchObject({
      code: 'local-file-invalid',
      message: expect.stringContaining(join('.cursor', 'mcp.json')),
    });
    expect(await readFile(join(home, '.gemini', 'settings.json'), 'utf8')).not.toContain(token);
    expect(await ports.credentials.get(context)).toBeUndefined();
  });

  test('keeps what the person chose in the entry', async () => {
    const {connect, saved, ports, home, place} = await machine();
    await connect(['gemini-cli', 'user', 'header']);
    const path = join(home, '.gemini', 'settings.json');
    const json = JSON.parse(await readFile(path, 'utf8'));
    json.mcpServers['acme-control-plane'].trust = true;
    await writeFile(path, JSON.stringify(json));
    await collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports);
    expect(JSON.parse(await readFile(path, 'utf8')).mcpServers['acme-control-plane'].trust).toBe(true);
  });

  /** The assistants that can hold a token and have a file on this system. */
  const withToken = allAssistants.filter(({id, entry}) => entry.header && !/^visual-studio$|^xcode-/.test(id));

  test.each(withToken)('is undone with the run before it: $name', async assistant => {
    const {connect, saved, ports, place, token} = await machine();
    const scope = assistant.files('user', place).length > 0 ? 'user' : 'project';
    const [path = ''] = assistant.files(scope, place);
    await connect([assistant.id, scope, 'header']);
    expect(await readFile(path, 'utf8')).toContain(token);
    await collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports);
    expect(await readFile(path, 'utf8')).toContain('signed-out');
    const {files} = (await collect(undoWrites, {which: 1}, ports)).result;
    expect(files).toContainEqual({path, outcome: 'removed'});
    expect(await ports.journal.list()).toEqual([]);
  });

  test('leaves a sign-in that another context lives on', async () => {
    const {ports, place, token} = await machine();
    await ports.config.saveContext({...context, name: 'beta'});
    const {result} = await collect(signOut, {context, assistants: allAssistants, place}, ports);
    expect(result.revocation).toBe('shared');
    expect((await ports.credentials.get(context))?.accessToken).toBe(token);
  });
});

describe('the entries in a file', () => {
  const cursor = allAssistants.find(({id}) => id === 'cursor') ?? expect.fail();
  const names = ['acme-control-plane', 'acme-observability'];
  const entry = {assistant: cursor, scope: 'user', project: '/project', names} as const;

  /** Sets up a machine on which Cursor is connected by this method, and returns its file too. */
  const connected = async (method: 'header' | 'bridge') => {
    const at = await machine();
    await at.connect(['cursor', 'user', method]);
    const path = join(at.home, '.cursor', 'mcp.json');
    const made = (await at.saved()).entries?.[0]?.made ?? expect.fail();
    return {...at, path, made};
  };

  test('lose their token, and nothing else, which the journal knows as a sign-out', async () => {
    const {path, ports, token} = await connected('header');
    const writes = (await ports.journal.list()).length;
    const before = await readFile(path, 'utf8');
    expect((await clearTokens({...entry, path}, ports)).isChanged).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(before.replaceAll(token, 'signed-out-by-platform-setup'));
    expect((await ports.journal.list()).slice(writes)).toMatchObject([{path, isSignOut: true}]);
    expect((await clearTokens({...entry, path}, ports)).isChanged).toBe(false);
  });

  test.each([
    ['of those that hold none', 'bridge', cursor],
    ['of an assistant that has no header', 'header', {...cursor, entry: {...cursor.entry, header: undefined} as never}],
  ] as const)('lose nothing where they are %s', async (_what, method, assistant) => {
    const {path, ports} = await connected(method);
    const before = await readFile(path, 'utf8');
    expect((await clearTokens({...entry, assistant, path}, ports)).isChanged).toBe(false);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('are gone with a file that is', async () => {
    const {path, ports, made} = await connected('header');
    await ports.files.remove(path);
    expect((await clearTokens({...entry, path}, ports)).isChanged).toBe(false);
    expect((await removeEntries({...entry, path, made}, ports)).isChanged).toBe(false);
    // The call creates nothing, not even a lock.
    await rm(dirname(path), {recursive: true});
    expect((await clearTokens({...entry, path}, ports)).isChanged).toBe(false);
    expect(await ports.files.exists(dirname(path))).toBe(false);
  });

  test('lose their token also where one of them is gone', async () => {
    const {path, ports, token} = await connected('header');
    const {'acme-observability': _, ...others} = JSON.parse(await readFile(path, 'utf8')).mcpServers;
    await writeFile(path, JSON.stringify({mcpServers: others}));
    expect((await clearTokens({...entry, path}, ports)).isChanged).toBe(true);
    const left = await readFile(path, 'utf8');
    expect(left).not.toContain(token);
    expect(Object.keys(JSON.parse(left).mcpServers)).toEqual(['acme-control-plane']);
  });

  test.each([
    ['with the file that was made for them', true],
    ['and with one of which nobody knows who made it, for nothing else is in it', undefined],
  ])('are taken away, %s', async (_what, created) => {
    const {path, ports, made} = await connected('bridge');
    const writes = (await ports.journal.list()).length;
    const removed = removeEntries({...entry, path, made, ...(created ? {created} : {})}, ports);
    expect(await removed).toEqual({isChanged: true, left: []});
    expect(await ports.files.exists(path)).toBe(false);
    expect((await ports.journal.list()).length).toBeGreaterThan(writes);
  });

  test('are not there to be taken away twice', async () => {
    const {path, ports, made} = await connected('bridge');
    await writeFile(path, '{"mcpServers": {}}');
    expect((await removeEntries({...entry, path, made, created: true}, ports)).isChanged).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('{"mcpServers": {}}');
  });

  test('are taken away one by one, and leave what somebody wrote since', async () => {
    const {path, ports, made} = await connected('bridge');
    const {'acme-observability': _, ...others} = JSON.parse(await readFile(path, 'utf8')).mcpServers;
    await writeFile(path, JSON.stringify({mcpServers: others, mine: true}));
    expect((await removeEntries({...entry, path, made, created: true}, ports)).isChanged).toBe(true);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({mine: true});
    expect(await readFile(path, 'utf8')).not.toContain('acme-');
  });

  test.each([
    ['a file of their own', 'header', 0o600],
    ['the permissions that they had', 'bridge', 0o644],
  ] as const)('that held a token or not leave %s', async (_what, method, mode) => {
    const {path, ports, made} = await connected(method);
    await writeFile(path, JSON.stringify({...JSON.parse(await readFile(path, 'utf8')), mine: true}));
    await chmod(path, 0o644);
    expect((await removeEntries({...entry, path, made}, ports)).isChanged).toBe(true);
    await expectMode(path, mode);
  });
});
