import {createInterface} from 'node:readline';
import {SetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import {onAbort} from '../../on-abort.ts';
import type {Env} from '../../ports/ports.ts';
import {homeIn, start} from '../../ports/processes/processes.ts';
import {runtimePath, wordsToStart} from '../../ports/processes/runtime.ts';
import type {Sandbox, SandboxReady} from '../../sandbox/sandbox.ts';
import type {ProjectSeed} from '../../sandbox/seed.ts';

export type SandboxProcess = {readonly ready: SandboxReady; stop(): Promise<void>};

/** The additions that a sandbox gets at its start: projects, and roles for accounts. */
export type Furnishing = {
  readonly projects: readonly ProjectSeed[];
  readonly bindings: readonly Parameters<Sandbox['bind']>[0][];
};

/** The message of a sandbox that cannot start. */
type Failed = {readonly type: 'failed'; readonly message: string; readonly remedy: string};

/** The longest time for a sandbox to be ready, in milliseconds. It makes an RSA key first. */
const START_TIMEOUT = 30_000;

/**
 * Starts a sandbox in a process of its own, on free ports, and waits until it is ready. The sandbox ends with this
 * process, however that ends.
 *
 * @param program the launcher, as a path
 * @param start `flags`: further flags of `setup sandbox`, without relative paths, because it starts in the home
 *   directory; `furnishing`: what is in it
 * @throws SetupError `local-sandbox-failed`, `cancelled`
 */
export const startSandboxProcess = async (
  program: string,
  {flags, furnishing}: {readonly flags: readonly string[]; readonly furnishing: Furnishing},
  env: Env,
  signal: AbortSignal,
): Promise<SandboxProcess> => {
  const args = [...wordsToStart(program), 'sandbox', '--port', '0', '--json', ...flags];
  const child = await start(runtimePath(), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: passedOn(env),
    cwd: homeIn(env),
    // Ctrl-C goes to the whole process group, but only the process that started the sandbox decides when it ends.
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    if (child.connected) child.disconnect();
    // A sandbox that is still starting does not watch the channel yet.
    child.kill('SIGTERM');
    await ended;
  };

  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-2_000);
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface({input: child.stdout}).once('line', resolve);
    ended.then(() =>
      reject(new SetupError('local-sandbox-failed', `The sandbox ended before it was ready. ${output.trim()}`.trim())),
    );
    child.once('error', cause => {
      const because = limitIn(cause) ?? '';
      reject(new SetupError('local-sandbox-failed', `The sandbox could not be started. ${because}`.trimEnd(), {cause}));
    });
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT)]);
    onAbort(deadline, () => reject(tooLate(signal)));
  });
  try {
    const line = JSON.parse(await firstLine) as SandboxReady | Failed;
    if (line.type === 'failed') throw new SetupError('local-sandbox-failed', line.message, {remedy: line.remedy});
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      ended.then(resolve);
      child.send(furnishing, error => error && reject(error));
    });
    return {ready: line, stop};
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Returns the variables for the sandbox: only those that say where files are, because others may be secrets. */
const passedOn = ({PATH, HOME, XDG_CACHE_HOME, NODE_COMPILE_CACHE, NODE_OPTIONS}: Env) =>
  Object.fromEntries(
    Object.entries({
      ...{PATH, HOME, XDG_CACHE_HOME, NODE_COMPILE_CACHE},
      // It loads Yarn's Plug'n'Play, without which Node does not find the program in an archive.
      ...(process.versions.pnp === undefined ? {} : {NODE_OPTIONS}),
    }).filter(([, value]) => value !== undefined),
  );

const tooLate = (signal: AbortSignal) =>
  signal.aborted
    ? signal.reason
    : new SetupError('local-sandbox-failed', `The sandbox was not ready after ${START_TIMEOUT / 1000} s.`);
