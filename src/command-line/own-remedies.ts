import {existsSync} from 'node:fs';
import {commandLine} from '../assistants/formats/command-line.ts';
import type {Context} from '../domain/context.ts';
import {type OwnCommand, ownFlags} from '../domain/own-command.ts';
import {type ErrorCode, SetupError} from '../errors/errors.ts';
import {runtimePath, wordsToStart} from '../ports/processes/runtime.ts';
import {SETUP} from '../setup-command.ts';
import type {Invocation} from './command.ts';
import {ownCommand} from './own-command.ts';

type Started = Pick<Invocation, 'env' | 'program' | 'flags'>;

/** The context that a failure is about, with its way to sign in if that is known. */
export type Subject = Partial<Pick<Context, 'name' | 'signIn'>>;

/** The commands that make no calls, and therefore take no network flags. */
export const withoutCalls: readonly string[] = [
  ...['demo', 'sandbox', 'status', 'undo', 'mcp list', 'mcp disconnect'],
  ...['context list', 'context use', 'context remove', 'help', 'version', 'explain', 'completion'],
];

/** Returns the words of the command that these words begin with; none for the wizard. */
export const commandIn = (words: readonly string[]): readonly string[] => {
  const [first = '', second] = words;
  if (['mcp', 'context', 'component', 'provider', 'platform', 'org'].includes(first) && second !== undefined)
    return [first, second];
  return singles.includes(first) ? [first] : [];
};

const singles = [
  'demo',
  'sandbox',
  'login',
  'logout',
  'status',
  'token',
  'doctor',
  'undo',
  'uninstall',
  'upgrade',
  'values',
  'help',
  'version',
  'explain',
  'completion',
];

/**
 * A command of this program in a sentence, with its flags but without the punctuation after it. The first alternative
 * matches a command in backticks, which works as it is.
 */
const inSentence = new RegExp(
  String.raw`\`[^\`]*\`|${SETUP.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}((?: [a-z]+)*)((?: --[a-z-]+(?: (?:"[^"]*"|(?!-)\S*[^\s.,;:)]))?)*)`,
  'g',
);

/**
 * Returns a line for a shell that runs a command of this program in any directory, on the same files and the same
 * context as this run, by the absolute paths of Node and of the program.
 *
 * @param words of the command only
 * @param given further flags, as they are written
 */
export const ownLine = (invocation: Started, {name}: Subject, words: readonly string[], given = ''): string => {
  const own = startable(invocation);
  const {allowHttp, ...rest} = own;
  const kept = withoutCalls.includes(words.join(' ')) || allowHttp === undefined ? rest : own;
  const about = name === undefined || / --context\b/.test(given) ? [] : ['--context', name];
  const line = (parts: readonly string[]) => commandLine(parts, process.platform === 'win32' ? 'win32' : 'linux');
  const after = line([...about, ...ownFlags(kept)]);
  return `${line([own.command, ...own.args, ...words])}${given}${after === '' ? '' : ` ${after}`}`;
};

/** Returns how this program can be started where it is now. A copy that has not been made yet cannot be started. */
export const startable = (invocation: Started): OwnCommand => {
  const own = ownCommand(invocation);
  const isThere = own.copy === undefined || existsSync(own.args.at(-1) ?? '');
  return isThere ? own : {...own, command: runtimePath(), args: wordsToStart(invocation.program)};
};

/**
 * Returns the failure with a remedy whose commands work as they stand. The person reads it in an assistant, and the
 * usual name of this program may not work in their shell.
 */
export const explainFor = (invocation: Started, subject: Subject, failure: SetupError): SetupError => {
  const remedy = remedyFor(subject, failure, invocation.flags).replaceAll(
    inSentence,
    (found, said: string | undefined, given: string) => {
      if (said === undefined) return found;
      const spoken = said.trim().split(' ').filter(Boolean);
      const words = commandIn(spoken);
      const rest = spoken.slice(words.length);
      // Flags after a word that is not the command's belong to the sentence.
      if (rest.length > 0) return `\`${ownLine(invocation, subject, words)}\` ${rest.join(' ')}${given}`;
      return `\`${ownLine(invocation, subject, words, given)}\``;
    },
  );
  return new SetupError(failure.code, failure.message, {cause: failure, remedy, about: failure.about});
};

/** The errors of a client whose saved secret is no longer valid. */
const bySecret: readonly ErrorCode[] = [
  'auth-sign-in-required',
  'auth-client-refused',
  'auth-method-refused',
  'auth-grant-refused',
];

const remedyFor = ({name, signIn}: Subject, failure: SetupError, flags: Started['flags']): string => {
  const {code, about} = failure;
  if (code === 'input-invalid' && about.flag === 'context') {
    const domain = flags['base-domain'];
    return domain === undefined ? `Set it up: ${SETUP}.` : `Set it up: ${SETUP} --base-domain ${domain}.`;
  }
  // After a sign-out there is nothing wrong with the secret.
  const isSignedOut = code === 'auth-sign-in-required' && about.reason === undefined;
  if (isSignedOut && signIn !== undefined && signIn !== 'browser') return `Sign in again: ${SETUP} login.`;
  if (signIn !== undefined && signIn !== 'browser' && bySecret.includes(code)) {
    return `Renew its client’s secret: ${SETUP} login.`;
  }
  return failure.remedyBy(name === undefined ? undefined : `${SETUP} login`);
};
