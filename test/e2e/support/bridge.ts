import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {assistantOn} from '../../bridge/support/bridge.ts';
import {launcher, type Surroundings} from '../../support/terminal/terminal-environment.ts';

const probe = fileURLToPath(new URL('memory-probe.mjs', import.meta.url));

/**
 * Settings of glibc that return freed memory to the system at once (other C libraries ignore them). By default the
 * allocator keeps some 15 MiB of a large message, more or less by chance, so that resident memory says little about
 * leaks.
 */
const givingBack = {MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536'};

/** Starts the built bridge as an assistant does. If it still runs at the end of the test, it is killed. */
export const startBridge = (
  args: readonly string[],
  {env, temporary}: Pick<Surroundings, 'env' | 'temporary'>,
  program = launcher,
) => {
  const flags = ['--expose-gc', '--import', probe];
  const child = spawn(process.execPath, [...flags, program, 'mcp', 'serve', ...args], {
    env: {...env, ...givingBack},
    cwd: temporary,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const {stdin, stdout, stderr} = child;
  if (!stdin || !stdout || !stderr) throw new Error('The bridge was started without pipes.');
  stdin.on('error', () => {});
  let said = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({code, signal, stderr: said}));
  return {
    ...assistantOn(stdin, stdout),
    stdin,
    stdout,
    ended,
    pid: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Resident memory in MiB, without garbage. */
    memory: async (): Promise<number> => {
      child.send('tell');
      const [{rss}] = await once(child, 'message');
      return rss / 1024 / 1024;
    },
  };
};
