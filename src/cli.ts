import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {calledBy, type Invocation, type Terminal} from './command-line/command.ts';
import {commands} from './command-line/commands.ts';
import {checkFlags, findCommand, helpedBy} from './command-line/find-command.ts';
import {widthOf} from './command-line/output/format-table.ts';
import {createOutput, forcedColor, fullyWritten, printsAscii} from './command-line/output/output.ts';
import {parseFlags} from './command-line/parse-flags.ts';
import {holdKeys} from './command-line/wizard/early-keys.ts';
import {adviceIn, cancelled, SetupError, toSetupError} from './errors/errors.ts';
import {BUG, CANCELLED, type ExitCode, LOCAL, usualExitCode} from './errors/exit-codes.ts';
import {blockIn, commandLineOf, type SuggestedCommand, sayAdvice} from './errors/remedy.ts';
import {hasBegunChanges, unfinishedWork} from './ports/exit-guard.ts';
import {writeReasons} from './ports/files/file-errors.ts';
import type {Env} from './ports/ports.ts';
import {shellOf} from './ports/processes/shell.ts';
import type {Recorder} from './ports/recorder.ts';
import {passwordsIn, withoutPassword} from './ports/redact.ts';
import {systemClock} from './ports/system-clock.ts';
import {pathIn, personsPath} from './search-path.ts';
import {SETUP} from './setup-command.ts';
import {version} from './version.ts';

const secretVariables = ['CLI_CLIENT_SECRET', 'SETUP_ADMIN_PASSWORD'] as const;

/**
 * Runs the program: the command line selects a command, its end becomes the exit code. Only this module uses the
 * standard streams of `process` and sets the exit code.
 *
 * @param program path of the launcher
 * @param painted whether the launcher wrote the wizard's title on the line of the cursor
 */
export const main = async (program: string, painted: boolean): Promise<void> => {
  const argv = process.argv.slice(2);
  const environment: Env = {...process.env};
  // Programs that this one starts (a browser, an opener, git) do not need its secrets.
  for (const name of secretVariables) delete process.env[name];
  // Never run programs from the working directory: it may be an untrusted repository.
  process.env.PATH = personsPath(pathIn(environment));
  // Libraries look up the home directory while they load, and fail if a user has neither HOME nor an account.
  if (!hasHome()) process.env.HOME = '/';
  // The variable has no effect here, but Node would warn of it at the first connection, in the middle of a screen.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Decided before anything is parsed, because an error would already be written through these outputs.
  const isAscii = printsAscii({plain: argv.includes('--plain')}, environment);
  const terminal: Terminal = {
    stdin: process.stdin,
    stdout: createOutput(
      fullyWritten(process.stdout, 1, error => stopOnBroken(error)),
      isAscii,
      () => widthOf({raw: process.stdout}),
    ),
    // If standard error is broken, there is no other place for an error.
    stderr: createOutput(
      fullyWritten(process.stderr, 2, () => {}),
      isAscii,
      () => widthOf({raw: process.stderr}),
    ),
    raw: process.stdout,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  };
  /** The exit code of a run whose output cannot be written. */
  let broken: number | undefined;
  /** Settles once that failure has been reported. */
  let telling: Promise<unknown> = Promise.resolve();
  const stopOnBroken = (error: NodeJS.ErrnoException) => {
    // A command that has to finish something first handles the error in a listener of its own. For the bridge, for
    // example, the error means that its client has gone.
    if (process.stdout.listenerCount('error') > 1) return;
    const code = error.code === 'EPIPE' ? SIGPIPE : LOCAL;
    broken = code;
    if (code === LOCAL) telling = fail(brokenOutput(error), {json: false, isTerse: false}, terminal);
    // Files must not be left half changed.
    if (!hasBegunChanges()) void telling.then(() => exitAfterWork(code));
  };
  const controller = new AbortController();
  // Windows sends SIGBREAK for Ctrl-Break, and SIGHUP when the console is closed.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
    process.on(name, () => {
      // A second signal ends the program at once.
      if (controller.signal.aborted) void exitAfterWork(CANCELLED);
      controller.abort(cancelled());
    });
  }

  if (painted) holdKeys(process.stdin, () => process.emit('SIGINT', 'SIGINT'));

  // A run that stops before its end is a bug of this program, and must not look like a success.
  process.exitCode = BUG;
  process.exitCode = await runLine({argv, env: environment, terminal, program, signal: controller.signal, painted});
  // Output that nobody could read is a failure.
  if (process.exitCode === 0 && broken !== undefined) process.exitCode = broken;
  await telling;
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // Kept-alive connections would hold the process for seconds.
  await exitAfterWork();
};

type Line = Omit<Invocation, 'flags' | 'typed' | 'args' | 'commands' | 'recorder' | 'drawsOverTitle'> & {
  /** The words that were typed after the program's name. */
  readonly argv: readonly string[];
  /** Whether the launcher wrote the wizard's title on the line of the cursor. */
  readonly painted?: boolean;
};

/** Runs one command line, and reports errors on its terminal. Returns the exit code. */
export const runLine = async ({
  argv,
  env: environment,
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
  let typedFlags: Pick<Invocation, 'flags' | 'typed'> | undefined;
  try {
    const {values: flags, positionals: before, afterDashes, typed} = await parseFlags(argv, environment, commands);
    const takesLine = calledBy(before, commands)?.takesLine ?? false;
    const positionals = takesLine ? before : [...before, ...afterDashes];
    typedFlags = {flags, typed};
    json = flags.json ?? false;
    const helped = helpedBy(positionals, commands, flags.help);
    if (flags.version) {
      if (json) terminal.stdout.writeJson({version});
      else terminal.stdout.write(`${version}\n`);
    } else if (helped) {
      const {helpOn} = await import('./command-line/help.ts');
      terminal.stdout.write(await helpOn(helped, commands, terminal, shellOf(environment, process.platform)));
    } else {
      const {command, args} = await findCommand(positionals, commands);
      isTerse ||= command.isForPrograms ?? false;
      checkFlags(command, typed);
      // The flag is for programs that do not get this program's variables. Entries and other processes start in other
      // directories, so the path becomes absolute here.
      const home = flags['setup-home'] || environment.SETUP_HOME;
      const env = home ? {...environment, SETUP_HOME: resolve(home)} : environment;
      // The colour library that Ink uses reads only this variable, and only when it is loaded.
      const color = forcedColor(flags, env);
      if (color !== undefined) process.env.FORCE_COLOR = color;
      if (flags.debug) recorder = await startRecord(argv, env);
      const watched = recorder ? {recorder} : {};
      const line = takesLine && argv.includes('--') ? {line: afterDashes} : {};
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
        ...line,
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
    // The error replaces the launcher's title, unless a wizard has drawn over it.
    if (isTitleThere) terminal.raw.write('\r\u001B[K');
    recorder?.record('failed', {error});
    isTerse ||= isForPrograms(argv);
    exitCode = await fail(
      toSetupError(error),
      {json, isTerse, ...(typedFlags ? await manners(typedFlags) : {})},
      terminal,
    );
  }
  if (recorder) terminal.stderr.tell(`A record of this run is in ${recorder.path}. It contains no secrets.\n`);
  return exitCode;
};

/** Whether programs run the command of a line. A line that cannot be parsed is judged by its words alone. */
const isForPrograms = (argv: readonly string[]): boolean => {
  const words = argv.filter(word => !word.startsWith('-'));
  return calledBy(words, commands)?.isForPrograms === true;
};

/** Ends the process once no work is left that must not be lost, such as a renewal whose answer has not been saved. */
const exitAfterWork = async (code?: number): Promise<void> => {
  await unfinishedWork();
  if (code !== undefined) process.exitCode = code;
  process.exit();
};

/**
 * Starts a record of this run, in a file of its own in the program's state directory. Values of flags may be secrets,
 * so the redactor learns them.
 */
const startRecord = async (argv: readonly string[], env: Env): Promise<Recorder> => {
  const [{createRecorder}, {findOwnPaths}] = await Promise.all([
    import('./ports/recorder.ts'),
    import('./store/own-paths.ts'),
  ]);
  const at = new Date(systemClock.now());
  const name = `${at.toISOString().replaceAll(':', '-')}-${process.pid}.jsonl`;
  const recorder = createRecorder(join(findOwnPaths(env).records, name));
  for (const secret of secretVariables) recorder.redactor.learn(env[secret]);
  const secretAt = argv.indexOf('--client-secret');
  recorder.redactor.learn(secretAt === -1 ? undefined : argv[secretAt + 1]);
  const proxies = Object.entries(env).flatMap(([name, value]) => (/_proxy$/i.test(name) && value ? [value] : []));
  for (const address of [...argv.map(word => word.replace(/^--proxy=/, '')), ...proxies])
    for (const password of passwordsIn(address)) recorder.redactor.learn(password);
  const words = argv.map((word, index) => {
    // The redactor ignores short passwords, so this one is removed by its position.
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

/**
 * Returns the sign-in command for the platform that flags have named, for remedies. If the code for it cannot be
 * loaded, for example because no more files can be opened, the error is reported without that command.
 */
const manners = async (invocation: Pick<Invocation, 'flags' | 'typed'>): Promise<Pick<Manner, 'signInCommand'>> => {
  try {
    const {signInCommandFor} = await import('./command-line/saved-context.ts');
    return signInCommandFor(invocation);
  } catch {
    return {};
  }
};

/** Describes an error: from itself alone if too many files are open, so that the table of errors cannot be loaded. */
const describe = async (error: SetupError, signIn: SuggestedCommand | undefined) => {
  try {
    const {describeError} = await import('./errors/describe-error.ts');
    return describeError(error, {signIn});
  } catch {
    const advice = adviceIn(error.remedy ?? '', () => '');
    const remedy = sayAdvice(advice, {command: commandLineOf});
    return {remedy, block: blockIn(advice), exitCode: usualExitCode(error.code)};
  }
};

const flushed = (stream: NodeJS.WriteStream) => new Promise<void>(resolve => stream.write('', () => resolve()));

type Manner = {
  readonly json: boolean;
  /** True if only the error and its remedy are told. */
  readonly isTerse: boolean;
  /** The command that signs in to the deployment in question, if that is not the usual one. */
  readonly signInCommand?: SuggestedCommand;
};

/** Reports an error where a person or a script looks for it. The stack is shown for bugs only. Returns an exit code. */
const fail = async (
  error: SetupError,
  {json, isTerse, signInCommand}: Manner,
  {stdout, stderr}: Terminal,
): Promise<number> => {
  const {code, message} = error;
  const {remedy, block, exitCode} = await describe(error, signInCommand);
  const whole = block === undefined ? remedy : `${remedy}\n\n${block}`;
  if (json) stdout.writeJson({type: 'failed', code, message, remedy: whole});
  else if (code !== 'cancelled') {
    stderr.tell(`${message} ${remedy}`);
    // The block is for copying, so it is written as it is, below an empty line.
    stderr.write(block === undefined ? '\n' : `\n\n${block}\n`);
    if (!isTerse) stderr.tell(`More: ${SETUP} explain ${code}\n`);
  }
  if (code === 'bug' && error.cause instanceof Error) stderr.write(`${error.cause.stack}\n`);
  return exitCode;
};

const hasHome = (): boolean => {
  try {
    return homedir() !== '';
  } catch {
    return false;
  }
};

/** A shell's exit code for a program that SIGPIPE ended: 128 plus the number of the signal. */
const SIGPIPE: ExitCode = 141;

const brokenOutput = (error: NodeJS.ErrnoException): SetupError =>
  new SetupError(
    'local-write-failed',
    `Standard output could not be written: ${writeReasons[error.code ?? ''] ?? error.code ?? error.message}.`,
    {cause: error, remedy: 'Free some space, or redirect the output elsewhere.'},
  );
