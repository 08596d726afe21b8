import {contextFlags, currentContextIn} from '../../domain/context.ts';
import {type Credentials, nameOfKey} from '../../domain/credentials.ts';
import {chanceOf, isGood, isRenewable, isUsable, mayBeTried} from '../../domain/sign-in-lifecycle.ts';
import type {TokenContext, TokenSet} from '../../domain/tokens.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {setup} from '../../errors/remedy.ts';
import type {Ports} from '../../ports/ports.ts';
import {capitalized} from '../../sentence.ts';
import {ago} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {type RenewalWanted, type Renewed, renew, saveUnsaved, withSecret, withUnsaved} from './refresh.ts';
import type {Lease} from './refresh-lease.ts';
import {isPassing} from './refresh-request.ts';
import {onceMore} from './sign-in-end.ts';

type Asked = {
  readonly context: TokenContext;
  /** The access token that the caller wants replaced, usually because a server refused it. */
  readonly refused?: string | undefined;
  readonly despite?: RenewalWanted['despite'];
};

/**
 * Returns the error that asks a person to sign in, with its reason: nobody is signed in; the sign-in has ended, or
 * probably has, and why; it is no longer renewed after two attempts without an answer; or it cannot be renewed, because
 * the identity provider issued no refresh token.
 */
export const signInRequired = async (
  {context, refused: refusedToken, despite}: Asked,
  stored: Credentials | undefined,
  ports: Ports,
  cause?: SetupError,
): Promise<SetupError> => {
  const {clock, config} = ports;
  const {name, issuer, signIn} = context;
  const {refused} = stored ?? {};
  const current = currentContextIn(await config.read());
  const flags = contextFlags(context).join(' ');
  const isOther = context.actsAs !== undefined || (current !== undefined && current.name !== name);
  if (!refused && stored?.accessToken !== undefined && signIn === 'browser') {
    const isLeft = stored.accessToken === refusedToken && isUsable(stored, clock.now());
    const what = !isLeft
      ? `You are signed out of ${name}: the sign-in`
      : despite === 'all'
        ? `Your sign-in to ${name}`
        : `The server refused the access token of your sign-in to ${name}, which`;
    const message = `${what} cannot be renewed: the identity provider issued no refresh token.`;
    // Loaded only here: a signed-in person does not need it.
    const {changeThenSignIn} = await import('./change-then-sign-in.ts');
    const remedy = await changeThenSignIn(context, ports, setup('login', flags));
    const reason = 'The sign-in cannot be renewed: the identity provider issued no refresh token.';
    return new SetupError('auth-sign-in-required', message, {remedy, about: {reason}});
  }
  const options = {
    cause,
    ...(isOther ? {remedy: {do: 'Sign in again', command: setup('login', flags)}} : {}),
  };
  const isOwn = context.actsAs === undefined;
  const [who, whose] = isOwn ? ['You are', 'Your sign-in'] : ['Your assistants are', 'The sign-in of your assistants'];
  if (!refused) return new SetupError('auth-sign-in-required', `${who} signed out of ${name}.`, options);
  const since = clock.now() - refused.at;
  const when = ago(since);
  const reason = refused.isUnanswered
    ? `${issuer} did not answer two attempts to renew the sign-in, the last one ${when}, and may no longer accept the refresh token.`
    : refused.isAnnounced
      ? `the sign-in reached the end that ${issuer} had set for it${since < 60_000 ? '' : `, ${when}`}.`
      : `${issuer} refused to renew the sign-in${since < 60_000 ? '' : ` ${when}`}${refused.said === undefined ? '' : ` (${refused.said})`}.`;
  if (refused.isUnanswered) {
    const message = `${whose} to ${name} is no longer renewed: ${reason}`;
    return new SetupError('auth-sign-in-required', message, {
      cause,
      remedy: onceMore(context),
      about: {reason, isUnanswered: true},
    });
  }
  if (refused.isUnclear) {
    const about = {reason: refused.reason};
    const message = `${whose} to ${name} has probably ended: ${refused.reason}`;
    return new SetupError('auth-sign-in-required', message, {...options, about});
  }
  const message = `${who} signed out of ${name}: ${reason}`;
  return new SetupError('auth-sign-in-required', message, {
    ...options,
    about: {reason: refused.isAnnounced ? capitalized(reason) : reason},
  });
};

/** How long to wait for another process that has begun a renewal and may be suspended, in milliseconds. */
const HOLDER_TIME = 30_000;

/** How often to look whether that process has finished, in milliseconds. */
const HOLDER_LOOK = 200;

/**
 * Returns a valid access token of a context, or of one of its servers that has tokens of its own. A token that is still
 * good comes from the disk, without network; if it is due for renewal, the renewal starts in the background and the
 * caller does not wait for it. Otherwise one process at a time renews the token, and the others read its result or its
 * failure: lock, read again, renew if still needed, write, use (RFC 9700 4.14.2). A refused renewal ends the sign-in.
 * If the refusal is unclear, the error says that the sign-in has probably ended. A renewal that cannot be requested
 * leaves the sign-in as it is. If a background renewal of this process could not begin, the next caller gets a warning.
 *
 * @throws SetupError `auth-sign-in-required` if nothing is stored to renew with, or if the renewal was refused now or
 *   before; `network-*` and `platform-*` if it could not be requested; `local-*` if it could not begin or its result
 *   could not be stored; `auth-token-refused` if the new token has already expired
 */
export const accessToken: Flow<TokenContext, TokenSet> = (context, run) => tokenOf({context}, run);

/**
 * Like `accessToken`, for a person who looks at the sign-in: retries a renewal that failed a moment ago, unless the
 * identity provider asked for a pause.
 *
 * @throws SetupError as `accessToken` does
 */
export const accessTokenNow: Flow<TokenContext, TokenSet> = (context, run) => tokenOf({context, despite: 'pause'}, run);

/**
 * Like `accessToken`, for a person who asks for a renewal: also sends a refresh token that has gone unanswered as often
 * as the program sends it by itself.
 *
 * @throws SetupError as `accessToken` does
 */
export const accessTokenOnceMore: Flow<TokenContext, TokenSet> = (context, run) =>
  tokenOf({context, despite: 'all'}, run);

/** A sign-in, and an access token of it that a server refuses although it has not expired. */
export type RefusedToken = {
  readonly context: TokenContext;
  readonly refused: string;
  readonly despite?: RenewalWanted['despite'];
};

/**
 * Like `accessToken`, after a server refused the stored token: returns the token that another process has obtained
 * since, or a renewed one.
 *
 * @throws SetupError as `accessToken` does; also `network-*` and `platform-*` while the refused token has not expired
 */
export const accessTokenInstead: Flow<RefusedToken, TokenSet> = (input, run) => tokenOf(input, run);

/**
 * Renews the token of a context if it is due, and waits for the result: for a process that was started only for this.
 * Does nothing while another process holds the lock of the stored credentials: it may be renewing the token.
 */
export const renewIfDue: Flow<TokenContext, void> = async (context, run) => {
  const {ports} = run;
  if (serves(await ports.credentials.get(context), ports) || (await isBeingRenewed(ports))) return;
  await renewBeside(context, run);
};

type Wanted = Omit<RenewalWanted, 'serves'>;

const tokenOf: Flow<Wanted, TokenSet> = async (wanted, run) => {
  const {ports, signal, tell} = run;
  const {context, refused} = wanted;
  signal.throwIfAborted();
  await saveUnsaved(context, ports);
  const found = withUnsaved(await ports.credentials.get(context), context, ports);
  const usable = usableToken(found, ports, refused);
  if (usable && serves(found, ports)) return usable;
  const stored = await withSecret(found, context, ports);
  const isPossible = wanted.despite === 'all' ? mayBeTried : isRenewable;
  if (!stored || !isPossible(stored)) {
    if (usable) return usable;
    throw await signInRequired(wanted, stored, ports);
  }
  if (usable && refused === undefined) {
    await beginBeside(context, run);
    const failure = ports.memory.failures.get(nameOfKey(context));
    if (failure) {
      const {remedyText} = await import('../../errors/describe-error.ts');
      tell({type: 'warning', message: `${failure.message} ${remedyText(failure)}`});
    }
    return usable;
  }
  try {
    return await tokenAfter(wanted, run);
  } catch (error) {
    if (usable && error instanceof SetupError && isPassing(error)) return usable;
    throw error;
  }
};

const beginBeside = async (context: TokenContext, run: Run): Promise<void> => {
  const {ports} = run;
  if (ports.processes.startApart) {
    if (!(await isBeingRenewed(ports))) ports.processes.startApart(wordsFor(context));
    return;
  }
  const {renewals} = ports.memory;
  const name = nameOfKey(context);
  if (renewals.has(name)) return;
  // The renewal outlives its caller, so it has a signal of its own. Its failure is stored with the sign-in, or told to
  // the next caller.
  const {signal} = new AbortController();
  const renewal = renewBeside(context, {ports, signal, tell: () => {}}).finally(() => renewals.delete(name));
  renewals.set(name, renewal);
};

/** The arguments of a separate process that renews the token and ends. */
const wordsFor = (context: TokenContext): readonly string[] => [
  ...['token', '--if-due', ...contextFlags(context)],
  // Under an assistant, the person's own sign-in is renewed only where it is named.
  ...(context.assistantsAccount !== undefined && context.actsAs === undefined ? ['--as', 'me'] : []),
  ...(context.audience === undefined ? [] : ['--server', 'observability']),
];

const isBeingRenewed = ({files, credentials}: Ports): Promise<boolean> => files.isLocked(credentials.path);

const renewBeside = async (context: TokenContext, run: Run): Promise<void> => {
  const {failures} = run.ports.memory;
  const name = nameOfKey(context);
  try {
    await renew({context, serves: stored => serves(stored, run.ports)}, run);
    failures.delete(name);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    failures.set(name, error);
  }
};

const tokenAfter = async (request: Wanted, run: Run): Promise<TokenSet> => {
  const {ports} = run;
  const {context, refused} = request;
  const isEnough = (stored: Credentials | undefined) => usableToken(stored, ports, refused) !== undefined;
  const wanted = {...request, serves: isEnough};
  const end = ports.clock.monotonic() + HOLDER_TIME;
  for (;;) {
    const outcome: Renewed = await renew(wanted, run);
    if (outcome === 'changed') continue;
    if (!('holder' in outcome)) return tokenIn(outcome, wanted, run);
    if (ports.clock.monotonic() > end) throw heldUp(context, outcome.holder, ports);
    await ports.clock.sleep(HOLDER_LOOK, run.signal);
  }
};

const tokenIn = async (
  {stored, failure}: Extract<Renewed, {readonly stored: unknown}>,
  wanted: Wanted,
  {ports}: Run,
): Promise<TokenSet> => {
  const {context, refused} = wanted;
  const token = usableToken(stored, ports, refused);
  if (token) return token;
  if (failure && stored?.refused?.isUnanswered) throw failure;
  // A refusal with a known cause has a remedy of its own. For an earlier refusal, only the reason is stored.
  if (failure?.about.isByEndpoint && stored?.refused?.isUnclear && isExplained(failure)) throw failure;
  if (stored?.refused || !stored || (!failure && !isRenewable(stored)))
    throw await signInRequired(wanted, stored, ports, failure);
  if (failure) throw failure;
  throw new SetupError(
    'auth-token-refused',
    `${context.issuer} issues tokens that have already expired. Is the clock right?`,
    {about: {url: context.issuer}},
  );
};

const isExplained = ({code, about}: SetupError): boolean => familyOf(code) === 'auth' && !about.isUnexplained;

const heldUp = ({name}: TokenContext, {at, process: {pid}}: Lease, {clock}: Ports) =>
  new SetupError(
    'local-locked',
    `Process ${pid} began to renew your sign-in to ${name} ${ago(clock.now() - at)}, and has not finished.`,
    {remedy: `It may be suspended. Resume it, or stop it (kill ${pid}), then try again.`},
  );

const usableToken = (
  credentials: Credentials | undefined,
  {clock}: Ports,
  refused: string | undefined,
): TokenSet | undefined => {
  if (credentials?.accessToken === undefined || !isUsable(credentials, clock.now())) return undefined;
  if (credentials.accessToken === refused) return undefined;
  const {accessToken, expiresAt} = credentials;
  return {accessToken, ...(expiresAt === undefined ? {} : {expiresAt})};
};

/** Whether the stored token is good as it is, so that no renewal is needed. */
const serves = (credentials: Credentials | undefined, {clock, processes}: Ports): boolean =>
  credentials !== undefined && isGood(credentials, clock.now(), chanceOf(processes.self().pid));
