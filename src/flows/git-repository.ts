import {basename, dirname, join} from 'node:path';
import type {Ports} from '../ports/ports.ts';
import {TOOL_TIMEOUT} from './time-limits.ts';

/** How a file stands to git: outside of every repository, kept out of one, about to be added, or part of it already. */
export type GitStanding = 'outside' | 'ignored' | 'committable' | 'tracked';

/** Where git itself is absent, a file in a repository counts as committable unless its own line is in `.gitignore`. */
export const gitStanding = async (path: string, ports: Ports, signal: AbortSignal): Promise<GitStanding> => {
  if ((await repositoryOf(path, ports)) === undefined) return 'outside';
  const directory = await existing(dirname(path), ports);
  const git = (...args: readonly string[]) =>
    ports.processes.run('git', ['-C', directory, ...args, '--', path], {timeout: TOOL_TIMEOUT, signal});
  // A file that git has already is committed whatever is ignored.
  const tracked = await git('ls-files', '--error-unmatch');
  if (tracked.outcome === 'exited' && tracked.code === 0) return 'tracked';
  const asked = await git('check-ignore', '--quiet');
  if (asked.outcome === 'exited' && asked.code <= 1) return asked.code === 0 ? 'ignored' : 'committable';
  const ignored = (await ports.files.read(ignoreFileOf(path)))?.bytes.toString('latin1') ?? '';
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

/** The nearest directory that is there. */
const existing = async (directory: string, {files}: Ports): Promise<string> =>
  (await files.exists(directory)) || dirname(directory) === directory
    ? directory
    : existing(dirname(directory), {files} as Ports);

/** The root of the repository that a file is in. */
export const repositoryOf = async (path: string, {files}: Ports): Promise<string | undefined> => {
  for (let at = dirname(path); ; at = dirname(at)) {
    // A worktree and a submodule have a file of that name, a clone has a directory.
    if (await files.exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
};
