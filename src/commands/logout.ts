import {allAssistants} from '../assistants/catalogue/all.ts';
import {actingAs} from '../command-line/acting-as.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import {confirm} from '../command-line/output/confirm.ts';
import {writingRun} from '../command-line/output/writing-run.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {type Context, hasClientSecret} from '../domain/context.ts';
import {isUsedBy} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {quietRun} from '../flows/flow.ts';
import {dropPending, endSession, IF_ONLY_COPY, signOut} from '../flows/sign-out.ts';
import type {Ports} from '../ports/ports.ts';
import {SETUP} from '../setup-command.ts';
import {shortPath} from '../store/own-paths.ts';
import {duration} from '../text.ts';

/**
 * `setup logout`: revokes the sign-in if the identity provider can, then removes its secrets. A sign-in that another
 * context uses too is kept. Before an MCP client's secret is removed, which may have no other copy, a person at a
 * terminal is asked.
 */
export const runLogout: CommandHandler = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const base = portsOf(invocation);
  const {contexts} = await base.config.read();
  // Without a saved context, the only thing to sign out of is a first sign-in that was not finished.
  if (contexts.length === 0 && flags.context === undefined && (await dropPending(base))) {
    if (flags.json) terminal.stdout.writeJson({droppedCode: true});
    else terminal.stdout.tell(`${dropped}\n`);
    return;
  }
  const {context: found, ports} = await currentContext(base, invocation);
  const context = await actingAs(found, invocation);
  const place = readPlace(env);
  const others = contexts.filter(({name}) => name !== context.name);
  const lost = await secretToLose(context, others, ports);
  if (lost !== undefined && terminal.interactive && !flags.json && !flags.yes) {
    terminal.stdout.tell(`This also removes the secret of ${lost}: ${IF_ONLY_COPY}.\n`);
    await confirm('Sign out?', {command: `${SETUP} logout --yes`}, invocation);
  }
  const {
    revocation,
    cleared,
    answered,
    goodUntil,
    accessUntil,
    alsoEnded = [],
    droppedCode = false,
  } = await signOut({context, assistants: allAssistants, place}, writingRun(ports, signal, terminal));
  const session = flags.everywhere ? await sessionOf(context, ports, signal) : undefined;
  if (flags.json) {
    const until = {
      ...(goodUntil === undefined ? {} : {goodUntil: new Date(goodUntil).toISOString()}),
      ...(accessUntil === undefined ? {} : {accessUntil: new Date(accessUntil).toISOString()}),
    };
    const others = {
      ...(answered === undefined ? {} : {answered}),
      ...(alsoEnded.length === 0 ? {} : {alsoEnded}),
      ...(droppedCode ? {droppedCode} : {}),
      ...(session?.address === undefined ? {} : {endSession: session.address}),
    };
    terminal.stdout.writeJson({context: context.name, revocation, cleared, ...until, ...others});
    return;
  }
  const words = {
    revoked: `The identity provider revoked it.`,
    'not-offered': 'The identity provider offers no revocation.',
    nothing: 'There was nothing left to revoke.',
    refused: `${answered ?? `${context.issuer} answered, but did not report success.`} So the sign-in was not revoked. It will expire there on its own.`,
    unread: 'Its secrets could not be read, so the sign-in was not revoked. It will expire there on its own.',
    shared: 'Another context uses the same sign-in, so it is kept.',
    failed: `${context.issuer} could not be reached to revoke the sign-in. It will expire there on its own.`,
  } as const;
  const stays = staying({goodUntil, accessUntil}, ports.clock.now());
  terminal.stdout.tell(
    `${context.actsAs === undefined ? 'Signed out' : 'Signed your assistants out'} of ${context.name}. ${words[revocation]}${stays}\n`,
  );
  if (lost !== undefined) terminal.stdout.tell(`The secret of ${lost} was removed: ${IF_ONLY_COPY}.\n`);
  if (alsoEnded.length > 0) {
    const names = alsoEnded.join(', ');
    terminal.stdout.tell(
      `This may also have ended other sign-ins of the same account and client: ${names}. If so, sign in again: ${SETUP} login --context ${alsoEnded[0]}.\n`,
    );
  }
  if (droppedCode) terminal.stdout.tell(`${dropped}\n`);
  for (const path of cleared) terminal.stdout.tell(`Its token was removed from ${shortPath(path, place.home)}.\n`);
  if (session) terminal.stdout.tell(`${session.sentence}\n`);
};

/** Returns the ID of the client whose secret a sign-out removes; undefined if it removes none. */
const secretToLose = async (
  context: Context,
  others: readonly Context[],
  {credentials}: Ports,
): Promise<string | undefined> => {
  if (!hasClientSecret(context)) return undefined;
  const stored = await credentials.get(context).catch(() => undefined);
  return stored?.clientSecret === undefined || isUsedBy(stored, others) ? undefined : context.clientId;
};

const dropped = 'The sign-in that you began with a code was cancelled: the code no longer signs anybody in here.';

type Until = {readonly goodUntil?: number | undefined; readonly accessUntil?: number | undefined};

/** Returns a sentence about each removed token that is still valid; empty if none is. */
const staying = ({goodUntil = 0, accessUntil = 0}: Until, now: number): string => {
  const left = [['refresh token', goodUntil - now] as const, ['access token', accessUntil - now] as const];
  const valid = left.filter(([, ms]) => ms > 0);
  return valid.map(([what, ms]) => ` The ${what} was removed here, but stays valid for ${duration(ms)}.`).join('');
};

type Session = {readonly address?: string; readonly sentence: string};

/** Opens the page at which a browser ends its session with the identity provider, or says which address that is. */
const sessionOf = async ({issuer, clientId}: Context, ports: Ports, signal: AbortSignal): Promise<Session> => {
  try {
    const address = await endSession({issuer, clientId}, quietRun(ports, signal));
    if (address === undefined) return {sentence: `${issuer} offers no page that ends its session in your browser.`};
    const isOpened = ports.browser.obstacle() === undefined && (await ports.browser.open(address));
    const how = isOpened ? 'Your browser asks whether to end' : 'Open this address to end';
    return {address, sentence: `${how} the session with ${issuer}:\n\n${address}`};
  } catch (error) {
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    return {sentence: `The session in your browser was not ended: ${error.message}`};
  }
};
