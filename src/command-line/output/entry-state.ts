import {isAlive, type SignInState} from '../../domain/sign-in-lifecycle.ts';
import type {EntryState} from '../../flows/assistants/inspect-entries.ts';
import {untilSignInEnds} from '../../flows/sign-in/sign-in-end.ts';
import {SETUP} from '../../setup-command.ts';
import {duration} from '../../text.ts';
import {formatTable} from './format-table.ts';

/**
 * Returns the state of an entry, in words.
 *
 * @param now in milliseconds since the epoch
 * @param signIn the sign-in that the entry depends on
 * @param about the flag that directs a command to the deployment of the entry, see `contextFlag`
 */
export const describeEntryState = (entry: EntryState, now: number, signIn: SignInState, about = ''): string =>
  entry.isOff ? 'switched off in the assistant' : standingInWords(entry, now, signIn, about);

const standingInWords = (
  {state, method, expiresAt, program}: EntryState,
  now: number,
  signIn: SignInState,
  about: string,
): string => {
  if (state === 'given') return `connected by your organisation${isAlive(signIn) ? '' : ', sign-in needed'}`;
  if (state === 'changed') return 'changed by hand, left alone';
  if (state === 'missing') return 'entry missing';
  if (state === 'program-gone') return `broken: ${program} no longer exists. Fix: ${SETUP} doctor --fix${about}`;
  if (state === 'unreadable') return 'its file cannot be read';
  if (state === 'signed-out') return 'signed out';
  if (state === 'own-sign-in') return 'signs in by itself (OAuth)';
  if (state === 'kept') {
    const by = method === 'helper' ? 'helper' : 'bridge';
    if (!isAlive(signIn)) return `sign-in needed (${by})`;
    // A sign-in that is not renewed ends with its token.
    const left = signIn.secondsLeft === undefined ? '' : `, ${duration(signIn.secondsLeft * 1000)} left`;
    return signIn.renewable
      ? `auto-renewed (${by})${untilSignInEnds(signIn, now).replace(/^ /, ', ')}`
      : `not renewed (${by})${left}`;
  }
  if (expiresAt === undefined) return 'a token, expiry unknown';
  if (expiresAt > now) return `a token, ${duration(expiresAt - now)} left`;
  return isAlive(signIn) ? `an expired token. Fix: ${SETUP} mcp connect${about}` : 'an expired token, sign-in needed';
};

/** One entry of an assistant, in words. */
export type EntryRow = {
  readonly assistant: string;
  readonly name: string;
  /** Its tools; undefined if it has all of them. */
  readonly tools?: string | undefined;
  readonly path: string;
  /** How it stays signed in. */
  readonly standing: string;
};

/**
 * Formats entries as a table; if that is wider than the terminal, as a few lines for each file. The path and the state
 * of an entry are what the person wants to know, so neither is cut.
 *
 * @param width of the terminal, in columns; without it the table is not limited
 * @returns lines, each with its line feed
 */
export const formatEntries = async (rows: readonly EntryRow[], width?: number): Promise<string> => {
  // Most entries have all tools, which needs no column.
  const isNarrowed = rows.some(({tools}) => tools !== undefined);
  const header = ['ASSISTANT', 'ENTRY', ...(isNarrowed ? ['TOOLS'] : []), 'FILE', 'SIGN-IN'];
  const cells = rows.map(({assistant, name, tools, path, standing}) => [
    assistant,
    name,
    ...(isNarrowed ? [tools ?? 'all'] : []),
    path,
    standing,
  ]);
  const table = await formatTable([header, ...cells]);
  if (width === undefined || table.split('\n').every(line => line.length <= width)) return table;
  const groups = Map.groupBy(rows, ({assistant, path, standing, tools = ''}) =>
    JSON.stringify([assistant, path, standing, tools]),
  );
  return [...groups.values()].map(describeGroup).join('');
};

const describeGroup = (rows: readonly EntryRow[]): string => {
  const [{assistant, path, standing, tools} = {assistant: '', path: '', standing: '', tools: undefined}] = rows;
  const names = rows.map(({name}) => name).join(', ');
  return [
    `${assistant}: ${standing}`,
    `  ${path}`,
    `  ${names}${tools === undefined ? '' : ` (tools: ${tools})`}`,
    '',
  ].join('\n');
};
