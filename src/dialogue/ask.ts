import type {Offer, Validate} from '../state/view/view.ts';
import type {LineReader} from './line-reader.ts';

/** One of the numbered choices of a question. */
export type Option<Value> = {readonly label: string; readonly hint?: string; readonly value: Value};

/** A word that may be typed instead of a number. */
export type Word<Value> = {readonly word: string; readonly label: string; readonly value: Value};

type Asked<Value> = {
  readonly options: readonly Option<Value>[];
  /** The index of the option that Enter takes. Absent if a mistaken Enter must not decide. */
  readonly initial?: number;
  readonly words: readonly Word<Value>[];
};

type Talk = {readonly reader: LineReader; readonly say: (text: string) => void; readonly signal: AbortSignal};

/** The word for help, as on the screens. A question for a secret has none: its answer may be any text. */
export const HELP = '?';

/** The sentence that says how to leave the dialogue. */
export const LEAVING = 'Ctrl-C leaves.';

/** Lists the options with numbers. Resolves to the chosen one: by number, by the beginning of its label or by Enter. */
export const askChoice = async <Value>({options, initial, words}: Asked<Value>, talk: Talk): Promise<Value> => {
  const {reader, say, signal} = talk;
  const list = () => {
    for (const [index, {label, hint}] of options.entries()) say(`  ${index + 1}. ${label}${hint ? `. ${hint}` : ''}`);
    const byEnter = initial === undefined ? '' : `, or press Enter for ${initial + 1}`;
    say(`Type a number${byEnter}. Or ${[...words.map(describeWord), `${HELP} for help`].join(', ')}.`);
  };
  list();
  for (;;) {
    const typed = (await reader.ask('> ', {signal})).trim().toLowerCase();
    if (typed === HELP) {
      say(`Type the number of a choice, or the beginning of its text, then press Enter. ${LEAVING}`);
      list();
      continue;
    }
    const found = typed === '' ? options[initial ?? -1] : (options[Number(typed) - 1] ?? byLabel(options, typed));
    const word = words.find(one => one.word === typed);
    if (found ?? word) return ((found ?? word) as {value: Value}).value;
    say(
      typed === ''
        ? 'Type the number of one of these.'
        : `“${typed}” is none of these. Type a number from 1 to ${options.length}.`,
    );
  }
};

const describeWord = <Value>({word, label}: Word<Value>) => `${word} to ${label}`;

/** Returns the option whose label begins with the typed text, if only one does. A single letter is not enough. */
const byLabel = <Value>(options: readonly Option<Value>[], typed: string): Option<Value> | undefined => {
  const begun = typed.length > 1 ? options.filter(({label}) => label.toLowerCase().startsWith(typed)) : [];
  return begun.length === 1 ? begun[0] : undefined;
};

type AskedText = {
  readonly label: string;
  readonly initial?: string;
  readonly secret?: boolean;
  /** Returns why a typed text is not acceptable. */
  readonly validate?: Validate;
};

/** The word that leads back from a text question. Not a letter, which could be a name, an address or a secret. */
export const BACK = '<';

/**
 * Asks for one line. Enter alone takes the initial text. An empty answer is asked for again.
 *
 * @returns undefined if the person goes back
 */
export const askText = async (
  {label, initial = '', secret = false, validate}: AskedText,
  {reader, say, signal}: Talk,
): Promise<string | undefined> => {
  const hints = [
    ...(initial === '' ? [] : [`Enter for ${initial}`]),
    ...(secret ? ['not shown while you type'] : []),
    `${BACK} to go back`,
  ].join(', ');
  for (;;) {
    const typed = (await reader.ask(`${label} (${hints}): `, {signal, secret})).trim();
    if (typed === BACK) return undefined;
    // A secret may consist of any characters, the help word included.
    if (typed === HELP && !secret) {
      const byEnter = initial === '' ? '' : ` To answer ${initial}, press only Enter.`;
      say(`Type the answer to “${label}”, then press Enter.${byEnter} Type ${BACK} to go back. ${LEAVING}`);
      continue;
    }
    const text = typed === '' ? initial : typed;
    const why = text === '' ? 'Type something first.' : validate?.(text);
    if (why === undefined) return text;
    say(why);
  }
};

export const toOption = (offer: Offer): Option<Offer> => ({
  label: offer.label,
  ...(offer.hint ? {hint: offer.hint} : {}),
  value: offer,
});
