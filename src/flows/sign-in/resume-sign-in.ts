import {type Context, contextFlags} from '../../domain/context.ts';
import {hasSecrets} from '../../domain/credentials.ts';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import {type OwnCommand, ownFlags} from '../../domain/own-command.ts';
import {Secret} from '../../domain/secret.ts';
import {isAlive, mayBeTried, signInEndOf, signInState, willBeRenewed} from '../../domain/sign-in-lifecycle.ts';
import {
  type RunTokens,
  type ServerTokens,
  type Token,
  type TokenFacts,
  type TokenSet,
  tokenFor,
  tokensOfSignIn,
} from '../../domain/tokens.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import type {Ports, ProcessResult} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {RENEWAL_TIMEOUT} from '../time-limits.ts';
import {accessTokenInstead, accessTokenNow, accessTokenOnceMore} from './access-token.ts';
import {obtained} from './token-response.ts';

/** A saved sign-in in the form in which a run uses it. */
export type ResumedSignIn = {readonly token: Token; readonly serverTokens: ServerTokens};

type Look = Flow<Context, ResumedSignIn>;

/**
 * Resumes a saved sign-in because a person asks for it, and renews it if that is due, including the tokens of a server
 * that has its own.
 *
 * @throws SetupError `auth-sign-in-required` if it has ended; `network-*` and `platform-*` if that cannot be found out
 */
export const resumeSignIn: Look = (context, run) => resume(accessTokenOnceMore, context, run);

/**
 * Resumes a sign-in to show its state: a renewal that the program no longer tries by itself is not tried.
 *
 * @throws as `resumeSignIn`
 */
export const lookAtSignIn: Look = (context, run) => resume(accessTokenNow, context, run);

/** Returns usable access tokens of a saved sign-in, renewed if necessary. @throws SetupError as `resumeSignIn` does */
export const takeTokens: Flow<Context, TakenTokens> = (context, run) => take(accessTokenOnceMore, context, run);

type Way = typeof accessTokenNow;

const resume = async (way: Way, context: Context, run: Run): Promise<ResumedSignIn> => {
  const {ports} = run;
  const {signIn, expiresAt, serverTokens} = await take(way, context, run);
  const stored = await ports.credentials.get(context);
  const ends = signInEndOf(stored ?? {});
  const token: Token = {
    account: stored?.account ?? context.clientId,
    fingerprint: fingerprintOf(signIn.reveal()),
    renewable: willBeRenewed(stored ?? {}, ports.clock.now()),
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
    ...(stored?.failure && !stored.refused ? {failure: stored.failure.message} : {}),
    access: signIn,
  };
  run.tell(obtained(token));
  return {token, serverTokens};
};

type TakenTokens = Pick<TokenSet, 'expiresAt'> & {readonly signIn: Secret; readonly serverTokens: ServerTokens};

const take = async (way: Way, context: Context, run: Run): Promise<TakenTokens> => {
  const token = await way(context, run);
  const [, own] = tokensOfSignIn(context);
  const observability = own && (await way(own, run));
  return {
    signIn: new Secret(token.accessToken),
    ...(token.expiresAt === undefined ? {} : {expiresAt: token.expiresAt}),
    serverTokens: observability ? {observability: new Secret(observability.accessToken)} : {},
  };
};

type Refused = {
  readonly context: Context;
  readonly tokens: RunTokens;
  /** The obstacles that the renewal ignores; by default all, as if a person asked for it. */
  readonly despite?: 'pause' | 'all';
};

/**
 * Renews the tokens of this run although they have not expired: because a server has refused one after the identity
 * provider got new keys, or because the last renewal failed.
 *
 * @throws SetupError as `resumeSignIn` does
 */
export const renewSignIn: Flow<Refused, RunTokens> = async ({context, tokens, despite = 'all'}, run) => {
  const [signIn, own] = tokensOfSignIn(context);
  const input = {context: signIn ?? context, refused: tokens.signIn.reveal(), despite};
  const fresh = await accessTokenInstead(input, run);
  const renewed = {signIn: new Secret(fresh.accessToken)};
  if (!own) return renewed;
  const refused = tokenFor('observability', tokens).reveal();
  const {accessToken: observability} = await accessTokenInstead({context: own, refused, despite}, run);
  return {...renewed, observability: new Secret(observability)};
};

/**
 * A sign-in that has ended. `reason` is the text below a heading that already names the sign-in. `mayBeTried` is set if
 * the identity provider did not refuse the renewal, so that a person may try it once more; `isUnclear` if it refused
 * without saying that the sign-in has ended.
 */
export type EndedSignIn = {
  readonly state: 'ended';
  readonly message: string;
  readonly reason: string;
  readonly mayBeTried?: true;
  readonly isUnclear?: true;
};

/** The state of a saved sign-in: alive, ended with a reason, or unknown at the moment. */
export type InspectedSignIn =
  | {readonly state: 'alive'; readonly token: TokenFacts}
  | EndedSignIn
  /**
   * `remedy` is set if this machine, and not a server, is the reason that the state is unknown; `askedUntil` if the
   * identity provider asked for no request before that time, in milliseconds since the epoch.
   */
  | {readonly state: 'unknown'; readonly message: string; readonly remedy?: string; readonly askedUntil?: number};

/**
 * Finds out whether a saved sign-in still works. A refused renewal has ended it. A network failure has not, and is told
 * as a warning.
 */
export const inspectSignIn: Flow<Context, InspectedSignIn> = async (context, run) => {
  try {
    const {token} = await lookAtSignIn(context, run);
    return {state: 'alive', token};
  } catch (error) {
    return signInAfter(error, context, run);
  }
};

/**
 * Returns the state of a saved sign-in that could not be resumed.
 *
 * @throws `error` if it is not a SetupError, or is `cancelled`
 */
export const signInAfter = async (
  error: unknown,
  context: Context,
  {ports, tell}: Run,
): Promise<Exclude<InspectedSignIn, {state: 'alive'}>> => {
  if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
  const ended = await endedBy(error, context, ports);
  if (ended) return ended;
  const {code, message, about} = error;
  if (familyOf(code) === 'local') {
    const {remedyText} = await import('../../errors/describe-error.ts');
    return {state: 'unknown', message, remedy: remedyText(error)};
  }
  tell({type: 'warning', message: `Your sign-in could not be renewed right now. It is kept. ${message}`});
  const {retryAfter} = about;
  return {
    state: 'unknown',
    message,
    ...(retryAfter === undefined ? {} : {askedUntil: ports.clock.now() + retryAfter}),
  };
};

/** Returns the state of a sign-in that this error has ended; undefined if the error does not show that. */
export const endedBy = async (
  {code, message, about}: SetupError,
  context: Context,
  {credentials}: Pick<Ports, 'credentials'>,
): Promise<EndedSignIn | undefined> => {
  // Credentials that cannot be read count as ended: the next sign-in replaces them.
  const isEnded = ['auth-sign-in-required', 'local-credentials-invalid', 'local-keychain-failed'].includes(code);
  const known = credentials.get(context).catch(() => undefined);
  const stored = isEnded && code !== 'auth-sign-in-required' ? undefined : await known;
  // The identity provider may have refused in this very check, without saying that the sign-in has ended.
  if (!isEnded && !stored?.refused?.isUnclear) return undefined;
  const tried = stored?.refused?.isUnclear
    ? {isUnclear: true as const}
    : stored?.refused && mayBeTried(stored)
      ? {mayBeTried: true as const}
      : {};
  return {state: 'ended', message, reason: about.reason ?? message, ...tried};
};

/** Another saved deployment, and whether a person has to sign in there. */
export type OtherContext = {readonly name: string; readonly isSignedOut: boolean};

/**
 * Returns the other saved deployments, and whether each is signed out, by what is stored; no server is asked. A sign-in
 * that cannot be read counts as ended.
 *
 * @throws SetupError `local-config-invalid`, `local-open-to-others`
 */
export const inspectOthers = async (
  {name}: Pick<Context, 'name'>,
  {config, credentials, clock}: Pick<Ports, 'config' | 'credentials' | 'clock'>,
): Promise<readonly OtherContext[]> => {
  const others = (await config.read()).contexts.filter(one => one.name !== name);
  if (others.length === 0) return [];
  const now = clock.now();
  const stored = await credentials.getEach(others);
  return others.map(({name: other}, index) => {
    const found = stored[index];
    const isKnown = found?.status === 'fulfilled' && isAlive(signInState(found.value, now));
    return {name: other, isSignedOut: !isKnown};
  });
};

/**
 * Whether a sign-in has to be made again, by what is stored; no server is asked. A sign-in that cannot be read counts as
 * ended.
 */
export const isSignedOut = async (context: Context, {credentials}: Pick<Ports, 'credentials'>): Promise<boolean> => {
  const stored = await credentials.get(context).catch(() => undefined);
  return !hasSecrets(stored) || stored?.refused !== undefined;
};

const reasonIn = (result: ProcessResult, command: string): string => {
  if (result.outcome === 'missing') return `${command} was not found.`;
  if (result.outcome === 'timed-out') return `it did not finish within ${RENEWAL_TIMEOUT / 1000} s.`;
  return cleanText(result.stderr) || `it exited with code ${result.code}.`;
};

type Input = {readonly own: OwnCommand; readonly context: Pick<Context, 'name' | 'actsAs'>};

/**
 * Checks that the program that assistants start can renew the sign-in: with the stored network settings, and without
 * the environment of this shell. The token that it gets is stored like any other.
 *
 * @throws SetupError `local-entry-failed` with the output of the program
 */
export const verifyRenewal: Flow<Input, void> = ({own, context}, run) =>
  stoppable(run, async ({ports, signal}) => {
    const args = [...own.args, 'token', '--renew', ...contextFlags(context), ...ownFlags(own)];
    const options = {timeout: RENEWAL_TIMEOUT, signal, environment: 'assistant'} as const;
    const result = await ports.processes.run(own.command, args, options);
    if (result.outcome === 'exited' && result.code === 0) return;
    throw new SetupError(
      'local-entry-failed',
      `The program that your assistants start can’t renew your sign-in: ${reasonIn(result, own.command)}`,
      {remedy: phrase`Fix that, then check the entries again: ${setup('doctor')}.`},
    );
  });
