import {readFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Context} from '../../../src/domain/context.ts';
import type {Machine, Subject} from '../../../src/flows/diagnosis/check.ts';
import {applyFix} from '../../../src/flows/diagnosis/fixes.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {context, machine} from '../assistants/support/machine.ts';

describe('mending the entries', () => {
  test('mends every file that can be mended, and names the one that cannot', async () => {
    const {ports, place, connect, saved, put, input} = await machine();
    await connect(['cursor', 'user', 'bridge'], ['gemini-cli', 'user', 'bridge']);
    const before = await saved();
    const broken = await put('.gemini/settings.json', '{"mcpServers": [');
    const cursor = await put('.cursor/mcp.json', '{}');
    const {controlPlaneUrl, observerUrl, authUrl, issuer} = context;
    const subject = {platform: bundled, controlPlaneUrl, observerUrl, authUrl, issuer, context: before} as Subject;
    const {own} = input([]);
    const machineOf = {assistants: allAssistants, place, own, version: '1'} as unknown as Machine;
    await expect(
      collect(applyFix({fix: 'reconnect', subject, machine: machineOf}, ports, noSignal)),
    ).rejects.toMatchObject({code: 'local-file-invalid', message: expect.stringContaining('.gemini')});
    expect(await readFile(cursor, 'utf8')).toContain('acme-control-plane');
    expect(await readFile(broken, 'utf8')).toBe('{"mcpServers": [');
    const known = (one: Context) => one.entries?.map(({assistant}) => assistant).sort();
    expect(known(await saved())).toEqual(known(before));
  });
});
