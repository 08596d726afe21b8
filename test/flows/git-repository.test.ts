import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {planFiles} from '../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../src/flows/assistants/write-files.ts';
import {gitStanding, ignoreFileOf, repositoryOf, withIgnored} from '../../src/flows/git-repository.ts';
import type {Ports, ProcessResult} from '../../src/ports/ports.ts';
import {collect, noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
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

const exited = (code: number): ProcessResult => ({outcome: 'exited', code, stdout: '', stderr: ''});
const missing: ProcessResult = {outcome: 'missing'};

/** How git takes a file of a project when it answers like this to being asked whether it has it, and ignores it. */
const standing = async (path: string, answers: {tracked?: ProcessResult; ignored?: ProcessResult}, ignore?: string) => {
  const project = await temporaryDirectory();
  await mkdir(join(project, '.git'));
  if (ignore !== undefined) await writeFile(join(project, '.gitignore'), ignore);
  const asked: (readonly string[])[] = [];
  const run = async (_program: string, args: readonly string[]) => {
    asked.push(args);
    return (args.includes('ls-files') ? answers.tracked : answers.ignored) ?? missing;
  };
  const ports = {...portsIn(project), processes: {run}} as unknown as Ports;
  return {standing: await gitStanding(join(project, path), ports, noSignal), asked, project};
};

describe('a file of a repository', () => {
  const [yes, no, failed] = [exited(0), exited(1), exited(128)];

  test.each([
    [{tracked: yes}, 'tracked'],
    [{tracked: no, ignored: yes}, 'ignored'],
    [{tracked: no, ignored: no}, 'committable'],
    [{tracked: {outcome: 'timed-out'}, ignored: yes}, 'ignored'],
  ] as const)('is as git says (%j)', async (answers, expected) => {
    expect((await standing('mcp.json', answers)).standing).toBe(expected);
  });

  test.each([
    [missing, 'dist\r\n/mcp.json\r\n', 'ignored'],
    [missing, 'dist\n/mcp.json\n', 'ignored'],
    [failed, '/mcp.json', 'ignored'],
    [missing, 'mcp.json.bak\nx/mcp.json\n', 'committable'],
    [missing, undefined, 'committable'],
  ] as const)('is ignored by its own line where git does not say (%j, %j)', async (ignored, text, expected) => {
    expect((await standing('mcp.json', {tracked: missing, ignored}, text)).standing).toBe(expected);
  });

  test('is asked about in the nearest directory that is there', async () => {
    const {asked, project} = await standing('.cursor/new/mcp.json', {tracked: no, ignored: no});
    const path = join(project, '.cursor', 'new', 'mcp.json');
    expect(asked).toEqual([
      ['-C', project, 'ls-files', '--error-unmatch', '--', path],
      ['-C', project, 'check-ignore', '--quiet', '--', path],
    ]);
  });

  test('has its root above it, whichever way that is a repository', async () => {
    const project = await temporaryDirectory();
    const ports = portsIn(project);
    const path = join(project, 'one', 'two', 'mcp.json');
    expect(await repositoryOf(path, ports)).toBeUndefined();
    expect(await gitStanding(path, ports, noSignal)).toBe('outside');
    await mkdir(join(project, 'one'));
    await writeFile(join(project, 'one', '.git'), 'gitdir: elsewhere');
    expect(await repositoryOf(path, ports)).toBe(join(project, 'one'));
  });
});

describe('a .gitignore', () => {
  test.each([
    ['', '/mcp.json\n'],
    ['dist', 'dist\n/mcp.json\n'],
    ['dist\n', 'dist\n/mcp.json\n'],
    ['dist\r\n', 'dist\r\n/mcp.json\r\n'],
    ['dist\r\nx', 'dist\r\nx\r\n/mcp.json\r\n'],
    ['/mcp.json\r\ndist', '/mcp.json\r\ndist'],
    ['dist\n/mcp.json\n', 'dist\n/mcp.json\n'],
    ['/mcp.json', '/mcp.json'],
  ])('of %j gets a line for the file beside it, once', (before, after) => {
    expect(withIgnored(Buffer.from(before), '/project/mcp.json').toString()).toBe(after);
    expect(ignoreFileOf('/project/mcp.json')).toBe('/project/.gitignore');
  });
});
