import type {Whose} from './error-row.ts';
import {rowOf} from './error-table.ts';
import {adviceIn, type ErrorCode, type Remedy, type SetupError, type WordedError, wordedError} from './errors.ts';
import type {KnownFault} from './known-fault.ts';
import {type Advice, blockIn, commandLineOf, type SuggestedCommand, sayAdvice, withFlags} from './remedy.ts';

/** The reader of a remedy. */
export type Reader = {
  /** The command that signs in to the deployment concerned, if that is known. */
  readonly signIn?: SuggestedCommand | undefined;
  /** True for a person in the wizard, who answers questions and needs no flags. */
  readonly isAsked?: boolean;
  /** How a command is written for this reader, if not as a person starts this program. */
  readonly command?: (suggested: SuggestedCommand) => string;
};

/** The facts about an error from the table of errors, with the remedy in words. */
export type ErrorDescription = {
  /** Sentences. */
  readonly remedy: string;
  /** Lines below them, to copy as they are. */
  readonly block?: string;
  readonly exitCode: number;
  readonly whose: Whose;
};

/** Describes an error to a reader. */
export const describeError = (error: SetupError, reader: Reader = {}): ErrorDescription => {
  const {exit, whose} = rowOf(error.code);
  const advice = advised(remedyOf(error));
  const block = blockIn(advice);
  return {remedy: sentences(advice, reader), ...(block === undefined ? {} : {block}), exitCode: exit, whose};
};

/** Returns a remedy as one text: sentences, then an empty line and the lines to copy. */
export const remedyInWords = (remedy: Remedy, reader: Reader = {}): string => {
  const advice = advised(remedy);
  const block = blockIn(advice);
  return [sentences(advice, reader), ...(block === undefined ? [] : [block])].join('\n\n');
};

/** Returns the lines to copy at the end of a remedy that `remedyInWords` returned; undefined if it has none. */
export const linesToCopyIn = (remedy: string): string | undefined => {
  const at = remedy.indexOf('\n\n');
  return at < 0 ? undefined : remedy.slice(at + 2);
};

/** Returns what to do about an error as one text. */
export const remedyText = (error: SetupError, reader: Reader = {}): string => remedyInWords(remedyOf(error), reader);

/** Describes an error that does not stop the person. */
export const knownFault = (error: SetupError): KnownFault => {
  const {remedy, block} = describeError(error);
  return {message: error.message, remedy, ...(block === undefined ? {} : {block})};
};

/** Returns the same error with its remedy in words. */
export const inWords = (error: SetupError, reader: Reader = {}): WordedError => {
  const {code, message, about} = error;
  return wordedError(code, message, {cause: error, about, remedy: remedyText(error, reader)});
};

/** Returns the remedy of an error: its own, or that of its code. */
export const remedyOf = ({code, remedy}: SetupError): Remedy => remedy ?? {of: code};

const advised = (remedy: Remedy): Advice => adviceIn(remedy, code => rowOf(code).remedy);

const sentences = (advice: Advice, {signIn, isAsked = false, command = commandLineOf}: Reader): string =>
  sayAdvice(advice, {
    command: one => command(one.isSignIn && signIn ? withFlags(signIn, one.rest ?? '') : one),
    isAsked,
  });

/** Returns a sentence that says who can fix a failure of this code. */
export const whoseTurn = (code: ErrorCode): string => {
  const {whose, orElse} = rowOf(code);
  return `Who can fix it: ${orElse === undefined ? fixers[whose] : `you, or ${orElse}.`}`;
};

const OPERATORS = 'the operators of the platform or of its identity provider.';

const fixers: Readonly<Record<Whose, string>> = {
  you: 'you.',
  platform: OPERATORS,
  either: `you, or ${OPERATORS}`,
  us: 'the makers of platform-setup.',
};

/** Whether the operators of the platform may have to act after a failure of this code. */
export const mayBeOperators = (code: ErrorCode): boolean => ['platform', 'either'].includes(rowOf(code).whose);
