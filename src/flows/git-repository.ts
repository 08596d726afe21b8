import {basename, dirname, join} from 'node:path';
import type {Ports} from '../ports/ports.ts';
import {TOOL_TIMEOUT} from './time-limits.ts';

/** How a file stands to git: outside of every repository, kept out of one, or about to be committed with the rest. */
export type GitStanding = 'outside' | 'ignored' | 'committable';

/** Where git itself is absent, a file in a repository counts as committable unless its own line is in `.gitignore`. */
export const gitStanding = async (path: string, ports: Ports, signal: AbortSignal): Promise<GitStanding> => {
  if (!(await isInRepository(path, ports))) return 'outside';
  const directory = dirname(path);
  const args = ['-C', directory, 'check-ignore', '--quiet', '--', path];
  const asked = await ports.processes.run('git', args, {timeout: TOOL_TIMEOUT, signal});
  if (asked.outcome === 'exited' && asked.code <= 1) return asked.code === 0 ? 'ignored' : 'committable';
  const ignored = (await ports.files.read(ignoreFileOf(path)))?.bytes.toString('utf8') ?? '';
  return ignored.split(/\r?\n/).includes(`/${basename(path)}`) ? 'ignored' : 'committable';
};

export const ignoreFileOf = (path: string): string => join(dirname(path), '.gitignore');

/** The text of a `.gitignore` that keeps a file beside it out. */
export const withIgnored = (text: string, path: string): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `/${basename(path)}`;
  if (text.split(/\r?\n/).includes(line)) return text;
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  return `${text}${end}${line}${newline}`;
};

const isInRepository = async (path: string, {files}: Ports): Promise<boolean> => {
  for (let at = dirname(path); ; at = dirname(at)) {
    // A worktree and a submodule have a file of that name, a clone has a directory.
    if (await files.exists(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
};
