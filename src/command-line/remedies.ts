import {existsSync} from 'node:fs';
import {commandLine} from '../assistants/formats/command-line.ts';
import type {Context} from '../domain/context.ts';
import {type OwnCommand, ownFlags} from '../domain/own-command.ts';
import {inWords} from '../errors/describe-error.ts';
import {type ErrorCode, type Remedy, SetupError, type WordedError} from '../errors/errors.ts';
import {type SuggestedCommand, setup} from '../errors/remedy.ts';
import {runtimePath, wordsToStart} from '../ports/processes/runtime.ts';
import {SETUP} from '../setup-command.ts';
import type {Invocation} from './command.ts';
import {accepts} from './find-command.ts';
import {ownCommand} from './find-own-command.ts';

type Started = Pick<Invocation, 'commands' | 'env' | 'program' | 'flags'>;

/** The context that a failure is about, with its way to sign in if that is known. */
export type FailureSubject = Partial<Pick<Context, 'name' | 'signIn' | 'actsAs'>>;

/**
 * Returns a line for a shell that runs a command of this program in any directory, on the same files and the same
 * context as this run, by the absolute paths of Node and of the program.
 *
 * @param typed how a person starts this program, to be used instead of these paths
 */
export const ownLine = (
  invocation: Started,
  {name, actsAs}: FailureSubject,
  {words, rest = ''}: SuggestedCommand,
  typed?: string,
): string => {
  const own = startable(invocation);
  const {allowHttp, ...usual} = own;
  const called = invocation.commands.find(one => one.words.join(' ') === words);
  const calls = called === undefined || called.flags.includes('allow-http');
  const isAbout =
    name !== undefined && (called === undefined || accepts(called, 'context')) && !/(?:^| )--context\b/.test(rest);
  const isTheirs = actsAs === 'assistants' && called !== undefined && accepts(called, 'as');
  const about = [...(isAbout ? ['--context', name] : []), ...(isTheirs ? ['--as', 'assistants'] : [])];
  const line = (parts: readonly string[]) => commandLine(parts, process.platform === 'win32' ? 'win32' : 'linux');
  const start = typed === undefined ? line([own.command, ...own.args]) : typed;
  const after = line([...about, ...ownFlags(calls && allowHttp !== undefined ? own : usual)]);
  return [start, words, rest, after].filter(Boolean).join(' ');
};

/** Returns how this program can be started where it is now. A copy that has not been made yet cannot be started. */
export const startable = (invocation: Pick<Started, 'env' | 'program' | 'flags'>): OwnCommand => {
  const own = ownCommand(invocation);
  const isThere = own.copy === undefined || existsSync(own.args.at(-1) ?? '');
  return isThere ? own : {...own, command: runtimePath(), args: wordsToStart(invocation.program)};
};

/**
 * Returns the failure with a remedy whose commands work as they stand. The person reads it in an assistant, and the
 * usual name of this program may not work in their shell. A check of this program shows it to the person who runs it.
 */
export const explainFor = (
  invocation: Started,
  subject: FailureSubject,
  failure: SetupError,
  isCheck = false,
): WordedError => {
  const {about, code, message} = failure;
  const {name, signIn} = subject;
  const remedy = remedyFor(subject, failure, invocation.flags);
  const client = signIn === undefined || signIn === 'browser' ? {} : ({isByClient: true} as const);
  return inWords(new SetupError(code, message, {cause: failure, remedy, about: {...about, ...client}}), {
    signIn: name === undefined ? undefined : setup('login'),
    command: suggested =>
      isCheck ? ownLine(invocation, subject, suggested, SETUP) : `\`${ownLine(invocation, subject, suggested)}\``,
  });
};

/** The errors of a client whose saved secret is no longer valid. */
const bySecret: readonly ErrorCode[] = [
  'auth-sign-in-required',
  'auth-client-refused',
  'auth-method-refused',
  'auth-grant-refused',
];

const remedyFor = ({signIn}: FailureSubject, failure: SetupError, flags: Started['flags']): Remedy | undefined => {
  const {code, about, remedy} = failure;
  if (code === 'input-invalid' && about.flag === 'context') {
    const domain = flags['base-domain'];
    return {do: 'Set it up', command: setup('', domain === undefined ? '' : `--base-domain ${domain}`)};
  }
  // After a sign-out there is nothing wrong with the secret.
  const isSignedOut = code === 'auth-sign-in-required' && about.reason === undefined;
  if (isSignedOut && signIn !== undefined && signIn !== 'browser')
    return {do: 'Sign in again', command: setup('login')};
  if (signIn !== undefined && signIn !== 'browser' && bySecret.includes(code)) {
    return {do: 'Renew its client’s secret', command: setup('login')};
  }
  return remedy;
};
