import type {ChildProcess, SpawnOptions} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {delimiter, isAbsolute, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {setFlagsFromString} from 'node:v8';
import type {ProcessName} from '../../domain/credentials.ts';
import {homeOf} from '../../domain/paths.ts';
import {toSetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import {createMessageQueue} from '../../message-queue.ts';
import {onAbort} from '../../on-abort.ts';
import {pathIn, personsPath} from '../../search-path.ts';
import {holdProcess} from '../exit-guard.ts';
import type {Conversation, Env, Processes, ProcessResult} from '../ports.ts';
import {createProgramFinder, findProgram} from './find-program.ts';
import {hasKubeContext} from './kube-context.ts';
import {runtimePath, wordsToStart} from './runtime.ts';

/** Returns the identity of this process, with which other processes on this machine check whether it still runs. */
export const ownProcess = (): ProcessName => {
  const started = startOf(process.pid);
  return {pid: process.pid, host: hostname(), ...(started === undefined ? {} : {started})};
};

/** Whether a process still runs, suspended or not; undefined if that cannot be known, as for one on another machine. */
export const isRunning = ({pid, host, started}: ProcessName): boolean | undefined => {
  if (host !== hostname()) return undefined;
  if (!isAlive(pid)) return false;
  // The system reuses process numbers, so without the time of its start the process may be another one.
  if (started === undefined) return undefined;
  return startOf(pid) === started;
};

/** Whether a process of this machine has that number. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process refuses the signal, but runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * Returns when a process started, as Linux counts it (proc(5)): a field after the name, which may contain any
 * characters.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
};

/** The variables that a program gets: paths, locale and proxies. Any other variable may be a secret. */
const whereThingsAre =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|PATHEXT|TMPDIR|TEMP|TMP|LANG|LC_.*|XDG_.*|HTTPS?_PROXY|NO_PROXY)$/i;

/**
 * The variables that a program gets if it runs as in the person's shell. A cluster tool signs in with plugins whose
 * variables cannot be listed (`AWS_…`, `AZURE_…`, a company's own), so this list excludes: this program's own
 * variables, and those that make Node, Bun, Deno, git or a shell load code or settings from a place that a project may
 * have named.
 */
const theirs =
  /^(?!SETUP_|CLI_CLIENT_|NODE_OPTIONS$|NODE_PATH$|NODE_REPL_|BUN_|DENO_|GIT_|BASH_ENV$|ENV$|PWD$|OLDPWD$|INIT_CWD$)/i;

/**
 * The variables in which npm and similar tools pass on their configuration, including a project's own. People write
 * such variables in capitals.
 */
const fromPackageManager = /^npm_/;

/** Variables that npm, pnpm, Yarn and Bun set for everything that they run. */
const packageManagerMarks = ['npm_execpath', 'npm_config_user_agent', 'npm_lifecycle_event', 'npm_command'];

/** The variables that the strictest assistant passes on to the programs that it starts. */
const least = /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TMPDIR|TEMP|TMP|LANG|LC_.*)$/i;

/**
 * The PATH of programs that are started from a desktop: without the shell's settings, and so without version managers
 * and the person's own programs. On Windows a desktop and a terminal have the same PATH.
 */
const desktopPaths: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/usr/bin:/bin:/usr/sbin:/sbin',
  linux: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

const MAX_OUTPUT = 1024 * 1024;

/**
 * How long a program may take to end after SIGTERM, in milliseconds: if it is this program itself, it may be renewing a
 * token.
 */
const END_TIME = 20_000;

type Variables = Readonly<Record<string, string | undefined>>;

type StartOptions = Omit<SpawnOptions, 'cwd' | 'env'> & {
  /** Where the program starts, absolute. The working directory of this process may be an untrusted repository. */
  readonly cwd: string;
  readonly env: Variables;
};

/**
 * Starts a program. All programs that this one starts are started here, except PowerShell, which the package `open`
 * starts.
 *
 * `spawn` reads its options and the environment including inherited members, so both are passed without a prototype.
 */
export const start = async (command: string, args: readonly string[], options: StartOptions): Promise<ChildProcess> => {
  const {spawn} = await import('node:child_process');
  const env = Object.assign(Object.create(null), options.env);
  return spawn(command, args, Object.assign(Object.create(null), {windowsHide: true}, options, {env}));
};

/** Returns the person's environment for programs such as kubectl, without the variables that are excluded above. */
export const shellVariables = (env: Env): Variables => {
  const isFromPackageManager = packageManagerMarks.some(name => env[name] !== undefined);
  const allowed = only(env, theirs);
  const entries = Object.entries(allowed).filter(([name]) => !(isFromPackageManager && fromPackageManager.test(name)));
  // kubectl and helm start in the home directory, but this list may name files relative to the working directory.
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'KUBECONFIG' ? value?.split(delimiter).map(toAbsolute).join(delimiter) : value,
    ]),
  );
};

const toAbsolute = (path: string): string => (path === '' ? '' : resolve(path));

/** Returns the variables whose names match, with a PATH that includes nothing of the working directory. */
const only = (env: Env, pattern: RegExp): Variables => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => pattern.test(name) && !/^PATH$/i.test(name))),
  PATH: personsPath(pathIn(env)),
  // Windows searches the working directory first, unless this is set.
  ...(process.platform === 'win32' ? {NoDefaultCurrentDirectoryInExePath: '1'} : {}),
});

/**
 * Runs programs of the person. `findProgram` finds them, and they are started by that absolute path, with a PATH that
 * finds other programs by the same rules, in the home directory: some programs read settings from the working
 * directory.
 */
export const createProcesses = (env: Env): Processes => {
  const atHome = () => ({cwd: homeIn(env)});
  const asAssistant = () => {
    const variables = only(env, least);
    return {env: {...variables, PATH: desktopPaths[process.platform] ?? variables.PATH}, ...atHome()};
  };

  const runTo = async (
    command: string,
    args: readonly string[],
    options: StartOptions,
    {timeout, signal, input}: {timeout: number; signal: AbortSignal; input?: string},
  ): Promise<ProcessResult> => {
    const deadline = AbortSignal.timeout(timeout);
    const child = await start(command, args, {
      ...options,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // A program need not read all of its input. Its exit code tells whether it failed.
    child.stdin?.on('error', () => {}).end(input);
    const output = collect(child);
    return new Promise<ProcessResult>((resolve, reject) => {
      const letGo = () => {
        // A grandchild may hold the pipes open after the kill, so they are closed.
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      const stop = () => {
        end(child, 'SIGTERM');
        setTimeout(() => end(child, 'SIGKILL'), END_TIME).unref();
        letGo();
        if (signal.aborted) reject(signal.reason);
        else resolve({outcome: 'timed-out'});
      };
      const stopped = AbortSignal.any([signal, deadline]);
      child.once('close', onAbort(stopped, stop));
      child.once('error', (error: NodeJS.ErrnoException) => {
        letGo();
        if (error.code === 'ENOENT' || error.code === 'EACCES') resolve({outcome: 'missing'});
        else resolve({outcome: 'exited', code: 1, stdout: '', stderr: limitIn(error) ?? error.message});
      });
      child.once('close', code => resolve({outcome: 'exited', code: code ?? 1, ...output}));
    });
  };

  return {
    find: createProgramFinder(env),
    hasKubeContext: () => hasKubeContext(env, homeIn(env)),
    run: async (command, args, options) => {
      const {environment, variables = {}, signal} = options;
      const found = await findProgram(command, env);
      signal.throwIfAborted();
      if (found === undefined) return {outcome: 'missing'};
      if (environment === 'assistant') return runTo(found, args, asAssistant(), options);
      if (environment === 'shell') return runTo(found, args, {env: shellVariables(env), ...atHome()}, options);
      return runTo(found, args, {env: {...only(env, whereThingsAre), ...variables}, ...atHome()}, options);
    },
    runLine: (line, options) => runTo(line, [], {...asAssistant(), shell: shellIn(env)}, options),
    open: async (command, args, {env: more, signal}) => {
      const found = await findProgram(command, env);
      if (found === undefined) throw new Error(`no executable named ${command} was found`);
      const base = asAssistant();
      const options = {...base, env: {...base.env, ...more}};
      const child = await start(found, args, {...options, stdio: ['pipe', 'pipe', 'pipe']});
      return converse(child, signal);
    },
    self: ownProcess,
    isRunning,
    hold: holdProcess,
  };
};

/** Returns the person's home, or the root if there is none. No program finds files of a project in either of them. */
export const homeIn = (env: Env): string => {
  const home = homeOf(env);
  return home !== undefined && isAbsolute(home) && existsSync(home) ? home : '/';
};

/** Returns the path of the system's shell. A name without a path would be searched for. */
const shellIn = (env: Env): string =>
  process.platform === 'win32'
    ? join(env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'cmd.exe')
    : '/bin/sh';

/**
 * Starts this program as an independent process: without a terminal or a pipe of this one, so that nothing waits for
 * it. Its only results are the files that it writes.
 *
 * @param program path of the launcher
 * @param words no relative paths: the process starts in the home directory
 */
export const startProgram = async (program: string, words: readonly string[], env: Env): Promise<void> => {
  const options = {detached: true, stdio: 'ignore', cwd: homeIn(env), env} as const;
  const child = await start(runtimePath(), [...wordsToStart(program), ...words], options);
  child.on('error', () => {}).unref();
};

/** Runs a program of the system to its end, with an empty environment. Returns true if it succeeded. */
export const endsWell = async (command: string, args: readonly string[]): Promise<boolean> => {
  const child = await start(command, args, {stdio: 'ignore', cwd: '/', env: {}});
  return new Promise(resolve => {
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0));
  });
};

const collect = (child: ChildProcess) => {
  const output = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8');
    child[name]?.on('data', (chunk: string) => {
      if (output[name].length < MAX_OUTPUT) output[name] += chunk;
    });
  }
  return output;
};

/**
 * Ends a program, if it was started. One that is not installed has no process number, and a signal without one could
 * reach another program.
 */
const end = (child: ChildProcess, how: 'SIGTERM' | 'SIGKILL') => {
  if (child.pid !== undefined) child.kill(how);
};

/** Returns the error itself, or a clearer one for a limit of the system. */
const orLimit = (error: unknown): unknown => (limitIn(error) === undefined ? error : toSetupError(error));

/** @throws the error that prevented the start: the pipes are then missing */
const converse = async (child: ChildProcess, signal: AbortSignal): Promise<Conversation> => {
  const {stdin, stdout, stderr} = child;
  if (!stdin || !stdout || !stderr) {
    const [error] = await once(child, 'error');
    throw orLimit(error);
  }
  const lines = createMessageQueue<string>();
  let complaint = '';
  // A program need not read all of its input. Its exit code tells whether it failed.
  stdin.on('error', () => {});
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (complaint.length < MAX_OUTPUT) complaint += chunk;
  });
  createInterface({input: stdout}).on('line', lines.push);
  const stop = () => {
    end(child, 'SIGTERM');
    lines.end(signal.reason);
  };
  child.once('close', onAbort(signal, stop));
  child.once('error', error => lines.end(orLimit(error)));
  child.once('close', code => lines.end(new Error(complaint.trim() || `It exited with code ${code}.`)));
  return {
    send: line => void stdin.write(`${line}\n`),
    next: lines.next,
    close: () => {
      stdin.end();
      end(child, 'SIGTERM');
    },
  };
};

/** Whether the engine has Maglev, a compiler between the baseline one and TurboFan: Node 24 and newer. */
const hasMaglev = Number.parseInt(process.versions.v8, 10) >= 13;

/**
 * Makes the engine keep a small heap, for a program that runs all day beside others like it: after thousands of calls
 * it needs some 60 MiB less. New objects get a small space, and the heap is collected once it has grown by 30%.
 * TurboFan is not used where Maglev's code is fast enough: its compilations take more time and memory than they save
 * here. Not called at the start, because compiled code that was cached under other settings would be rejected then.
 */
export const keepMemorySmall = (): void =>
  setFlagsFromString(
    ['--semi-space-growth-factor=1', '--heap-growing-percent=30', ...(hasMaglev ? ['--no-turbofan'] : [])].join(' '),
  );

/**
 * Whether this process controls its terminal: the system stops a background process that reads from it (POSIX, terminal
 * access control). True if the system does not tell. Never throws.
 */
export const isForeground = async ({run}: Pick<Processes, 'run'>): Promise<boolean> => {
  if (process.platform === 'win32') return true;
  const {signal} = new AbortController();
  const args = ['-o', 'tpgid=', '-o', 'pgid=', '-p', String(process.pid)];
  const asked = await run('ps', args, {timeout: 1_000, signal}).catch(() => undefined);
  if (asked?.outcome !== 'exited') return true;
  const [terminals, own] = asked.stdout.trim().split(/\s+/).map(Number);
  return terminals === undefined || !(terminals > 0) || terminals === own;
};
