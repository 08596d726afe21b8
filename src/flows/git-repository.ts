import {dirname, join, sep} from 'node:path';
import {pathBelow} from '../domain/paths.ts';
import type {Ports} from '../ports/ports.ts';
import {TOOL_TIMEOUT} from './time-limits.ts';

/** The version control systems, by the directory that each has. Only git itself is asked about files. */
const systems = [
  ['.git', 'git'],
  ['.jj', 'Jujutsu'],
  ['.hg', 'Mercurial'],
  ['.svn', 'Subversion'],
] as const;

export type VersionControl = (typeof systems)[number][1];

/**
 * The relation of a file to version control: outside every repository, kept out of one, about to be added, or already
 * part of it. `path` is where the file really is, which is somewhere else for a link.
 */
export type GitStatus =
  | {readonly standing: 'outside'; readonly path: string}
  | {
      readonly standing: 'ignored' | 'committable' | 'tracked';
      readonly system: VersionControl;
      /** The root of the repository, absolute and without links. */
      readonly root: string;
      readonly path: string;
    };

/**
 * Returns the standing of the file that a write to `path` changes. The ignore rules of other systems than git are not
 * known here, so every file in their reach counts as one that would be committed. If git itself is absent, a file in a
 * repository counts as committable unless the `.gitignore` in the root has a line for this file alone.
 */
export const gitStatusOf = async (path: string, ports: Ports, signal: AbortSignal): Promise<GitStatus> => {
  const target = await ports.files.targetOf(path);
  const found = await repositoriesOf(target, ports);
  const other = found.find(({system}) => system !== 'git');
  if (other) return {standing: 'committable', system: other.system, root: other.root, path: target};
  const [repository] = found;
  if (!repository) return {standing: 'outside', path: target};
  const {root} = repository;
  return {standing: await askGit(target, root, ports, signal), system: 'git', root, path: target};
};

/**
 * Options that keep a repository's own configuration from starting anything: a monitor of the file system, the fetching
 * of missing objects, a repository among the files of another one. git gets none of the `GIT_…` variables of the
 * person's shell, which may name other repositories.
 */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.bareRepository=explicit'];

const harmlessVariables = {
  // No protocol may fetch: the address of a repository may be a command, and so may the program that answers there.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};

const askGit = async (
  path: string,
  root: string,
  {processes, files}: Ports,
  signal: AbortSignal,
): Promise<'ignored' | 'committable' | 'tracked'> => {
  // A repository may say that its files are elsewhere, and git would then know nothing of this file.
  const options = {timeout: TOOL_TIMEOUT, signal, variables: {...harmlessVariables, GIT_WORK_TREE: root}};
  const git = (...args: readonly string[]) =>
    processes.run('git', ['-C', root, '--no-pager', ...harmless, ...args, '--', path], options);
  // A tracked file is committed even if it is ignored.
  const tracked = await git('--literal-pathspecs', 'ls-files', '--error-unmatch');
  if (tracked.outcome === 'exited' && tracked.code === 0) return 'tracked';
  // `check-ignore` takes paths and not patterns, and refuses the option `--literal-pathspecs`.
  const asked = await git('check-ignore', '--quiet');
  if (asked.outcome === 'exited' && asked.code <= 1) return asked.code === 0 ? 'ignored' : 'committable';
  const ignored = (await files.read(ignoreFileOf(root)))?.bytes.toString('latin1') ?? '';
  const pattern = ignorePatternOf(path, root);
  return pattern !== undefined && holdsPattern(ignored, inLatin1(pattern)) ? 'ignored' : 'committable';
};

/**
 * Returns the path of a repository's ignore file. It is the one in the root, because a directory below the root may be
 * a link, and so may a file in it.
 *
 * @param root the root of the repository
 */
export const ignoreFileOf = (root: string): string => join(root, '.gitignore');

/**
 * Returns the pattern that matches one file and nothing else, by gitignore(5): from the root, with every character
 * escaped that has a special meaning.
 *
 * @returns undefined for a path outside the repository, and for a name with a line break, which no line can hold
 */
export const ignorePatternOf = (path: string, root: string): string | undefined => {
  const below = pathBelow(path, root)?.replaceAll('\\', sep === '\\' ? '/' : '\\\\');
  if (below === undefined || /[\r\n]/.test(below)) return undefined;
  // Git drops blanks at the end of a line unless they are escaped.
  const blanks = below.length - below.trimEnd().length;
  const [name, end] = [below.slice(0, below.length - blanks), below.slice(below.length - blanks)];
  return `/${name.replaceAll(/[*?[\]!#]/g, '\\$&')}${end.replaceAll(/\s/g, '\\$&')}`;
};

/** Whether a pattern is in the text of a `.gitignore`, and no later pattern may override it. */
const holdsPattern = (text: string, pattern: string): boolean => {
  const lines = text.split(/\r?\n/);
  const at = lines.lastIndexOf(pattern);
  return at >= 0 && !lines.slice(at).some(line => line.startsWith('!'));
};

/** Whether a pattern is in a `.gitignore`, and no later pattern may override it. */
export const holdsIgnored = (bytes: Buffer, pattern: string): boolean =>
  holdsPattern(bytes.toString('latin1'), inLatin1(pattern));

const inLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Returns a `.gitignore` with one more pattern. Its other bytes stay as they are, in any encoding. */
export const withIgnored = (bytes: Buffer, pattern: string): Buffer => {
  const text = bytes.toString('latin1');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = inLatin1(pattern);
  if (holdsPattern(text, line)) return bytes;
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  return Buffer.from(`${text}${end}${line}${newline}`, 'latin1');
};

/**
 * Returns a `.gitignore` without a pattern that was added to it. Its other bytes stay as they are.
 *
 * @param endedLine whether a line end was added to the line before the pattern: then that line end is removed too
 */
export const withoutIgnored = (bytes: Buffer, pattern: string, endedLine: boolean): Buffer => {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  const own = inLatin1(pattern);
  const at = lines.findLastIndex(line => line.replace(/\r?\n$/, '') === own);
  if (at < 0) return bytes;
  const before = lines.slice(0, at).join('');
  const isLast = at === lines.length - 1;
  const start = endedLine && isLast ? before.replace(/\r?\n$/, '') : before;
  return Buffer.from(`${start}${lines.slice(at + 1).join('')}`, 'latin1');
};

/** Returns the root of the git repository that a file is in. */
export const repositoryOf = async (path: string, ports: Pick<Ports, 'files'>): Promise<string | undefined> =>
  (await repositoriesOf(path, ports)).find(({system}) => system === 'git')?.root;

/** Returns the version control systems of the directories above a file, the nearest first. */
const repositoriesOf = async (path: string, {files}: Pick<Ports, 'files'>) => {
  const found: {readonly system: VersionControl; readonly root: string}[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    // A worktree or a submodule of git has a file of that name, a clone has a directory.
    const here = await Promise.all(systems.map(([name]) => files.exists(join(at, name))));
    const [isGit] = here;
    for (const [index, [, system]] of systems.entries()) {
      // Jujutsu on top of git follows git's ignore rules.
      if (here[index] && !(system === 'Jujutsu' && isGit)) found.push({system, root: at});
    }
    if (dirname(at) === at) return found;
  }
};
