import {SETUP} from '../setup-command.ts';
import type {ExitCode} from './exit-codes.ts';

/** The party that has to act after a failure: the person, the platform's operators, or this project. */
export type Whose = 'you' | 'platform' | 'us';

/**
 * The next step: a sentence, or a function that builds one with the command that signs in, which depends on the
 * deployment. With `isAsked` the sentence is for a person who can answer a question of the wizard, and so needs no
 * flags.
 */
export type Remedy = string | ((signIn?: string, isAsked?: boolean) => string);

export type Row = {readonly exit: ExitCode; readonly whose: Whose; readonly remedy: Remedy};

export const row = (exit: ExitCode, whose: Whose, remedy: Remedy): Row => ({exit, whose, remedy});

/** Builds a remedy that contains the command that signs in, possibly with flags after it. */
export const withSignInCommand =
  (sentence: (signIn: string) => string): Remedy =>
  (signIn = `${SETUP} login`) =>
    sentence(signIn);

/**
 * Builds a remedy that consists of signing in, with the command: the general one unless the deployment is known. In the
 * wizard the person can choose to sign in, and gets no command.
 *
 * @param whatToDo without its full stop
 * @param more sentences after it
 */
export const bySigningIn =
  (whatToDo: string, more = ''): Remedy =>
  (signIn = `${SETUP} login`, isAsked = false) =>
    `${whatToDo}${isAsked ? '' : `: ${signIn}`}.${more === '' ? '' : ` ${more}`}`;

/**
 * Words a remedy.
 *
 * @returns the remedy as a sentence; see {@link Remedy}
 */
export const sayRemedy = (remedy: Remedy, signIn?: string, isAsked = false): string =>
  typeof remedy === 'string' ? remedy : remedy(signIn, isAsked);

/** Builds a remedy with flags, which are omitted for a person who can answer a question. */
export const orByFlag =
  (sentence: Remedy, flags: Remedy): Remedy =>
  (signIn, isAsked = false) =>
    isAsked
      ? sayRemedy(sentence, signIn, true)
      : `${sayRemedy(sentence, signIn)} ${sayRemedy(flags, signIn)}`.trimStart();

/** Exit codes by family, so that a script can react without knowing every code. */
export const INPUT = 2;
export const NETWORK = 3;
export const AUTH = 4;
export const PLATFORM = 5;
export const LOCAL = 6;
/** Nothing is wrong, but the command has to be repeated later (EX_TEMPFAIL of sysexits.h). */
export const PENDING = 75;

/** Returns the demands on the next sign-in as flags of the command that signs in, each preceded by a space. */
export const requestFlags = ({
  scopes,
  acrValues,
  maxAge,
}: {
  readonly scopes?: readonly string[];
  readonly acrValues?: string;
  readonly maxAge?: number;
}): string =>
  [
    scopes === undefined ? '' : ` --scopes "${scopes.join(' ')}"`,
    acrValues === undefined ? '' : ` --acr-values "${acrValues}"`,
    maxAge === undefined ? '' : ` --max-age ${maxAge}`,
  ].join('');
