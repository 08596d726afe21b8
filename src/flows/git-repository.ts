import {dirname, join, sep} from 'node:path';
import {pathBelow} from '../domain/paths.ts';
import type {Ports} from '../ports/ports.ts';
import {TOOL_TIMEOUT} from './time-limits.ts';

/** What keeps the history of a directory. All but git are known by their directories only. */
const systems = [
  ['.git', 'git'],
  ['.jj', 'Jujutsu'],
  ['.hg', 'Mercurial'],
  ['.svn', 'Subversion'],
] as const;

export type VersionControl = (typeof systems)[number][1];

/**
 * How a file stands to version control: outside of every repository, kept out of one, about to be added, or part of it
 * already. `path` is where the file really is, which for a link is somewhere else.
 */
export type Standing =
  | {readonly standing: 'outside'; readonly path: string}
  | {
      readonly standing: 'ignored' | 'committable' | 'tracked';
      readonly system: VersionControl;
      /** The root of the repository, absolute and without links. */
      readonly root: string;
      readonly path: string;
    };

/**
 * How the file stands that a write to `path` lands in. What another system than git leaves out is not known here, so each
 * file in its reach counts as one that would be committed. Where git itself is absent, a file in a repository counts as
 * committable unless its own line is in the `.gitignore` of the root.
 */
export const standingOf = async (path: string, ports: Ports, signal: AbortSignal): Promise<Standing> => {
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
 * Keeps what a repository's own configuration says from starting anything: a monitor of the file system, the fetching of
 * objects that are missing, a repository that lies in another one's files. git is given none of the `GIT_…` variables of
 * the person's shell, which may name other repositories.
 */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.bareRepository=explicit'];

const harmlessVariables = {
  // No way of fetching is allowed: the address of a repository may be a command, and so may be what answers there.
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
  // A repository may say that its files are elsewhere, and would know nothing of this one then.
  const options = {timeout: TOOL_TIMEOUT, signal, variables: {...harmlessVariables, GIT_WORK_TREE: root}};
  const git = (...args: readonly string[]) =>
    processes.run('git', ['-C', root, '--no-pager', ...harmless, ...args, '--', path], options);
  // A file that git has already is committed whatever is ignored.
  const tracked = await git('--literal-pathspecs', 'ls-files', '--error-unmatch');
  if (tracked.outcome === 'exited' && tracked.code === 0) return 'tracked';
  // It takes paths and no patterns, and refuses the option that says so.
  const asked = await git('check-ignore', '--quiet');
  if (asked.outcome === 'exited' && asked.code <= 1) return asked.code === 0 ? 'ignored' : 'committable';
  const ignored = (await files.read(ignoreFileOf(root)))?.bytes.toString('latin1') ?? '';
  const pattern = ignorePatternOf(path, root);
  return pattern !== undefined && holdsPattern(ignored, inLatin1(pattern)) ? 'ignored' : 'committable';
};

/**
 * The file that keeps others out of a repository. It is the one in the root: a directory below may be a link, and so may
 * a file in it.
 *
 * @param root of the repository
 */
export const ignoreFileOf = (root: string): string => join(root, '.gitignore');

/**
 * The pattern that names one file and nothing else, as gitignore(5) has it: from the root, with every sign escaped that
 * has a meaning there.
 *
 * @returns undefined for a name that no line can hold, because it has a line break in it
 */
export const ignorePatternOf = (path: string, root: string): string | undefined => {
  const below = pathBelow(path, root)?.replaceAll('\\', sep === '\\' ? '/' : '\\\\');
  if (below === undefined || /[\r\n]/.test(below)) return undefined;
  // Git drops blanks at the end of a line, unless they are escaped.
  const blanks = below.length - below.trimEnd().length;
  const [name, end] = [below.slice(0, below.length - blanks), below.slice(below.length - blanks)];
  return `/${name.replaceAll(/[*?[\]!#]/g, '\\$&')}${end.replaceAll(/\s/g, '\\$&')}`;
};

/** Whether a pattern stands in the text of a `.gitignore`, and no later one may take it back. */
const holdsPattern = (text: string, pattern: string): boolean => {
  const lines = text.split(/\r?\n/);
  const at = lines.lastIndexOf(pattern);
  return at >= 0 && !lines.slice(at).some(line => line.startsWith('!'));
};

/** Whether a pattern stands in a `.gitignore`, and no later one may take it back. */
export const holdsIgnored = (bytes: Buffer, pattern: string): boolean =>
  holdsPattern(bytes.toString('latin1'), inLatin1(pattern));

const inLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A `.gitignore` with one more pattern. Its other bytes stay as they are, in whichever encoding. */
export const withIgnored = (bytes: Buffer, pattern: string): Buffer => {
  const text = bytes.toString('latin1');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = inLatin1(pattern);
  if (holdsPattern(text, line)) return bytes;
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  return Buffer.from(`${text}${end}${line}${newline}`, 'latin1');
};

/**
 * A `.gitignore` without a pattern that was added to it. Its other bytes stay as they are.
 *
 * @param endedLine whether the line before the pattern was ended for it: then that one ends as it did
 */
export const withoutIgnored = (bytes: Buffer, pattern: string, endedLine: boolean): Buffer => {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  const own = inLatin1(pattern);
  const at = lines.findLastIndex(line => line.replace(/\r?\n$/, '') === own);
  if (at < 0) return bytes;
  const before = lines.slice(0, at).join('');
  const isLast = at === lines.length - 1;
  const kept = endedLine && isLast ? before.replace(/\r?\n$/, '') : before;
  return Buffer.from(`${kept}${lines.slice(at + 1).join('')}`, 'latin1');
};

/** The root of the git repository that a file is in. */
export const repositoryOf = async (path: string, ports: Pick<Ports, 'files'>): Promise<string | undefined> =>
  (await repositoriesOf(path, ports)).find(({system}) => system === 'git')?.root;

/** Whatever keeps the history of the directories above a file, the nearest first. */
const repositoriesOf = async (path: string, {files}: Pick<Ports, 'files'>) => {
  const found: {readonly system: VersionControl; readonly root: string}[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    // A worktree and a submodule of git have a file of that name, a clone has a directory.
    const here = await Promise.all(systems.map(([name]) => files.exists(join(at, name))));
    const [isGit] = here;
    for (const [index, [, system]] of systems.entries()) {
      // Jujutsu that lies on git goes by what git ignores.
      if (here[index] && !(system === 'Jujutsu' && isGit)) found.push({system, root: at});
    }
    if (dirname(at) === at) return found;
  }
};
