import {allAssistants} from '../assistants/catalogue/all.ts';
import {type AccountContent, describeContent} from '../domain/account-content.ts';
import type {Context} from '../domain/context.ts';
import {remedyText} from '../errors/describe-error.ts';
import {type ErrorCode, SetupError} from '../errors/errors.ts';
import {usualExitCode} from '../errors/exit-codes.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {verdictOnAccount, verdictOnCode} from '../errors/verdict.ts';
import type {SeenThroughEntry} from '../flows/assistants/ask-through-entry.ts';
import {quietRun, type Run} from '../flows/flow.ts';
import {askSavedConnection, type LiveState} from '../flows/platform-tools/saved-connection.ts';
import {SETUP} from '../setup-command.ts';
import {serverAt} from '../state/failure.ts';
import {tookLong} from '../state/view/names.ts';
import type {Invocation} from './command.ts';
import {currentContext} from './current-context.ts';
import {ownCommand} from './find-own-command.ts';
import {portsOf} from './ports-of.ts';
import {readPlace} from './read-place.ts';

/**
 * How a deployment answers: `verdict` says what is wrong, in the words of the wizard and of `doctor`; `content` is what
 * the account sees; `ms` is how long the slowest server took, in milliseconds.
 */
type Live =
  | {
      readonly state: 'connected' | 'slow';
      readonly sentence: string;
      readonly ms?: number;
      readonly content?: AccountContent;
      /** The assistant's entry through which the content was read; absent if it was read without one. */
      readonly through?: {readonly assistant: string; readonly path: string};
    }
  | {
      readonly state: 'failed';
      readonly code: ErrorCode;
      readonly verdict: string;
      readonly message: string;
      readonly remedy: string;
    }
  | {readonly state: 'signed-out' | 'unknown'; readonly message: string};

/** How a deployment answers, for programs and for people, and the exit code if it is not 0. */
export type LiveStatus = {readonly live: Live; readonly lines: readonly string[]; readonly exitCode?: number};

/** Asks the deployment that a command is about how it is, with its own network settings. @throws SetupError */
export const askLive = async (invocation: Invocation): Promise<LiveStatus> => {
  const live = await ask(invocation);
  const exitCode = live.state === 'failed' ? usualExitCode(live.code) : live.state === 'signed-out' ? 1 : undefined;
  return {live, lines: linesOf(live), ...(exitCode === undefined ? {} : {exitCode})};
};

const ask = async (invocation: Invocation): Promise<Live> => {
  const {context, ports} = await currentContext(portsOf(invocation), invocation);
  const run = quietRun(ports, invocation.signal);
  const hasEntries = (context.entries ?? []).length > 0;
  const {signIn, connection, account} = await askSavedConnection({context, readsContent: !hasEntries}, run);
  if (!connection) {
    if (signIn.state === 'ended') return {state: 'signed-out', message: signIn.reason};
    return {state: 'unknown', message: signIn.state === 'unknown' ? signIn.message : ''};
  }
  const failed = (error: SetupError, verdict?: string): Live => {
    const {code, message, about} = error;
    return {
      state: 'failed',
      code,
      verdict: verdict ?? verdictOnCode(code, serverAt(context, about), about.isUnanswered),
      message,
      remedy: remedyText(error),
    };
  };
  if (connection.state === 'failed') return failed(connection.error);
  const ofAccount = account && faultOf(account, context);
  if (ofAccount) return failed(ofAccount, verdictOnAccount(ofAccount.code));
  let seen: Partial<SeenThroughEntry>;
  try {
    seen = hasEntries ? await seenThroughEntry(context, invocation, run) : connection;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return failed(error);
  }
  const {content, assistant, path} = seen;
  const known = {
    ...(content ? {content} : {}),
    ...(assistant !== undefined && path !== undefined ? {through: {assistant, path}} : {}),
  };
  const {slow} = connection;
  if (!slow) return {state: 'connected', sentence: 'Every server answers and accepts your sign-in.', ...known};
  return {state: 'slow', sentence: `It works, but slowly: ${tookLong(slow)}`, ms: slow.ms, ...known};
};

/** Returns what is wrong with the assistants' own account; undefined if nothing is, or if that is not known. */
const faultOf = (
  {signIn, connection}: NonNullable<LiveState['account']>,
  {name}: Pick<Context, 'name'>,
): SetupError | undefined => {
  if (connection) return connection.state === 'failed' ? connection.error : undefined;
  if (signIn.state !== 'ended') return undefined;
  const login = setup('login', `--as assistants --context ${name}`);
  return new SetupError('auth-sign-in-required', signIn.message, {remedy: phrase`Sign them in: ${login}.`});
};

/** Returns what the account sees through an entry as it is in a file, or without one if no entry can be tried. */
const seenThroughEntry = async (
  context: Context,
  invocation: Invocation,
  run: Run,
): Promise<Partial<SeenThroughEntry>> => {
  const {askThroughEntry} = await import('../flows/assistants/ask-through-entry.ts');
  const own = ownCommand(invocation);
  const asked = {context, assistants: allAssistants, place: readPlace(invocation.env), own};
  const seen = await askThroughEntry(asked, run);
  if (seen) return seen;
  const {connection} = await askSavedConnection({context, readsContent: true}, run);
  return connection?.state === 'connected' && connection.content ? {content: connection.content} : {};
};

/** Describes how a deployment answers, line by line. */
const linesOf = (live: Live): readonly string[] => {
  switch (live.state) {
    case 'connected':
    case 'slow':
      return [live.sentence, ...(live.content ? [contentLine(live.content, live.through)] : [])];
    case 'failed':
      return [`${live.verdict}.`, live.message, live.remedy, `More: ${SETUP} explain ${live.code}`];
    case 'signed-out':
      // The state of the sign-in, which every status shows, says so with the same reason.
      return [];
    default:
      return [`It is not known whether you are signed in. ${live.message}`];
  }
};

const contentLine = (content: AccountContent, through?: {readonly assistant: string}): string =>
  [
    describeContent(content),
    ...(through ? [`The program read this through the entry of ${through.assistant}.`] : []),
  ].join(' ');
