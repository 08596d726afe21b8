import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import type {Invocation, Terminal} from './command-line/command.ts';
import {commands} from './command-line/commands.ts';
import {checkFlags, findCommand, helpedBy} from './command-line/find-command.ts';
import {widthOf} from './command-line/output/format-table.ts';
import {createOutput} from './command-line/output/output.ts';
import {forcedColor, printsAscii} from './command-line/output/terminal-abilities.ts';
import {wholeStream} from './command-line/output/whole-stream.ts';
import {parseFlags} from './command-line/parse-flags.ts';
import {holdKeys} from './command-line/wizard/early-keys.ts';
import {cancelled, SetupError, toSetupError} from './errors/errors.ts';
import {writeReasons} from './ports/files/file-errors.ts';
import {hasBegunChanges} from './ports/files/writing/changes.ts';
import type {Env} from './ports/ports.ts';
import {shellOf} from './ports/processes/shell.ts';
import {unfinishedWork} from './ports/processes/unfinished.ts';
import type {Recorder} from './ports/recorder.ts';
import {passwordsIn, withoutPassword} from './ports/redact.ts';
import {systemClock} from './ports/system-clock.ts';
import {pathIn, personsPath} from './search-path.ts';
import {SETUP} from './setup-command.ts';
import {version} from './version.ts';

const secretVariables = ['CLI_CLIENT_SECRET', 'SETUP_ADMIN_PASSWORD'] as const;

/**
 * Runs the program: the command line to a command, its end to an exit code. The only place that knows `process`.
 *
 * @param program path of the launcher
 * @param painted whether the launcher wrote the wizard's title on the line that the cursor is on
 */
export const main = async (program: string, painted: boolean): Promise<void> => {
  const argv = process.argv.slice(2);
  const given: Env = {...process.env};
  // Programs that this one starts (a browser, an opener, git) have no use for its secrets.
  for (const name of secretVariables) delete process.env[name];
  // Nor with programs of the working directory, which may be somebody else's repository.
  process.env.PATH = personsPath(pathIn(given));
  // Libraries look for a home as they are loaded, and fail where a user has neither HOME nor an account.
  if (!hasHome()) process.env.HOME = '/';
  // It changes nothing here, and at the first connection Node would warn of it in the middle of a screen.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Before anything is read that could be refused in words.
  const isAscii = printsAscii({plain: argv.includes('--plain')}, given);
  const terminal: Terminal = {
    stdin: process.stdin,
    stdout: createOutput(
      wholeStream(process.stdout, 1, error => stopOnBroken(error)),
      isAscii,
      () => widthOf({raw: process.stdout}),
    ),
    // What cannot be said there can be said nowhere.
    stderr: createOutput(
      wholeStream(process.stderr, 2, () => {}),
      isAscii,
      () => widthOf({raw: process.stderr}),
    ),
    raw: process.stdout,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  };
  /** The exit code of a run whose output nobody has. */
  let broken: number | undefined;
  const stopOnBroken = (error: NodeJS.ErrnoException) => {
    // Who has something to end first listens itself, and knows what it means: for a bridge that it has done its work.
    if (process.stdout.listenerCount('error') > 1) return;
    broken = error.code === 'EPIPE' ? SIGPIPE : fail(brokenOutput(error), {json: false, isTerse: false}, terminal);
    // Files are not left half changed.
    if (!hasBegunChanges()) void exitAfterWork(broken);
  };
  const controller = new AbortController();
  // Windows sends SIGBREAK for Ctrl-Break, and SIGHUP when the console is closed.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
    process.on(name, () => {
      // Who asks twice does not want to wait for an orderly end.
      if (controller.signal.aborted) void exitAfterWork(cancelled().exitCode);
      controller.abort(cancelled());
    });
  }

  if (painted) holdKeys(process.stdin, () => process.emit('SIGINT', 'SIGINT'));

  // A run that ends without coming to its end is a fault of ours, and must not look like a success.
  process.exitCode = 70;
  process.exitCode = await runLine({argv, env: given, terminal, program, signal: controller.signal, painted});
  // It is no success where nobody could read how it went.
  if (process.exitCode === 0 && broken !== undefined) process.exitCode = broken;
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // Connections that are kept alive for a next call would hold the process for seconds.
  await exitAfterWork();
};

type Line = Omit<Invocation, 'flags' | 'typed' | 'args' | 'commands' | 'recorder' | 'drawsOverTitle'> & {
  /** What was typed behind the program's name. */
  readonly argv: readonly string[];
  /** Whether the launcher wrote the wizard's title on the line that the cursor is on. */
  readonly painted?: boolean;
};

/** Runs what one command line asks for, and says on its terminal what goes wrong. Returns the exit code. */
export const runLine = async ({
  argv,
  env: given,
  terminal,
  program,
  signal,
  painted = false,
}: Line): Promise<number> => {
  let isTitleThere = painted;
  let json = argv.includes('--json');
  let exitCode = 0;
  let isTerse = argv.includes('--quiet');
  let recorder: Recorder | undefined;
  let said: Pick<Invocation, 'flags' | 'typed'> | undefined;
  try {
    const {values: flags, positionals, typed} = await parseFlags(argv, given, commands);
    said = {flags, typed};
    json = flags.json ?? false;
    const helped = helpedBy(positionals, commands, flags.help);
    if (flags.version) {
      if (json) terminal.stdout.writeJson({version});
      else terminal.stdout.write(`${version}\n`);
    } else if (helped) {
      const {helpOn} = await import('./command-line/help.ts');
      terminal.stdout.write(await helpOn(helped, commands, terminal, shellOf(given, process.platform)));
    } else {
      const {command, args} = await findCommand(positionals, commands);
      isTerse ||= command.isForPrograms ?? false;
      checkFlags(command, typed);
      // A flag says the same as the variable, to a program whose variables are taken away on the way. Entries and other
      // processes are started in other directories, so it is absolute from here on.
      const home = flags['setup-home'] || given.SETUP_HOME;
      const env = home ? {...given, SETUP_HOME: resolve(home)} : given;
      // The colour library under Ink decides when it is loaded, and knows only this variable.
      const color = forcedColor(flags, env);
      if (color !== undefined) process.env.FORCE_COLOR = color;
      if (flags.debug) recorder = await startRecord(argv, env);
      const watched = recorder ? {recorder} : {};
      const run = await command.load();
      const invocation = {
        words: command.words,
        flags,
        typed,
        args,
        commands,
        env,
        terminal,
        program,
        signal,
        drawsOverTitle: () => {
          isTitleThere = false;
        },
        ...watched,
      };
      try {
        const ended = await run(invocation);
        if (typeof ended === 'number') exitCode = ended;
      } finally {
        if (command.tidiesUp && !signal.aborted) {
          const {tidyUp} = await import('./command-line/tidy-up.ts');
          await tidyUp(invocation, command.words[0] === 'undo' || flags.fix === true).catch(() => undefined);
        }
      }
    }
  } catch (error) {
    // Whatever went wrong is said where the title stood, unless a wizard has drawn over it.
    if (isTitleThere) terminal.raw.write('\r\u001B[K');
    recorder?.record('failed', {error});
    exitCode = fail(toSetupError(error), {json, isTerse, ...(said ? await manners(said) : {})}, terminal);
  }
  if (recorder) terminal.stderr.tell(`A record of this run is in ${recorder.path}. It contains no secrets.\n`);
  return exitCode;
};

/** Ends the process, once nothing is under way any more that would be lost: a renewal whose answer may be the last. */
const exitAfterWork = async (code?: number): Promise<void> => {
  await unfinishedWork();
  if (code !== undefined) process.exitCode = code;
  process.exit();
};

/** A file of its own for each run, in the directory of the program's state. Values of flags may be secrets, so they are learnt. */
const startRecord = async (argv: readonly string[], env: Env): Promise<Recorder> => {
  const [{createRecorder}, {findOwnPaths}] = await Promise.all([
    import('./ports/recorder.ts'),
    import('./state/stores/own-paths.ts'),
  ]);
  const at = new Date(systemClock.now());
  const name = `${at.toISOString().replaceAll(':', '-')}-${process.pid}.jsonl`;
  const recorder = createRecorder(join(findOwnPaths(env).records, name));
  for (const secret of secretVariables) recorder.redactor.learn(env[secret]);
  const given = argv.indexOf('--client-secret');
  recorder.redactor.learn(given === -1 ? undefined : argv[given + 1]);
  const proxies = Object.entries(env).flatMap(([name, value]) => (/_proxy$/i.test(name) && value ? [value] : []));
  for (const address of [...argv.map(word => word.replace(/^--proxy=/, '')), ...proxies])
    for (const password of passwordsIn(address)) recorder.redactor.learn(password);
  const words = argv.map((word, index) => {
    // Short ones are not looked for, so what stands here is taken out by its place.
    if (argv[index - 1] === '--proxy') return withoutPassword(word);
    const [, proxy] = /^--proxy=(.*)$/s.exec(word) ?? [];
    return proxy === undefined
      ? word.replace(/^(--client-secret)=.*/s, '$1=<secret>')
      : `--proxy=${withoutPassword(proxy)}`;
  });
  const {platform, arch, versions} = process;
  recorder.record('started', {at, version, node: versions.node, platform, arch, words});
  return recorder;
};

/** Remedies are about the platform that flags have named. Where no more files can be opened, what failed is said without. */
const manners = async (said: Pick<Invocation, 'flags' | 'typed'>): Promise<Pick<Manner, 'signInCommand'>> => {
  try {
    const {signInCommandFor} = await import('./command-line/context/saved-context.ts');
    return signInCommandFor(said);
  } catch {
    return {};
  }
};

const flushed = (stream: NodeJS.WriteStream) => new Promise<void>(resolve => stream.write('', () => resolve()));

type Manner = {
  readonly json: boolean;
  /** Whether nothing is said but what went wrong, and what to do. */
  readonly isTerse: boolean;
  /** The command that signs in to the deployment that is meant, where that is not the usual one. */
  readonly signInCommand?: string;
};

/** Says what went wrong where a person or a script looks for it. The stack is for our bugs only. Returns the exit code. */
const fail = (error: SetupError, {json, isTerse, signInCommand}: Manner, {stdout, stderr}: Terminal): number => {
  const {code, message} = error;
  const remedy = error.remedyBy(signInCommand);
  if (json) stdout.writeJson({type: 'failed', code, message, remedy});
  else if (code !== 'cancelled') {
    // What stands below an empty line is to be copied as it is.
    const [sentences = '', ...blocks] = `${message} ${remedy}\n`.split(/(?=\n\n)/);
    stderr.tell(sentences);
    stderr.write(blocks.join(''));
    if (!isTerse) stderr.tell(`More: ${SETUP} explain ${code}\n`);
  }
  if (code === 'bug' && error.cause instanceof Error) stderr.write(`${error.cause.stack}\n`);
  return error.exitCode;
};

const hasHome = (): boolean => {
  try {
    return homedir() !== '';
  } catch {
    return false;
  }
};

/** What a shell has of a program that ended because nobody read it any more: 128 and the number of SIGPIPE. */
const SIGPIPE = 141;

const brokenOutput = (error: NodeJS.ErrnoException): SetupError =>
  new SetupError(
    'local-write-failed',
    `Standard output could not be written: ${writeReasons[error.code ?? ''] ?? error.code ?? error.message}.`,
    {cause: error, remedy: 'Free some space, or redirect the output elsewhere.'},
  );
