import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {planFiles} from '../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../src/flows/assistants/write-files.ts';
import {gitStatusOf, ignoreFileOf, ignorePatternOf, repositoryOf, withIgnored} from '../../src/flows/git-repository.ts';
import type {Ports, ProcessResult} from '../../src/ports/ports.ts';
import {collect, noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';
import {isOnWine} from '../support/systems/on-wine.ts';
import {systemHere} from '../support/systems/system-here.ts';
import {machine} from './assistants/support/machine.ts';

/** True if there is a git. Without one, no repository can start a program through it. */
const hasGit = spawnSync('git', ['--version']).status === 0;

test.runIf(hasGit)(
  'a .gitignore in another encoding keeps every byte, and a file that git has already is refused',
  async () => {
    const {ports, project, input} = await machine({PATH: process.env.PATH ?? ''});
    const git = (...args: readonly string[]) =>
      ports.processes.run('git', ['-C', project, ...args], {timeout: 5_000, signal: noSignal});
    expect(await git('init', '-q')).toMatchObject({outcome: 'exited', code: 0});
    await writeFile(join(project, '.gitignore'), Buffer.from('k\xfcche/', 'latin1'));
    const ignoring = {...input([['cursor', 'project', 'header']]), inGit: 'ignore' as const};
    const {result: plan} = await collect(planFiles, ignoring, ports);
    await collect(writeFiles, {...ignoring, plan}, ports);
    expect(await readFile(join(project, '.gitignore'), 'latin1')).toBe('k\xfcche/\n/.cursor/mcp.json\n');
    await writeFile(join(project, '.mcp.json'), '{}');
    await git('add', '.mcp.json');
    const tracked = {...input([['generic', 'project', 'header']]), inGit: 'ignore' as const};
    await expect(collect(planFiles, tracked, ports)).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: expect.stringContaining('already tracked by git'),
    });
    await git('rm', '-q', '--cached', '.mcp.json');
    const {result: second} = await collect(planFiles, tracked, ports);
    await collect(writeFiles, {...tracked, plan: second}, ports);
    expect(await readFile(join(project, '.gitignore'), 'latin1')).toBe('k\xfcche/\n/.cursor/mcp.json\n/.mcp.json\n');
  },
);

describe.runIf(hasGit)('a rule of the repository that takes back what is ignored', () => {
  const repository = async () => {
    const at = await machine({PATH: process.env.PATH ?? ''});
    const git = (...args: readonly string[]) =>
      at.ports.processes.run('git', ['-C', at.project, ...args], {timeout: 5_000, signal: noSignal});
    expect(await git('init', '-q')).toMatchObject({outcome: 'exited', code: 0});
    const ignore = join(at.project, '.gitignore');
    const connect = async () => {
      const ignoring = {...at.input([['claude-code', 'project', 'header']]), inGit: 'ignore' as const};
      const {result: plan} = await collect(planFiles, ignoring, at.ports);
      await collect(writeFiles, {...ignoring, plan}, at.ports);
    };
    return {...at, git, ignore, connect};
  };

  test('in the same file is overruled', async () => {
    const {connect, git, ignore} = await repository();
    await writeFile(ignore, '/.mcp.json\n!/.mcp.json\n');
    await connect();
    expect(await readFile(ignore, 'utf8')).toBe('/.mcp.json\n!/.mcp.json\n/.mcp.json\n');
    expect(await git('check-ignore', '-q', '.mcp.json')).toMatchObject({code: 0});
  });

  test('elsewhere is found out after the write: no token is written, and the file is what it was', async () => {
    const {ports, ignore, project, input, saved} = await repository();
    await mkdir(join(project, '.cursor'));
    await writeFile(join(project, '.cursor', '.gitignore'), '!mcp.json\n');
    await writeFile(ignore, 'dist\n');
    const ignoring = {...input([['cursor', 'project', 'header']]), inGit: 'ignore' as const};
    const {result: plan} = await collect(planFiles, ignoring, ports);
    await expect(collect(writeFiles, {...ignoring, plan}, ports)).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: expect.stringContaining('another rule of the repository overrides'),
    });
    expect(await readFile(ignore, 'utf8')).toBe('dist\n');
    expect(existsSync(join(project, '.cursor', 'mcp.json'))).toBe(false);
    expect((await saved()).entries).toEqual([]);
  });
});

const exited = (code: number): ProcessResult => ({outcome: 'exited', code, stdout: '', stderr: ''});
const missing: ProcessResult = {outcome: 'missing'};

/** Returns how a file of a project stands in git, if git answers in this way whether it tracks and ignores it. */
const standing = async (path: string, answers: {tracked?: ProcessResult; ignored?: ProcessResult}, ignore?: string) => {
  const project = await realpath(await temporaryDirectory());
  await mkdir(join(project, '.git'));
  if (ignore !== undefined) await writeFile(join(project, '.gitignore'), ignore);
  const asked: (readonly string[])[] = [];
  const run = async (_program: string, args: readonly string[]) => {
    asked.push(args);
    return (args.includes('ls-files') ? answers.tracked : answers.ignored) ?? missing;
  };
  const ports = {...portsIn(project), processes: {run}} as unknown as Ports;
  return {...(await gitStatusOf(join(project, path), ports, noSignal)), asked, project};
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

  test('is asked about at the root of the repository', async () => {
    const {asked, project} = await standing('.cursor/new/mcp.json', {tracked: no, ignored: no});
    const path = join(project, '.cursor', 'new', 'mcp.json');
    expect(asked.map(args => [...args.slice(0, 2), ...args.slice(-4)])).toEqual([
      ['-C', project, 'ls-files', '--error-unmatch', '--', path],
      ['-C', project, 'check-ignore', '--quiet', '--', path],
    ]);
  });

  test('has its root above it, whichever way that is a repository', async () => {
    const project = await realpath(await temporaryDirectory());
    const ports = portsIn(project);
    const path = join(project, 'one', 'two', 'mcp.json');
    expect(await repositoryOf(path, ports)).toBeUndefined();
    expect(await gitStatusOf(path, ports, noSignal)).toEqual({standing: 'outside', path});
    await mkdir(join(project, 'one'));
    await writeFile(join(project, 'one', '.git'), 'gitdir: elsewhere');
    expect(await repositoryOf(path, ports)).toBe(join(project, 'one'));
  });
});

describe('where a token really lands', () => {
  /**
   * Sets up a repository with another directory beside it, and returns how a file written to this path there stands.
   */
  const beside = async (name: string) => {
    const directory = await realpath(await temporaryDirectory());
    const [repository, outside] = [join(directory, 'repository'), join(directory, 'outside')];
    await mkdir(join(repository, name), {recursive: true});
    await mkdir(outside);
    const of = (path: string) => gitStatusOf(path, portsIn(directory), noSignal);
    return {repository, outside, of};
  };

  onUnix.each([
    ['a link', 'mcp.json', '../repository/mcp.json'],
    ['a link that leads to nothing yet', 'mcp.json', '../repository/new/mcp.json'],
  ])('%s into a repository is in it', async (_what, name, to) => {
    const {repository, outside, of} = await beside('.git');
    if (!to.includes('new')) await writeFile(join(repository, 'mcp.json'), '{}');
    await symlink(to, join(outside, name));
    const path = join(outside, to);
    expect(await of(join(outside, name))).toEqual({standing: 'committable', system: 'git', root: repository, path});
  });

  onUnix('a directory above that is a link into a repository counts, and one out of it does not', async () => {
    const {repository, outside, of} = await beside('.git');
    await symlink(repository, join(outside, 'in'));
    await symlink(outside, join(repository, 'out'));
    expect(await of(join(outside, 'in', '.cursor', 'mcp.json'))).toMatchObject({
      standing: 'committable',
      path: join(repository, '.cursor', 'mcp.json'),
    });
    expect(await of(join(repository, 'out', 'mcp.json'))).toEqual({
      standing: 'outside',
      path: join(outside, 'mcp.json'),
    });
  });

  test.each([
    ['.hg', 'Mercurial'],
    ['.svn', 'Subversion'],
    ['.jj', 'Jujutsu'],
  ])('what %s keeps counts as committed by %s, whatever git would ignore', async (name, system) => {
    const {repository, of} = await beside(name);
    await writeFile(join(repository, '.gitignore'), '/mcp.json\n');
    const path = join(repository, 'mcp.json');
    expect(await of(path)).toEqual({standing: 'committable', system, root: repository, path});
    expect(await repositoryOf(path, portsIn(repository))).toBeUndefined();
  });

  test('git inside of another system is in both, and Jujutsu on git goes by git', async () => {
    const {repository, of} = await beside('.hg');
    await mkdir(join(repository, 'inner', '.git'), {recursive: true});
    expect(await of(join(repository, 'inner', 'mcp.json'))).toMatchObject({system: 'Mercurial'});
    const both = await beside('.git');
    await mkdir(join(both.repository, '.jj'));
    expect(await both.of(join(both.repository, 'mcp.json'))).toMatchObject({system: 'git'});
  });
});

describe.runIf(hasGit && process.platform !== 'win32')('a repository that means harm', () => {
  /** Sets up a repository with a tracked file. Every program that the repository configures would leave a mark. */
  const hostile = async () => {
    const directory = await realpath(await temporaryDirectory());
    const [root, mark, evil] = ['repository', 'mark', 'evil'].map(name => join(directory, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(join(root, 'a'), {recursive: true});
    await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`, {mode: 0o755});
    const env = {PATH: '/usr/bin:/bin', HOME: directory, GIT_CONFIG_NOSYSTEM: '1'};
    const git = (...args: readonly string[]) =>
      execFileSync('/usr/bin/git', args, {cwd: root, env, stdio: ['ignore', 'pipe', 'ignore']}).toString();
    git('init', '-q');
    await writeFile(join(root, 'mcp.json'), '{}');
    await writeFile(join(root, 'a', 'file'), 'text');
    await writeFile(join(root, '.gitignore'), '/ignored.json\n');
    git('add', '.');
    git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-qm', 'x');
    // git gets nothing of the person's shell either.
    const ports = portsIn(directory, {
      PATH: '/usr/bin:/bin',
      GIT_DIR: join(directory, 'none'),
      GIT_EXEC_PATH: directory,
    });
    const standings = async () => {
      const found = ['mcp.json', 'ignored.json', 'new.json', 'a/mcp.json'].map(async name => {
        return (await gitStatusOf(join(root, name), ports, noSignal)).standing;
      });
      return Promise.all(found);
    };
    return {root, mark, evil, git, standings};
  };

  const all = ['tracked', 'ignored', 'committable', 'committable'];

  test.each<[string, (of: Awaited<ReturnType<typeof hostile>>) => unknown]>([
    ['a monitor of the file system', ({git, evil}) => git('config', 'core.fsmonitor', evil)],
    [
      'a monitor in a file that it includes',
      async ({root, git, evil}) => {
        await writeFile(join(root, 'more'), `[core]\n\tfsmonitor = ${evil}\n`);
        git('config', 'include.path', '../more');
      },
    ],
    [
      'a pager, an editor and an alias',
      ({git, evil}) => {
        for (const name of ['core.pager', 'core.editor', 'pager.ls-files', 'core.askPass', 'core.sshCommand'])
          git('config', name, evil);
        for (const name of ['ls-files', 'check-ignore']) git('config', `alias.${name}`, `!${evil}`);
      },
    ],
    [
      'hooks',
      async ({root, git, evil}) => {
        await mkdir(join(root, 'hooks'));
        for (const name of ['post-index-change', 'post-checkout', 'fsmonitor-watchman'])
          await symlink(evil, join(root, 'hooks', name));
        git('config', 'core.hooksPath', 'hooks');
      },
    ],
    [
      'filters and attributes',
      async ({root, git, evil}) => {
        await writeFile(join(root, '.gitattributes'), '* filter=evil diff=evil\n');
        for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv'])
          git('config', name, evil);
        await writeFile(join(root, 'mcp.json'), '{"changed": true}');
      },
    ],
    ['a work tree elsewhere', ({git}) => git('config', 'core.worktree', '/tmp')],
    [
      'a bare repository in its files',
      ({root, git, evil}) => {
        git('init', '-q', '--bare', 'bare');
        git('--git-dir=bare', 'config', 'core.fsmonitor', evil);
        git('--git-dir=bare', 'config', 'core.bare', 'false');
        git('--git-dir=bare', 'config', 'core.worktree', root);
      },
    ],
    [
      'objects that are to be fetched by a command',
      async ({root, git, evil}) => {
        const tree = git('rev-parse', 'HEAD:a').trim();
        git('sparse-checkout', 'set', '--cone', '--sparse-index', 'b');
        await rm(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
        git('config', 'core.repositoryformatversion', '1');
        git('config', 'extensions.partialClone', 'origin');
        git('config', 'remote.origin.promisor', 'true');
        git('config', 'remote.origin.url', `ext::${evil} x`);
        git('config', 'protocol.ext.allow', 'always');
      },
    ],
  ])('starts nothing by %s', async (_what, plant) => {
    const scene = await hostile();
    expect(await scene.standings()).toEqual(all);
    await plant(scene);
    await rm(scene.mark, {force: true});
    expect(await scene.standings()).toEqual(all);
    expect(existsSync(scene.mark)).toBe(false);
  });

  test('starts nothing where the file is in its bare repository', async () => {
    const {root, mark, evil, git} = await hostile();
    git('init', '-q', '--bare', 'bare');
    git('--git-dir=bare', 'config', 'core.fsmonitor', evil);
    git('--git-dir=bare', 'config', 'core.bare', 'false');
    git('--git-dir=bare', 'config', 'core.worktree', join(root, 'bare'));
    const ports = portsIn(root, {PATH: '/usr/bin:/bin'});
    const found = await gitStatusOf(join(root, 'bare', 'mcp.json'), ports, noSignal);
    expect(found.standing).toBe('committable');
    expect(existsSync(mark)).toBe(false);
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
  ])('of %j gets a line for the file, once', (before, after) => {
    expect(withIgnored(Buffer.from(before), '/mcp.json').toString()).toBe(after);
  });

  test('is the one in the root', () => {
    expect(ignoreFileOf(resolve('/project'))).toBe(resolve('/project/.gitignore'));
  });

  test.each(['mcp.json', 'a/b.json', '#x', '!x', 'a*?[b]', 'a b ', 'a\t', '$(command)', 'a\\b', 'ä', '[!a]', ' x'])(
    'names the file %j, and git agrees',
    async name => {
      // Wine has no git of Windows.
      if (isOnWine || (systemHere === 'win32' && /[*?\\\t]| $/.test(name))) return;
      const {ports, project} = await machine({PATH: process.env.PATH ?? ''});
      const git = (...args: readonly string[]) =>
        ports.processes.run('git', ['-C', project, ...args], {timeout: 5_000, signal: noSignal});
      await git('init', '-q');
      const path = join(project, name);
      await writeFile(ignoreFileOf(project), withIgnored(Buffer.alloc(0), ignorePatternOf(path, project) ?? ''));
      expect(await git('check-ignore', '--quiet', '--', path)).toMatchObject({code: 0});
      for (const other of ['mcp', 'b.json', 'x', 'a', 'sub/mcp.json', 'ab', 'a1b', '[xa]']) {
        if (other === name) continue;
        expect(await git('check-ignore', '--quiet', '--', join(project, other)), other).toMatchObject({code: 1});
      }
    },
  );

  test('has no line for a name with a line break', () => {
    expect(ignorePatternOf('/project/a\n/.bashrc', '/project')).toBeUndefined();
    expect(ignorePatternOf('/elsewhere/mcp.json', '/project')).toBeUndefined();
  });
});
