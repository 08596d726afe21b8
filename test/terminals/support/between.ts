import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {onPath} from '../../cluster/support/tools.ts';
import {run} from '../../support/terminal/programs.ts';
import {openTerminal, type Terminal} from '../../support/terminal/terminal.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';

/** The ways to start a program: directly, or with another terminal between it and the visible one. */
export const between = {
  nothing: {needs: [], open: async (command, options) => openTerminal(command[0] ?? '', command.slice(1), options)},
  tmux: {
    needs: ['tmux'],
    open: async (command, options) => {
      const directory = directoryForTest();
      const settings = join(directory, 'tmux.conf');
      writeFileSync(settings, 'set -g status off\nset -g default-terminal tmux-256color\n');
      const socket = join(directory, 'socket');
      endsWithTest('tmux', ['-S', socket, 'kill-server']);
      const args = ['-u', '-f', settings, '-S', socket, 'new-session', '--', ...command];
      return openTerminal(onPath('tmux') ?? '', args, options);
    },
  },
  screen: {
    needs: ['screen'],
    open: async (command, options) => {
      const env = {SCREENDIR: directoryForTest()};
      endsWithTest('screen', ['-X', 'quit'], env);
      return openTerminal(onPath('screen') ?? '', ['-U', '-c', '/dev/null', ...command], {...options, env});
    },
  },
  mosh: {
    needs: ['mosh-server', 'mosh-client'],
    open: async (command, options) => {
      const {key, port} = await startMoshServer(command);
      return openTerminal(onPath('mosh-client') ?? '', ['127.0.0.1', port], {...options, env: {MOSH_KEY: key}});
    },
  },
} as const satisfies Readonly<Record<string, Way>>;

type Way = {
  readonly needs: readonly string[];
  readonly open: (command: readonly string[], options: Size) => Promise<Terminal>;
};

type Size = {readonly columns: number; readonly rows: number};

/**
 * Starts the built program with these arguments in a terminal that is reached in this way. Closed when the test ends.
 */
export const openThrough = async (way: keyof typeof between, args: readonly string[], size: Size) => {
  const directory = directoryForTest();
  // The program between may pass on its own environment, or none.
  const own = {HOME: directory, SETUP_HOME: join(directory, 'setup'), TMPDIR: directory};
  const env = {...own, LANG: 'C.UTF-8', SETUP_COMMAND: 'npx setup'};
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = [onPath('env') ?? '', ...settings, process.execPath, launcher, ...args];
  const terminal = await between[way].open(command, size);
  onTestFinished(() => terminal.close());
  return terminal;
};

/**
 * Ends the server of a program between when the test ends: it outlives the terminal, together with the program in it.
 */
const endsWithTest = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  onTestFinished(() => {
    // It fails if the server has ended already, with the program.
    spawnSync(onPath(name) ?? '', args, {env: {...process.env, ...env}});
  });

const startMoshServer = async (command: readonly string[]) => {
  const env = {PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'xterm-256color'};
  const child = spawn(onPath('mosh-server') ?? '', ['new', '-i', '127.0.0.1', '--', ...command], {env});
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
  // mosh-server continues in the background, and then closes these streams.
  await once(child, 'close');
  const [, port, key] = /MOSH CONNECT (\d+) (\S+)/.exec(said) ?? [];
  const pid = Number(/pid = (\d+)/.exec(said)?.[1]);
  if (!port || !key || !pid) throw new Error(`mosh-server did not start: ${said}`);
  onTestFinished(() => {
    try {
      process.kill(pid);
    } catch {
      // It ended with the program.
    }
  });
  return {key, port};
};

const directoryForTest = () => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  run('chmod', ['700', directory]);
  onTestFinished(() => rmSync(directory, {recursive: true, force: true, maxRetries: 5}));
  return directory;
};
