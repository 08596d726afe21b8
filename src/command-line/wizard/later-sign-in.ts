import {resolve} from 'node:path';
import {type PendingCode, pendingIn, pendingKey} from '../../domain/credentials.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, signIn} from '../../errors/remedy.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import type {Invocation} from '../command.ts';
import type {FlagName, FlagValues} from '../flags.ts';

/** The flags that apply to one run only, and those that carry or read a secret. */
const notKept: ReadonlySet<FlagName> = new Set([
  ...([
    'no-wait',
    'resume',
    'json',
    'quiet',
    'yes',
    'debug',
    'help',
    'version',
    'no-color',
    'accessible',
    'plain',
  ] as const),
  ...(['client-secret', 'client-secret-stdin', 'admin-password-stdin', 'setup-home', 'device', 'no-browser'] as const),
]);

/** The flags that name a file or a directory, relative to where the program was started. */
const paths: ReadonlySet<FlagName> = new Set(['ca-file', 'client-cert', 'client-key', 'project']);

/** Returns the flags to save, so that the run that finishes this sign-in works with them in any directory. */
export const flagsToKeep = ({
  flags,
  typed,
}: Pick<Invocation, 'flags' | 'typed'>): Readonly<Record<string, string | boolean>> =>
  Object.fromEntries(
    (Object.entries(flags) as [FlagName, string | boolean][])
      // A client ID from the environment is a service account's, and a service account does not sign in by a code.
      .filter(([name]) => !notKept.has(name) && (name !== 'client-id' || typed.has(name)))
      .map(([name, value]) => [name, paths.has(name) && typeof value === 'string' ? resolve(value) : value]),
  );

/**
 * Returns the invocation that finishes the sign-in of an earlier run: with the earlier flags, unless they are given
 * anew.
 *
 * @throws SetupError `auth-sign-in-required` if none was begun
 */
export const resumedBy = async (invocation: Invocation, {credentials}: Ports): Promise<Invocation> => {
  const pending = pendingIn(await credentials.get(pendingKey));
  if (!pending) {
    throw new SetupError('auth-sign-in-required', 'There is no unfinished sign-in.', {
      remedy: phrase`Begin one: ${signIn('--no-wait')}.`,
    });
  }
  const note = pending.note as FlagValues;
  return {
    ...invocation,
    flags: {...note, ...invocation.flags},
    typed: new Set([...(Object.keys(note) as FlagName[]), ...invocation.typed]),
  };
};

/** Returns the code that a person has to type now; undefined if there is none. */
export const pendingNow = async ({credentials}: Ports): Promise<PendingCode | undefined> =>
  pendingIn(await credentials.get(pendingKey));

/** The command that finishes the sign-in. */
export const RESUME = `${SETUP} login --resume`;

/**
 * Returns the members of JSON that describe a code for a person to type (RFC 8628 3.2). `secondsLeft` and `interval` are
 * in seconds.
 *
 * @param now milliseconds since the epoch
 */
export const pendingToJson = ({verificationUri, userCode, complete, until, interval}: PendingCode, now: number) => ({
  verificationUri,
  userCode,
  verificationUriComplete: complete,
  expiresAt: new Date(until).toISOString(),
  secondsLeft: Math.floor((until - now) / 1000),
  interval,
  resume: RESUME,
});
