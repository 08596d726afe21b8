import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {delimiter, join, relative} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createProgramFinder, findProgram, findPrograms} from '../../../src/ports/processes/find-program.ts';
import {personsPath} from '../../../src/search-path.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const put = async (directory: string, name: string, mode = 0o755): Promise<string> => {
  await mkdir(directory, {recursive: true});
  const path = join(directory, name);
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, mode);
  return path;
};

describe('a program', () => {
  onUnix('is the first of its name that can be started, in the order of PATH', async () => {
    const directory = await temporaryDirectory();
    const [one, two, three, four] = ['1', '2', '3', '4'].map(name => join(directory, name)) as string[];
    await put(one ?? '', 'helm', 0o644);
    await mkdir(join(two ?? '', 'helm'), {recursive: true});
    const found = await put(three ?? '', 'helm');
    await put(four ?? '', 'helm');
    expect(await findProgram('helm', {PATH: [one, two, three, four].join(delimiter)})).toBe(found);
  });

  onUnix('may be a link', async () => {
    const directory = await temporaryDirectory();
    await symlink(await put(directory, 'real'), join(directory, 'helm'));
    expect(await findProgram('helm', {PATH: directory})).toBe(join(directory, 'helm'));
  });

  test('of an absolute path is that one, if it is there', async () => {
    const path = await put(await temporaryDirectory(), 'node');
    expect(await findProgram(path, {PATH: ''})).toBe(path);
    expect(await findProgram(`${path}-not`, {PATH: ''})).toBeUndefined();
  });

  onUnix('is looked for where the system has its own, if there is no PATH', async () => {
    expect(await findProgram('sh', {})).toMatch(/^\/(usr\/)?bin\/sh$/);
  });

  onUnix('is not taken from the working directory, by whatever way that is meant', async () => {
    const directory = await temporaryDirectory();
    await put(directory, 'helm');
    const there = relative(process.cwd(), directory);
    for (const PATH of ['', delimiter, '.', there, [there, '.', ''].join(delimiter)])
      expect(await findProgram('helm', {PATH}, {cwd: directory})).toBeUndefined();
    for (const name of [join(there, 'helm'), './helm', `${there}/helm`])
      expect(await findProgram(name, {PATH: directory})).toBeUndefined();
  });

  onUnix('is not taken from what npm adds for the working directory and those above it', async () => {
    const project = await temporaryDirectory();
    const cwd = join(project, 'packages', 'one');
    const bins = [cwd, project].map(at => join(at, 'node_modules', '.bin'));
    for (const bin of bins) await put(bin, 'helm');
    expect(await findProgram('helm', {PATH: bins.join(delimiter)}, {cwd})).toBeUndefined();
    const elsewhere = join(await temporaryDirectory(), 'node_modules', '.bin');
    const own = await put(elsewhere, 'helm');
    expect(await findProgram('helm', {PATH: [...bins, elsewhere].join(delimiter)}, {cwd})).toBe(own);
  });

  onUnix('is not taken from what a runner has put on PATH for one run', async () => {
    const cache = await temporaryDirectory();
    for (const runner of [
      '_npx/1a2b',
      'dlx/3c4d',
      'dlx-5e6f',
      'bunx-0-platform-setup@latest',
      '.bunx-0/platform-setup@latest',
    ]) {
      const bin = join(cache, runner, 'node_modules', '.bin');
      await put(bin, 'helm');
      expect(await findProgram('helm', {PATH: bin})).toBeUndefined();
    }
  });
});

describe('on Windows', () => {
  const platform = 'win32' as const;
  const there = (...paths: readonly string[]) => ({
    platform,
    cwd: 'C:\\work',
    isProgram: async (path: string) => paths.includes(path),
  });

  test('PATHEXT says what a program is called, in its order', async () => {
    const both = there('C:\\tools\\helm.exe', 'C:\\tools\\helm.com');
    expect(await findProgram('helm', {Path: 'C:\\tools', PATHEXT: '.EXE;.COM'}, both)).toBe('C:\\tools\\helm.exe');
    expect(await findProgram('helm', {Path: 'C:\\tools', PATHEXT: '.COM;.EXE'}, both)).toBe('C:\\tools\\helm.com');
    expect(await findProgram('helm', {Path: 'C:\\tools'}, both)).toBe('C:\\tools\\helm.com');
    expect(await findProgram('helm.exe', {Path: 'C:\\tools'}, both)).toBe('C:\\tools\\helm.exe');
  });

  test('a script is none, as only a shell can start it', async () => {
    const script = there('C:\\tools\\helm.cmd', 'C:\\other\\helm.exe');
    const env = {Path: 'C:\\tools;"C:\\other"', PATHEXT: '.CMD;.EXE'};
    expect(await findProgram('helm', env, script)).toBe('C:\\other\\helm.exe');
  });

  test('neither the working directory nor the drive’s own is looked into', async () => {
    const here = there('C:\\work\\helm.exe', 'helm.exe', 'C:helm.exe', '.\\helm.exe', '\\helm.exe');
    expect(await findProgram('helm', {Path: ';.;C:;\\;tools'}, here)).toBeUndefined();
    expect(await findProgram('helm', {}, here)).toBeUndefined();
  });

  test('nor, in whichever capitals, what npm puts on PATH for the working directory', async () => {
    const here = there('c:\\WORK\\node_modules\\.bin\\helm.exe');
    expect(await findProgram('helm', {Path: 'c:\\WORK\\node_modules\\.bin'}, here)).toBeUndefined();
  });
});

onUnix('PATH keeps its absolute directories, in their order', () => {
  const path = ['/usr/bin', '', '.', 'tools', '/opt/bin', '/work/node_modules/.bin', './x'].join(delimiter);
  expect(personsPath(path, {cwd: '/work/a'})).toBe(['/usr/bin', '/opt/bin'].join(delimiter));
  expect(personsPath('', {cwd: '/work'})).toBe('');
});

describe('many programs', () => {
  onUnix('are found where each is found alone, whatever is on the way', async () => {
    const directory = await temporaryDirectory();
    const [one, two, three, gone] = ['1', '2', '3', 'gone'].map(name => join(directory, name)) as string[];
    await put(one ?? '', 'helm', 0o644);
    await mkdir(join(two ?? '', 'helm'), {recursive: true});
    await put(two ?? '', 'git');
    await put(three ?? '', 'helm');
    await put(three ?? '', 'git');
    await symlink(await put(directory, 'real'), join(two ?? '', 'npm'));
    await put(three ?? '', 'UPPER');
    const env = {PATH: [gone, one, `${two}/`, three, join(one ?? '', 'helm'), 'relative', ''].join(delimiter)};
    const names = ['helm', 'git', 'npm', 'kubectl', 'UPPER', 'upper', 'a/b', '', '..', join(three ?? '', 'git')];
    const alone = await Promise.all(names.map(name => findProgram(name, env)));
    expect(await findPrograms(names, env)).toEqual(alone);
    expect(alone.filter(path => path !== undefined)).toHaveLength(5);
  });

  test('are looked for in each directory once, and a name is asked for only where it stands', async () => {
    const directory = await temporaryDirectory();
    const paths = ['1', '2', '3'].map(name => join(directory, name));
    for (const path of paths) await put(path, 'other');
    await put(paths[2] ?? '', process.platform === 'win32' ? 'git.exe' : 'git');
    const asked: string[] = [];
    const isProgram = async (path: string) => {
      asked.push(path);
      return true;
    };
    const names = Array.from({length: 30}, (_, index) => `program-${index}`);
    const found = await findPrograms([...names, 'git'], {PATH: paths.join(delimiter)}, {isProgram});
    expect(found.filter(path => path !== undefined)).toEqual(asked);
    expect(asked).toHaveLength(1);
  });

  onUnix('are found in a directory that may not be read', async () => {
    const directory = await temporaryDirectory();
    const paths = [join(directory, 'closed'), join(directory, 'open')];
    const found = await put(paths[0] ?? '', 'git');
    await put(paths[1] ?? '', 'git');
    await chmod(paths[0] ?? '', 0o111);
    expect(await findPrograms(['git', 'helm'], {PATH: paths.join(delimiter)})).toEqual([found, undefined]);
    await chmod(paths[0] ?? '', 0o755);
  });

  onUnix('that are asked for one by one are found as well, also after they were installed', async () => {
    const directory = await temporaryDirectory();
    const find = createProgramFinder({PATH: directory});
    const names = ['a', 'b', 'c', 'd', 'e'];
    expect(await Promise.all(names.map(find))).toEqual(names.map(() => undefined));
    const paths = await Promise.all(names.map(name => put(directory, name)));
    expect(await Promise.all(names.map(find))).toEqual(paths);
    expect(await find('c')).toBe(paths[2]);
    expect(await Promise.all([find('a'), find('x')])).toEqual([paths[0], undefined]);
  });
});
