import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {signOut} from '../../../src/flows/sign-out/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo/undo-writes.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {context, machine} from './support/machine.ts';

test('a sign-out takes the tokens out of every file that has one, and leaves the rest', async () => {
  const {connect, saved, ports, home, token, place} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
  const zed = await readFile(join(home, '.config', 'zed', 'settings.json'), 'utf8');
  const {result} = await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
  expect(result.cleared).toEqual([join(home, '.cursor', 'mcp.json')]);
  expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).not.toContain(token);
  expect(await readFile(join(home, '.config', 'zed', 'settings.json'), 'utf8')).toBe(zed);
});

describe('a sign-out', () => {
  test('takes the token out of every file that it can, and names the one that it cannot', async () => {
    const {connect, saved, ports, home, token, place} = await machine();
    await connect(['cursor', 'user', 'header'], ['gemini-cli', 'user', 'header']);
    await writeFile(join(home, '.cursor', 'mcp.json'), '{');
    const signingOut = collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
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
    await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    expect(JSON.parse(await readFile(path, 'utf8')).mcpServers['acme-control-plane'].trust).toBe(true);
  });

  const withToken = allAssistants.filter(({entry}) => entry.header);

  test.each(withToken)('is nothing that undo takes back, and nothing in its way: $name', async assistant => {
    const {connect, saved, ports, place, token} = await machine();
    const scope = assistant.files('user', place).length > 0 ? 'user' : 'project';
    const [path = ''] = assistant.files(scope, place);
    await connect([assistant.id, scope, 'header']);
    expect(await readFile(path, 'utf8')).toContain(token);
    const writes = await ports.journal.list();
    await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    expect(await readFile(path, 'utf8')).toContain('signed-out');
    expect(await ports.journal.list()).toEqual(writes);
    const {files} = (await collect(undoWrites(1, ports, noSignal))).result;
    expect(files).toContainEqual({path, outcome: 'removed'});
    expect(await ports.journal.list()).toEqual([]);
  });

  test('leaves a sign-in that another context lives on', async () => {
    const {ports, place, token} = await machine();
    await ports.config.saveContext({...context, name: 'beta'});
    const {result} = await collect(signOut({context, assistants: allAssistants, place}, ports, noSignal));
    expect(result.revocation).toBe('shared');
    expect((await ports.credentials.get(context))?.accessToken).toBe(token);
  });
});
