import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {planFiles} from '../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../src/flows/assistants/write-files.ts';
import {collect, noSignal} from '../support/flows.ts';
import {machine} from './assistants/support/machine.ts';

test('a .gitignore in another encoding keeps every byte, and a file that git has already is refused', async () => {
  const bin = '/usr/bin:/bin';
  const {ports, project, input} = await machine({PATH: bin});
  const git = (...args: readonly string[]) =>
    ports.processes.run('git', ['-C', project, ...args], {timeout: 5_000, signal: noSignal});
  expect(await git('init', '-q')).toMatchObject({outcome: 'exited', code: 0});
  await writeFile(join(project, '.gitignore'), Buffer.from('k\xfcche/', 'latin1'));
  const ignoring = {...input([['cursor', 'project', 'header']]), inGit: 'ignore' as const};
  const {result: plan} = await collect(planFiles(ignoring, ports, noSignal));
  await collect(writeFiles({...ignoring, plan}, ports, noSignal));
  expect(await readFile(join(project, '.cursor', '.gitignore'), 'utf8')).toBe('/mcp.json\n');
  await writeFile(join(project, 'mcp.json'), '{}');
  await git('add', 'mcp.json');
  const tracked = {...input([['generic', 'project', 'header']]), inGit: 'ignore' as const};
  await expect(collect(planFiles(tracked, ports, noSignal))).rejects.toMatchObject({
    code: 'local-token-in-git',
    message: expect.stringContaining('in git already'),
  });
  await git('rm', '-q', '--cached', 'mcp.json');
  const {result: second} = await collect(planFiles(tracked, ports, noSignal));
  await collect(writeFiles({...tracked, plan: second}, ports, noSignal));
  expect(await readFile(join(project, '.gitignore'), 'latin1')).toBe('k\xfcche/\n/mcp.json\n');
});
