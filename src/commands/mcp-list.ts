import {allAssistants} from '../assistants/catalogue/all.ts';
import {assistantPlace} from '../command-line/assistant-place.ts';
import type {Run} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import {formatTable} from '../command-line/output/format-table.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {isAlive, type SignInStanding, signInStanding} from '../domain/sign-in-standing.ts';
import {duration} from '../duration.ts';
import {type EntryStanding, inspectEntries} from '../flows/assistants/entry.ts';
import {untilSignInEnds} from '../flows/sign-in/entry.ts';
import {shortPath} from '../state/stores/places.ts';

/** `setup mcp list`: the entries of a deployment in assistants, as their files have them now. No network. */
export const runMcpList: Run = async invocation => {
  const {flags, env, terminal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const entries = await inspectEntries(context, allAssistants, ports);
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({context: context.name, entries: entries.map(toJson)})}\n`);
    return;
  }
  if (entries.length === 0) {
    terminal.stdout.write(`No assistant is connected to ${context.name}. Run npx setup mcp connect.\n`);
    return;
  }
  const {home} = assistantPlace(env);
  const now = ports.clock.now();
  const standing = signInStanding(await ports.credentials.get(context), now);
  const rows = entries.map(one => [one.assistant, one.name, shortPath(one.path, home), standingIn(one, now, standing)]);
  terminal.stdout.write(formatTable([['ASSISTANT', 'ENTRY', 'FILE', 'SIGN-IN'], ...rows]));
};

const toJson = ({expiresAt, ...entry}: EntryStanding) => ({
  ...entry,
  ...(expiresAt === undefined ? {} : {expiresAt: new Date(expiresAt).toISOString()}),
});

/**
 * How an entry stands, in words.
 *
 * @param now in milliseconds since the epoch
 * @param signIn the sign-in that it is kept up by
 */
export const standingIn = ({state, method, expiresAt}: EntryStanding, now: number, signIn: SignInStanding): string => {
  if (state === 'missing') return 'not there any more';
  if (state === 'unreadable') return 'its file cannot be read';
  if (state === 'signed-out') return 'signed out';
  if (state === 'kept') {
    const by = `by ${method === 'helper' ? 'a helper' : 'the bridge'}`;
    if (!isAlive(signIn)) return `waits for your sign-in, ${by}`;
    // What is not renewed ends with its token.
    const left = signIn.secondsLeft === undefined ? '' : `, ${duration(signIn.secondsLeft * 1000)} left`;
    return signIn.renewable
      ? `kept, ${by},${untilSignInEnds(signIn, now)}`.replace(/,$/, '')
      : `not renewed, ${by}${left}`;
  }
  if (expiresAt === undefined) return 'a token, expiry unknown';
  return expiresAt > now ? `a token, ${duration(expiresAt - now)} left` : 'a token that has ended';
};
