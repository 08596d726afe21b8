import {basename, dirname, join} from 'node:path';
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
      readonly path: string;
    };

/**
 * How the file stands that a write to `path` lands in. What another system than git leaves out is not known here, so each
 * file in its reach counts as one that would be committed. Where git itself is absent, a file in a repository counts as
 * committable unless its own line is in `.gitignore`.
 */
export const standingOf = async (path: string, ports: Ports, signal: AbortSignal): Promise<Standing> => {
  const target = await ports.files.targetOf(path);
  const found = await repositoriesOf(target, ports);
  const other = found.find(({system}) => system !== 'git');
  if (other) return {standing: 'committable', system: other.system, path: target};
  const [repository] = found;
  if (!repository) return {standing: 'outside', path: target};
  return {standing: await askGit(target, repository.root, ports, signal), system: 'git', path: target};
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
  const tracked = await git('ls-files', '--error-unmatch');
  if (tracked.outcome === 'exited' && tracked.code === 0) return 'tracked';
  const asked = await git('check-ignore', '--quiet');
  if (asked.outcome === 'exited' && asked.code <= 1) return asked.code === 0 ? 'ignored' : 'committable';
  const ignored = (await files.read(ignoreFileOf(path)))?.bytes.toString('latin1') ?? '';
  return ignored.split(/\r?\n/).includes(`/${basename(path)}`) ? 'ignored' : 'committable';
};

export const ignoreFileOf = (path: string): string => join(dirname(path), '.gitignore');

/** A `.gitignore` that keeps a file beside it out. Its other bytes stay as they are, in whichever encoding. */
export const withIgnored = (bytes: Buffer, path: string): Buffer => {
  const text = bytes.toString('latin1');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = Buffer.from(`/${basename(path)}`, 'utf8').toString('latin1');
  if (text.split(/\r?\n/).includes(line)) return bytes;
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  return Buffer.from(`${text}${end}${line}${newline}`, 'latin1');
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
