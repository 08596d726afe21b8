import {SETUP} from '../setup-command.ts';

/** A command of this program in a remedy. How the reader starts the program is added when the remedy is shown. */
export type SuggestedCommand = {
  /** The words of the command, separated by spaces; empty for the wizard. */
  readonly words: string;
  /** Arguments and flags behind the words, as a person types them. */
  readonly rest?: string;
  /** True for the sign-in: if the deployment concerned is known, its own sign-in command replaces this one. */
  readonly isSignIn?: true;
};

/** Sentences in which commands of this program are values. */
export type Text = string | {readonly parts: readonly (string | SuggestedCommand)[]};

/** What to do next, in a form that can be shown to a person at a prompt, in the wizard, or in an assistant. */
export type Advice =
  | Text
  | {
      /** What to do; without the full stop if `command` is given. */
      readonly do: Text;
      /** The command that does it. The wizard leaves it out, because it offers a choice instead. */
      readonly command?: SuggestedCommand;
      /** The flag or the command that does it. The wizard leaves it out, because it asks a question instead. */
      readonly flag?: Text;
    }
  /** Two wordings: for a person in the wizard, and for all others. */
  | {readonly asked: Text; readonly typed: Text}
  /** Lines to copy as they are, such as a command with its input. They are shown below all sentences. */
  | {readonly block: string}
  /** Several pieces of advice, one after the other. */
  | readonly Advice[];

/**
 * Returns a command of this program, for a remedy.
 *
 * @param words the words of the command; none for the wizard
 * @param rest arguments and flags, as a person types them
 */
export const setup = (words = '', rest = ''): SuggestedCommand => ({words, ...(rest === '' ? {} : {rest})});

/** Returns the command that signs in to the deployment concerned. @param rest further flags, as a person types them */
export const signIn = (rest = ''): SuggestedCommand => ({...setup('login', rest), isSignIn: true});

/** Returns the same command with further arguments and flags, as a person types them. */
export const withFlags = (command: SuggestedCommand, flags: string): SuggestedCommand => {
  const rest = [command.rest ?? '', flags].filter(Boolean).join(' ');
  return {...command, ...(rest === '' ? {} : {rest})};
};

/** Returns a command of this program as a person types it. */
export const commandLineOf = ({words, rest = ''}: SuggestedCommand): string =>
  [SETUP, words, rest].filter(Boolean).join(' ');

/** A template tag for sentences with commands in them: `` phrase`Run ${setup('doctor')}.` `` */
export const phrase = (
  strings: TemplateStringsArray,
  ...values: readonly (string | number | SuggestedCommand)[]
): Text => ({
  parts: strings.flatMap((string, index) => {
    const value = values[index];
    return value === undefined ? [string] : [string, typeof value === 'number' ? String(value) : value];
  }),
});

/** How advice is shown to a reader: how commands are written, and whether the wizard asks the reader questions. */
export type Manner = {
  readonly command: (suggested: SuggestedCommand) => string;
  readonly isAsked?: boolean;
};

/** Returns advice as sentences, without its block. */
export const sayAdvice = (advice: Advice, manner: Manner): string => {
  const {command, isAsked = false} = manner;
  const say = (text: Text) =>
    typeof text === 'string'
      ? text
      : text.parts.map(part => (typeof part === 'string' ? part : command(part))).join('');
  if (isList(advice)) return joined(advice.map(one => sayAdvice(one, manner)));
  if (typeof advice === 'string') return advice;
  if ('parts' in advice) return say(advice);
  if ('block' in advice) return '';
  if ('asked' in advice) return say(isAsked ? advice.asked : advice.typed);
  if (advice.command) return `${say(advice.do)}${isAsked ? '' : `: ${command(advice.command)}`}.`;
  return joined([say(advice.do), ...(advice.flag === undefined || isAsked ? [] : [say(advice.flag)])]);
};

/** Returns the lines in advice that are to be copied as they are; undefined if there are none. */
export const blockIn = (advice: Advice): string | undefined => {
  if (isList(advice)) return advice.map(blockIn).find(block => block !== undefined);
  return typeof advice === 'object' && 'block' in advice ? advice.block : undefined;
};

/** TypeScript does not narrow a union by `Array.isArray` if its list is read-only. */
const isList = (advice: Advice): advice is readonly Advice[] => Array.isArray(advice);

const joined = (sentences: readonly string[]): string => sentences.filter(Boolean).join(' ');

/** Returns the flags that name what the next sign-in has to ask for, as a person types them. */
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
    ...(scopes === undefined ? [] : [`--scopes "${scopes.join(' ')}"`]),
    ...(acrValues === undefined ? [] : [`--acr-values "${acrValues}"`]),
    ...(maxAge === undefined ? [] : [`--max-age ${maxAge}`]),
  ].join(' ');
