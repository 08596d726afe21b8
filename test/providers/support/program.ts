import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {promisify} from 'node:util';
import {vi} from 'vitest';

/** Runs a program to its end. If it fails, its output is in the error. */
export const run = promisify(execFile);

type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** How long a provider may take to start, in milliseconds: minutes, if the machine is busy. */
const START_TIMEOUT = 120_000;

/**
 * Starts a provider, in a process group because some start other processes, and waits until it serves its metadata.
 *
 * @param ready an address that answers once it has started, if the metadata does not, or a function that succeeds
 * then
 * @returns a function that ends it
 */
export const startProgram = async (
  {command, args, cwd, env = {}}: Program,
  issuer: string,
  ready: string | (() => Promise<unknown>) = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
): Promise<() => Promise<void>> => {
  const child = spawn(command, args, {
    ...{cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe']},
    env: {...process.env, ...env},
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', data => said.push(String(data)));
  const ended = once(child, 'close');
  const kill = () => killGroup(child, 'SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    process.off('exit', kill);
    killGroup(child, 'SIGTERM');
    const timer = setTimeout(kill, 5_000);
    await ended;
    clearTimeout(timer);
  };
  const look = async () => {
    if (child.exitCode !== null) return;
    if (typeof ready === 'function') {
      await ready();
      return;
    }
    const answer = await fetch(ready, {redirect: 'manual'});
    if (!answer.ok) throw new Error(`${ready} answers ${answer.status}.`);
  };
  try {
    await vi.waitFor(look, {timeout: START_TIMEOUT, interval: 200});
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    return end;
  } catch (error) {
    await end();
    throw new Error(`${command} did not start:\n${said.join('').slice(-4_000)}`, {cause: error});
  }
};

const killGroup = ({pid, exitCode, signalCode}: ChildProcess, signal: NodeJS.Signals) => {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended by itself.
  }
};
