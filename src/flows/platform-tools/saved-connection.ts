import {type Context, deploymentIn} from '../../domain/context.ts';
import type {RunTokens} from '../../domain/tokens.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';
import type {Service} from '../../platform/platform.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Flow, FlowEvent, Run} from '../flow.ts';
import {
  endedBy,
  type InspectedSignIn,
  lookAtSignIn,
  type ResumedSignIn,
  renewSignIn,
  signInAfter,
} from '../sign-in/resume-sign-in.ts';
import {stoppable} from '../stoppable.ts';
import {type ConnectionInput, type ConnectionReport, checkConnection} from './check-connection.ts';

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
  const tokens = await renewSignIn({context, tokens: input.tokens, ...rest}, run);
  return {check: await checkConnection({...input, tokens}, run), tokens};
};

/** A server that answered, and how long it took, in milliseconds. */
export type Slowest = {readonly service: Service; readonly ms: number};

/** How a saved deployment answers now: every server accepts the token, or the first thing that is wrong. */
export type SavedConnection =
  | {readonly state: 'connected'; readonly slow?: Slowest}
  | {readonly state: 'failed'; readonly error: SetupError};

/** The state of a saved sign-in, and of its deployment if the sign-in is alive. */
export type LiveState = {readonly signIn: InspectedSignIn; readonly connection?: SavedConnection};

/** From this time on an answer counts as slow, in milliseconds: a person has begun to wait for it. */
const SLOW = 2_000;

/**
 * Asks a saved deployment how it is: its health, whether it accepts the token and lists its tools, and whether the
 * account has a role. A refused token is renewed, as the bridge does. Changes nothing else.
 *
 * @throws the signal's reason, and what is no SetupError
 */
export const askSavedConnection: Flow<Context, LiveState> = (context, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
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
      clientId,
      ...(contact === undefined ? {} : {contact}),
    };
    try {
      await checkConnection(input, quiet).catch(async error => {
        if (!isTokenRefusal(error)) throw error;
        slowest = undefined;
        await checkRenewed({context, input, despite: 'pause'}, quiet);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      const ended = await endedBy(error, context, ports);
      return ended ? {signIn: ended} : {signIn, connection: {state: 'failed', error}};
    }
    return {signIn, connection: {state: 'connected', ...(slowest && slowest.ms >= SLOW ? {slow: slowest} : {})}};
  });

/** Returns the slower one of an answer so far and the one that an event reports. */
const slowerOf = (slowest: Slowest | undefined, event: FlowEvent): Slowest | undefined => {
  if (event.type !== 'health-checked' && event.type !== 'server-checked') return slowest;
  const service =
    event.type === 'health-checked' ? event.service : event.server === 'control-plane' ? 'control-plane' : 'observer';
  return slowest === undefined || event.ms > slowest.ms ? {service, ms: event.ms} : slowest;
};
