import {leftAlone} from '../errors/busy.ts';
import {errorTable} from '../errors/error-table.ts';
import {type ErrorCode, familyOf, type SetupError} from '../errors/errors.ts';
import type {MessageHead} from './messages/message.ts';

/** Calls that change nothing on the server, or nothing more when they come twice. Of a tool nobody knows that. */
const repeatable: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'completion/complete', 'logging/setLevel', 'tasks/result'],
  ...['resources/subscribe', 'resources/unsubscribe'],
]);

/** Whether a message may be sent again when nobody knows what became of it. */
export const isRepeatable = (method: string | undefined): boolean =>
  method !== undefined &&
  (repeatable.has(method) || method.startsWith('notifications/') || /.\/(?:list|get|read)$/.test(method));

/** What goes wrong before an answer begins, and leaves open what was done. */
const unclear: ReadonlySet<ErrorCode> = new Set([
  'network-lost',
  'network-reset',
  'network-timeout',
  'network-failed',
  'network-proxy',
  'platform-error',
  'platform-unhealthy',
  'platform-invalid-answer',
  'platform-mcp-failed',
  'bug',
]);

const LOOK = errorTable['network-lost'].remedy;

/** What to do where the usual remedy ends in another try: whoever reads it would repeat what may change something. */
const withoutAnotherTry: Partial<Record<ErrorCode, string>> = {
  'network-lost': 'Check your connection, VPN and proxy.',
  'network-timeout':
    'Check your connection, VPN and proxy. If others have the same problem, tell the platform’s operators.',
  'network-reset': 'Check the port, and whether it speaks http or https. If both are right, tell its operators.',
  'network-failed': 'Check the address, your connection and your VPN.',
  'platform-error': 'Ask the platform’s operators to look into the server’s log.',
  'platform-unhealthy': 'Ask your platform team to check it.',
  'platform-invalid-answer': 'Ask the platform’s operators to check the server: its version may not be supported.',
  'platform-rejected': 'Change what the server does not accept, which its answer names.',
};

/**
 * A failure as it is told to whoever made the call: of one that may change something, whether it may have been carried
 * out, and no advice to try again.
 *
 * @param isTaken whether the server had begun to answer it as one that it takes
 */
export const toldOf = (failure: SetupError, {method, questions}: MessageHead, isTaken: boolean): SetupError => {
  const {code, about} = failure;
  if (questions.length === 0) return failure;
  if (isRepeatable(method))
    return code === 'network-lost' ? failure.saying('', 'It changes nothing. Try again.') : failure;
  if (about.isUnsent) {
    const isOutside = familyOf(code) === 'network' || familyOf(code) === 'platform';
    return failure.saying(isOutside ? ' The call was not sent, so nothing was carried out.' : '', calm(failure));
  }
  // A page that came instead of the server’s answer has a remedy of its own.
  if ((isTaken && code !== 'network-portal') || unclear.has(code)) return failure.saying('', LOOK);
  return failure.saying('', calm(failure));
};

/** Undefined where the usual remedy does no harm: it may depend on how the person signs in. */
const calm = ({code, about: {isUnsent, retryAfter}}: SetupError): string | undefined => {
  if (code !== 'platform-busy') return withoutAnotherTry[code];
  const alone = retryAfter === undefined ? '' : `${leftAlone(retryAfter)} `;
  return `${alone}${isUnsent ? 'The next call asks again.' : 'Check whether the call did anything before you repeat it.'}`;
};
