import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {installedAssistants} from '../../../src/flows/assistants/installed-assistants.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onWindowsOr} from '../../support/systems/system-here.ts';
import {machine} from './support/machine.ts';

test('a first look names who has left files or has a command, and starts nothing', async () => {
  const bin = await temporaryDirectory();
  // Windows knows a program by its name, other systems by its mode.
  await writeFile(join(bin, onWindowsOr('codex.exe', 'codex')), '', {mode: 0o755});
  const {ports: real, put, place} = await machine({PATH: bin});
  const run = vi.fn(real.processes.run);
  const ports = {...real, processes: {...real.processes, run}};
  expect(await installedAssistants({assistants: allAssistants, place}, ports)).toEqual(['Codex CLI']);
  await put('.cursor/mcp.json', '{}');
  expect(await installedAssistants({assistants: allAssistants, place}, ports)).toEqual(['Cursor', 'Codex CLI']);
  expect(run).not.toHaveBeenCalled();
});

test('a first look passes over files that this program has made', async () => {
  const {ports, place, connect} = await machine({PATH: ''});
  const cursor = allAssistants.filter(({id}) => id === 'cursor');
  await connect(['cursor', 'user', 'bridge']);
  expect(await installedAssistants({assistants: cursor, place}, ports)).toEqual([]);
});

test('a first look counts a file that was there before this program wrote into it', async () => {
  const {ports, place, connect, put} = await machine({PATH: ''});
  const cursor = allAssistants.filter(({id}) => id === 'cursor');
  await put('.cursor/mcp.json', '{}');
  await connect(['cursor', 'user', 'bridge']);
  expect(await installedAssistants({assistants: cursor, place}, ports)).toEqual(['Cursor']);
});

test('a first look needs no config that can be read', async () => {
  const {ports, place, put} = await machine({PATH: ''});
  await put('.cursor/mcp.json', '{}');
  const read = async () => Promise.reject(new Error('It cannot be read.'));
  const here = installedAssistants({assistants: allAssistants, place}, {...ports, config: {...ports.config, read}});
  expect(await here).toEqual(['Cursor']);
});
