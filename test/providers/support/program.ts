import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {promisify} from 'node:util';
import {vi} from 'vitest';

/** Runs a program to its end. What it printed is in the error, if it fails. */
export const run = promisify(execFile);

type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** How long a provider may take to start, in milliseconds: minutes, where the machine has much else to do. */
const START_TIMEOUT = 120_000;

/**
 * Starts a provider, in a process group of its own as some start others, and waits until it tells what it offers.
 *
 * @param ready where it answers once it has started, where that is not yet its metadata, or what succeeds then
 * @returns what ends it
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
    // It has ended by itself.
  }
};
