import {type AccountContent, describeContent} from '../domain/account-content.ts';
import {remedyText} from '../errors/describe-error.ts';
import type {ErrorCode} from '../errors/errors.ts';
import {usualExitCode} from '../errors/exit-codes.ts';
import {verdictOnCode} from '../errors/verdict.ts';
import {quietRun} from '../flows/flow.ts';
import {askSavedConnection} from '../flows/platform-tools/saved-connection.ts';
import {serverAt} from '../state/failure.ts';
import {tookLong} from '../state/view/names.ts';
import type {Invocation} from './command.ts';
import {currentContext} from './current-context.ts';
import {portsOf} from './ports-of.ts';

/**
 * How a deployment answers: `verdict` says what is wrong, in the words of the wizard and of `doctor`; `content` is what
 * the account sees; `ms` is how long the server took that made it slow.
 */
type Live =
  | {
      readonly state: 'connected' | 'slow';
      readonly sentence: string;
      readonly ms?: number;
      readonly content?: AccountContent;
    }
  | {
      readonly state: 'failed';
      readonly code: ErrorCode;
      readonly verdict: string;
      readonly message: string;
      readonly remedy: string;
    }
  | {readonly state: 'signed-out' | 'unknown'; readonly message: string};

/** How a deployment answers, for programs and for people, and the exit code unless all is well. */
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
  const {signIn, connection} = await askSavedConnection({context, readsContent: true}, run);
  if (!connection) {
    if (signIn.state === 'ended') return {state: 'signed-out', message: signIn.reason};
    return {state: 'unknown', message: signIn.state === 'unknown' ? signIn.message : ''};
  }
  if (connection.state === 'failed') {
    const {code, message, about} = connection.error;
    const remedy = remedyText(connection.error);
    return {state: 'failed', code, verdict: verdictOnCode(code, serverAt(context, about)), message, remedy};
  }
  const {slow, content} = connection;
  const seen = content ? {content} : {};
  if (!slow) return {state: 'connected', sentence: 'Every server answers and accepts your sign-in.', ...seen};
  return {state: 'slow', sentence: `It works, but slowly: ${tookLong(slow)}`, ms: slow.ms, ...seen};
};

/** Describes how a deployment answers, line by line. */
const linesOf = (live: Live): readonly string[] => {
  switch (live.state) {
    case 'connected':
    case 'slow':
      return [live.sentence, ...(live.content ? [describeContent(live.content)] : [])];
    case 'failed':
      return [`${live.verdict}.`, live.message, live.remedy];
    case 'signed-out':
      // The state of the sign-in, which every status shows, says so with the same reason.
      return [];
    default:
      return [`It is not known whether you are signed in. ${live.message}`];
  }
};
