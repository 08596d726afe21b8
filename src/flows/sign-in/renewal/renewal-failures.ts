import type {Credentials} from '../../../domain/credentials.ts';
import {isPaused} from '../../../domain/sign-in-lifecycle.ts';
import type {TokenContext} from '../../../domain/tokens.ts';
import {type ErrorCode, errorCodes, familyOf, SetupError} from '../../../errors/errors.ts';
import {SETUP} from '../../../setup-command.ts';
import {duration} from '../../../text.ts';

/** Only these say that what was sent is no good; anything else may be better in a minute (RFC 6749 5.2). */
export const isRefusal = ({code, about}: SetupError): boolean =>
  refusals.has(code) && !about.isUnproven && !about.isUnexplained;

const refusals: ReadonlySet<ErrorCode> = new Set([
  'auth-grant-refused',
  'auth-client-refused',
  // The client is not what it was when the person signed in.
  'auth-client-confidential',
  'auth-client-disabled',
  'auth-client-unknown',
  'auth-service-account-off',
  // The person has to do something first.
  'auth-consent-required',
  'auth-interaction-required',
  'auth-permission-missing',
  // What came is somebody else's.
  'auth-id-token-refused',
]);

/**
 * Whether the identity provider itself refused a renewal in a way that does not say that the sign-in has ended, and is
 * nothing that passes by itself: then it probably has.
 */
export const isUnclear = (error: SetupError): boolean =>
  error.about.isByEndpoint === true &&
  !isRefusal(error) &&
  (error.code === 'platform-rejected' || familyOf(error.code) === 'auth');

/** Whether a renewal may be had later, with what there is. */
export const isPassing = ({code, about}: SetupError): boolean =>
  familyOf(code) === 'network' || familyOf(code) === 'platform' || passing.has(code) || about.isUnproven === true;

const passing: ReadonlySet<ErrorCode> = new Set([
  'local-locked',
  'local-limit-reached',
  'local-write-failed',
  // Its metadata are wrong just now.
  'auth-issuer-mismatch',
]);

/**
 * Whether a portal or a proxy has answered in the place of the identity provider: there is nobody to be left alone, and a
 * person who has dealt with it tries again at once.
 */
export const isOfThisNetwork = ({code}: SetupError): boolean => thisNetwork.has(code);

const thisNetwork: ReadonlySet<ErrorCode> = new Set([
  'network-portal',
  'network-proxy',
  'network-proxy-sign-in',
  'network-proxy-denied',
]);

/** Whether the identity provider may have carried a request out whose answer never came. */
export const isOutcomeUnknown = ({code, about}: SetupError): boolean => unclear.has(code) && about.isUnsent !== true;

const unclear: ReadonlySet<ErrorCode> = new Set(['network-timeout', 'network-reset', 'network-lost', 'network-failed']);

/**
 * Why a renewal is left alone just now: the failure of the last one, which another process may have had.
 *
 * @param now milliseconds since the epoch
 * @param isWanted whether a person asks for it, who waits only for what the identity provider itself has asked for
 */
export const failureBefore = (
  kept: Credentials | undefined,
  now: number,
  isWanted: boolean,
  {name}: Pick<TokenContext, 'name'>,
): SetupError | undefined => {
  const {failure, retryAt = 0} = kept ?? {};
  const {askedUntil = 0} = failure ?? {};
  const code = errorCodes.find(one => one === failure?.code);
  const until = isWanted ? askedUntil : retryAt;
  if (!failure || !code || !isPaused(until, now)) return undefined;
  const retryAfter = until - now;
  const wait = `Wait ${retryAfter < 1000 ? 'a moment' : duration(retryAfter)}: no new attempt is made before.`;
  // What the identity provider itself has asked for holds for a person too.
  const isFree = !isPaused(askedUntil, now);
  return new SetupError(code, failure.message, {
    remedy: isFree ? `${wait} Once it answers again, run ${SETUP} token --renew --context ${name}.` : wait,
    about: {retryAfter},
  });
};

/** A renewal that was not begun, because what comes of it could not be kept. */
export const unkeepable = ({name}: TokenContext, path: string, error: unknown): unknown => {
  if (error instanceof SetupError && error.code !== 'local-write-failed') return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupError(
    'local-write-failed',
    `Your sign-in to ${name} was not renewed, because the new tokens could not be saved: ${reason}`,
    {cause: error, about: {path}, ...(error instanceof SetupError ? {remedy: error.remedy} : {})},
  );
};
