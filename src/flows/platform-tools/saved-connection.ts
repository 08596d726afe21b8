import type {AccountContent} from '../../domain/account-content.ts';
import {asAssistants, type Context, deploymentIn} from '../../domain/context.ts';
import type {RunTokens} from '../../domain/tokens.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';
import type {Service} from '../../platform/platform.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Flow, FlowEvent, Run} from '../flow.ts';
import type {InspectedSignIn, ResumedSignIn} from '../sign-in/resume-sign-in.ts';
import {stoppable} from '../stoppable.ts';
import type {ConnectionInput, ConnectionReport} from './check-connection.ts';

/** The error codes for a refused token: `auth-audience-wrong` if the token shows the reason. */
const refusals: ReadonlySet<ErrorCode> = new Set(['auth-token-refused', 'auth-audience-wrong']);

/** Whether a server has refused the token itself, so that a renewed one may be accepted. */
export const isTokenRefusal = (error: unknown): error is SetupError =>
  error instanceof SetupError && refusals.has(error.code);

type Renewing = {
  readonly context: Context;
  readonly input: ConnectionInput;
  readonly despite?: 'pause' | 'all';
};

/**
 * Checks a connection again after a server has refused the saved token, with a renewed one: the identity provider may
 * have changed its keys since.
 *
 * @throws SetupError as `renewSignIn` and `checkConnection` do
 */
export const checkRenewed: Flow<Renewing, {readonly check: ConnectionReport; readonly tokens: RunTokens}> = async (
  {context, input, ...rest},
  run,
) => {
  const {renewSignIn} = await import('../sign-in/resume-sign-in.ts');
  const {checkConnection} = await import('./check-connection.ts');
  const tokens = await renewSignIn({context, tokens: input.tokens, ...rest}, run);
  return {check: await checkConnection({...input, tokens}, run), tokens};
};

/** A server that answered, and how long it took, in milliseconds. */
export type Slowest = {readonly service: Service; readonly ms: number};

/** How a saved deployment answers now: every server accepts the token, or the first thing that is wrong. */
export type SavedConnection =
  | {readonly state: 'connected'; readonly slow?: Slowest; readonly content?: AccountContent}
  | {readonly state: 'failed'; readonly error: SetupError};

/** The state of a saved sign-in, and of its deployment if the sign-in is alive. */
type LiveSignIn = {readonly signIn: InspectedSignIn; readonly connection?: SavedConnection};

/** The state of the person's sign-in and, as `account`, of the assistants' own account, if they have one. */
export type LiveState = LiveSignIn & {readonly account?: LiveSignIn};

/** From this time on an answer counts as slow, in milliseconds: a person has begun to wait for it. */
const SLOW = 2_000;

type Asked = {
  readonly context: Context;
  /** True to read what the account sees, too. */
  readonly readsContent?: boolean;
};

/**
 * Asks a saved deployment how it is: its health, whether it accepts the token and lists its tools, and whether the
 * account has a role; and the same with the assistants' own account, if they have one. Renews a token that is due or
 * refused, as the bridge does. Changes nothing else.
 *
 * @throws the signal's reason, and any error that is not a SetupError
 */
export const askSavedConnection: Flow<Asked, LiveState> = async (asked, run) => {
  const theirs = asked.context.actsAs === undefined ? asAssistants(asked.context) : undefined;
  if (!theirs) return askAs(asked, run);
  const [own, account] = await Promise.all([askAs(asked, run), askAs({context: theirs}, run)]);
  return {...own, account};
};

const askAs: Flow<Asked, LiveSignIn> = ({context, readsContent = false}, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
    const {endedBy, lookAtSignIn, signInAfter} = await import('../sign-in/resume-sign-in.ts');
    const {checkConnection} = await import('./check-connection.ts');
    let slowest: Slowest | undefined;
    const quiet: Run = {
      ports,
      signal,
      tell: event => {
        slowest = slowerOf(slowest, event);
        if (event.type.startsWith('call-')) tell(event);
      },
    };
    let resumed: ResumedSignIn;
    try {
      resumed = await lookAtSignIn(context, quiet);
    } catch (error) {
      return {signIn: await signInAfter(error, context, quiet)};
    }
    const signIn = {state: 'alive', token: resumed.token} as const;
    const {contact, clientId} = context;
    const input = {
      platform: platformOfDeployment(context),
      deployment: deploymentIn(context),
      tokens: {signIn: resumed.token.access, ...resumed.serverTokens},
      ...{clientId, readsContent},
      // The assistants' own account is judged below by what it is for.
      ...(context.actsAs === 'assistants' ? {role: 'without' as const} : {}),
      ...(contact === undefined ? {} : {contact}),
    };
    let report: ConnectionReport;
    try {
      report = await checkConnection(input, quiet).catch(async error => {
        if (!isTokenRefusal(error)) throw error;
        slowest = undefined;
        return (await checkRenewed({context, input, despite: 'pause'}, quiet)).check;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      const ended = await endedBy(error, context, ports);
      return ended ? {signIn: ended} : {signIn, connection: {state: 'failed', error}};
    }
    const content = report.servers.find(one => one.content)?.content;
    const slow = slowest && slowest.ms >= SLOW ? {slow: slowest} : {};
    if (context.actsAs === 'assistants') {
      const {unfitAccount} = await import('./account-access.ts');
      const {platform, deployment, tokens} = input;
      const {serverVersion: version = deployment.version} = report;
      const controlPlane = {
        ...{platform, controlPlaneUrl: deployment.controlPlaneUrl, token: tokens.signIn},
        ...(version === undefined ? {} : {version}),
        ...(contact === undefined ? {} : {contact}),
      };
      const error = await unfitAccount(context, controlPlane, quiet);
      if (error) return {signIn, connection: {state: 'failed', error}};
    }
    return {signIn, connection: {state: 'connected', ...slow, ...(content ? {content} : {})}};
  });

/** How often to look whether another process has stored a sign-in, in milliseconds. */
const LOOK = 5_000;

/**
 * Waits until another process has stored a new sign-in for a deployment that the person is signed out of, then asks the
 * deployment how it is. Sends nothing before that.
 *
 * @throws the signal's reason
 */
export const awaitNewSignIn: Flow<Context, LiveState> = async (context, run) => {
  const {credentials, clock} = run.ports;
  // Credentials that cannot be read are no sign-in, and the next sign-in replaces them.
  const readStored = () => credentials.get(context).catch(() => undefined);
  const before = (await readStored())?.accessToken;
  for (;;) {
    await clock.sleep(LOOK, run.signal);
    const {accessToken, refused} = (await readStored()) ?? {};
    if (accessToken !== undefined && accessToken !== before && refused === undefined)
      return askSavedConnection({context}, run);
  }
};

/** Returns the slower of two answers: the slowest so far, and the one that an event reports. */
const slowerOf = (slowest: Slowest | undefined, event: FlowEvent): Slowest | undefined => {
  if (event.type !== 'health-checked' && event.type !== 'server-checked') return slowest;
  const service =
    event.type === 'health-checked' ? event.service : event.server === 'control-plane' ? 'control-plane' : 'observer';
  return slowest === undefined || event.ms > slowest.ms ? {service, ms: event.ms} : slowest;
};
