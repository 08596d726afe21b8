import type {Offer, Validate} from '../state/view/view.ts';
import type {LineReader} from './line-reader.ts';

/** Something to choose from: an offer of the wizard's, or a word that works at every question. */
export type Option<Value> = {readonly label: string; readonly hint?: string; readonly value: Value};

/** A word that may be typed instead of a number. */
export type Word<Value> = {readonly word: string; readonly label: string; readonly value: Value};

type Asked<Value> = {
  readonly options: readonly Option<Value>[];
  /** The index of the one that Enter takes; none where a slip of the finger must not decide. */
  readonly initial?: number;
  readonly words: readonly Word<Value>[];
};

type Talk = {readonly reader: LineReader; readonly say: (line: string) => void; readonly signal: AbortSignal};

/** What asks for help, at every question, as the same key does on the screens. */
export const HELP = '?';

/** How one leaves, wherever one is. */
export const LEAVING = 'Ctrl-C leaves.';

/** Lists the options with numbers, and resolves with the one that is taken: by number, by its label's beginning, or by Enter. */
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
      say(`Each of these has a number. Type the number, or how its text begins, then press Enter. ${LEAVING}`);
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

/** A label may be typed as well, as far as it takes to tell it from the others. */
const byLabel = <Value>(options: readonly Option<Value>[], typed: string): Option<Value> | undefined => {
  const begun = typed.length > 1 ? options.filter(({label}) => label.toLowerCase().startsWith(typed)) : [];
  return begun.length === 1 ? begun[0] : undefined;
};

type AskedText = {
  readonly label: string;
  readonly initial?: string;
  readonly secret?: boolean;
  /** What is wrong with what was typed. */
  readonly validate?: Validate;
};

/** What leads back from a line that is asked for. No name, address or secret is this alone, as a letter may be. */
export const BACK = '<';

/**
 * Asks for one line; Enter alone takes what is there already. An empty answer is asked for again.
 *
 * @returns undefined where the person goes back
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
    // A secret may be anything.
    if (typed === HELP && !secret) {
      const byEnter = initial === '' ? '' : ` Enter alone answers ${initial}.`;
      say(`Type the answer to “${label}”, then press Enter.${byEnter} Type ${BACK} to go back. ${LEAVING}`);
      continue;
    }
    const text = typed === '' ? initial : typed;
    const why = text === '' ? 'Type something first.' : validate?.(text);
    if (why === undefined) return text;
    say(why);
  }
};

/** An offer as an option. */
export const toOption = (offer: Offer): Option<Offer> => ({
  label: offer.label,
  ...(offer.hint ? {hint: offer.hint} : {}),
  value: offer,
});
