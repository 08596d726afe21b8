import {resolve} from 'node:path';
import {type PendingCode, pendingIn, pendingKey} from '../../domain/credentials.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import type {Invocation} from '../command.ts';
import type {FlagName, FlagValues} from '../flags.ts';

/** Flags of one run alone, and those that carry a secret or read one. */
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

/** Flags that name a file or a directory, from wherever the program was started. */
const paths: ReadonlySet<FlagName> = new Set(['ca-file', 'client-cert', 'client-key', 'project']);

/** The flags of a run by which the one that finishes it does the same, in whichever directory. */
export const flagsToKeep = ({
  flags,
  typed,
}: Pick<Invocation, 'flags' | 'typed'>): Readonly<Record<string, string | boolean>> =>
  Object.fromEntries(
    (Object.entries(flags) as [FlagName, string | boolean][])
      // In the environment it is a service account's, which does not sign in by a code.
      .filter(([name]) => !notKept.has(name) && (name !== 'client-id' || typed.has(name)))
      .map(([name, value]) => [name, paths.has(name) && typeof value === 'string' ? resolve(value) : value]),
  );

/**
 * A run that finishes the sign-in of an earlier one: with the flags of that, unless they are given anew.
 *
 * @throws SetupError `auth-sign-in-required` where none was begun
 */
export const resumedBy = async (invocation: Invocation, {credentials}: Ports): Promise<Invocation> => {
  const kept = pendingIn(await credentials.get(pendingKey));
  if (!kept) {
    throw new SetupError('auth-sign-in-required', 'No sign-in was begun that could be finished.', {
      remedy: `Begin one: ${SETUP} login --no-wait.`,
    });
  }
  const note = kept.note as FlagValues;
  return {
    ...invocation,
    flags: {...note, ...invocation.flags},
    typed: new Set([...(Object.keys(note) as FlagName[]), ...invocation.typed]),
  };
};

/** The code that a person is asked to type now. */
export const pendingNow = async ({credentials}: Ports): Promise<PendingCode | undefined> =>
  pendingIn(await credentials.get(pendingKey));
