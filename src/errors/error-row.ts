import {SETUP} from '../setup-command.ts';
/** Whose turn it is after a failure: the person's, the platform's operators', or this project's. */
export type Whose = 'you' | 'platform' | 'us';

/**
 * What to do next: a sentence, or one about the command that signs in, which depends on what the person is about. With
 * `isAsked` it is for somebody who is asked, and can answer: no flag is of use to them.
 */
export type Remedy = string | ((signIn?: string, isAsked?: boolean) => string);

export type Row = {readonly exit: number; readonly whose: Whose; readonly remedy: Remedy};

export const row = (exit: number, whose: Whose, remedy: Remedy): Row => ({exit, whose, remedy});

/** A sentence that holds the command that signs in, with flags behind it. */
export const withSignInCommand =
  (sentence: (signIn: string) => string): Remedy =>
  (signIn = `${SETUP} login`) =>
    sentence(signIn);

/**
 * What to do about a sign-in, with the command that does it: the usual one, unless it is known which deployment is meant.
 * Who is asked in the wizard has it as a choice, and gets no command.
 *
 * @param whatToDo without its full stop
 * @param more sentences behind it
 */
export const bySigningIn =
  (whatToDo: string, more = ''): Remedy =>
  (signIn = `${SETUP} login`, isAsked = false) =>
    `${whatToDo}${isAsked ? '' : `: ${signIn}`}.${more === '' ? '' : ` ${more}`}`;

/** @returns the remedy as a sentence; see {@link Remedy} */
export const sayRemedy = (remedy: Remedy, signIn?: string, isAsked = false): string =>
  typeof remedy === 'string' ? remedy : remedy(signIn, isAsked);

/** What to do, and by which flags: those are left out for somebody who is asked. */
export const orByFlag =
  (sentence: Remedy, flags: Remedy): Remedy =>
  (signIn, isAsked = false) =>
    isAsked
      ? sayRemedy(sentence, signIn, true)
      : `${sayRemedy(sentence, signIn)} ${sayRemedy(flags, signIn)}`.trimStart();

/** Exit codes by family: what a script can act on without knowing every code. */
export const INPUT = 2;
export const NETWORK = 3;
export const AUTH = 4;
export const PLATFORM = 5;
export const LOCAL = 6;
/** Nothing is wrong: it is to be tried again later (EX_TEMPFAIL of sysexits.h). */
export const PENDING = 75;

/** What the next sign-in has to ask for, as the flags of the command that signs in, each with a space before it. */
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
