import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {inspectEntries} from '../../../src/flows/assistants/inspect-entries.ts';
import {machine} from './support/machine.ts';

test('how each entry stands is read from the files, without network', async () => {
  const {connect, saved, ports, home} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge'], ['kiro', 'user', 'bridge']);
  await writeFile(join(home, '.config', 'zed', 'settings.json'), '{');
  await writeFile(join(home, '.kiro', 'settings', 'mcp.json'), '{}');
  const standings = await inspectEntries(await saved(), allAssistants, ports);
  expect(standings.map(({assistant, state, method, expiresAt}) => [assistant, state, method, expiresAt])).toEqual([
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Zed', 'unreadable', undefined, undefined],
    ['Zed', 'unreadable', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
  ]);
});
