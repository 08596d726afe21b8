import type {Key} from 'ink';

/** A line of text with a cursor: `cursor` counts UTF-16 units and stands between two whole characters. */
export type Line = {readonly text: string; readonly cursor: number};

export const lineOf = (text: string): Line => ({text, cursor: text.length});

/**
 * The editing keys that people expect in one line: arrows, Home, End, Backspace, Delete, and those of readline and of
 * editors for words and ends.
 *
 * @param isSecret a secret is one word, as where its words begin and end says something of it
 */
export const edit = (line: Line, input: string, key: Key, isSecret = false): Line => {
  const {text, cursor} = line;
  const ctrl = (letter: string) => key.ctrl && input === letter;
  const alt = (letter: string) => key.meta && !key.ctrl && input.toLowerCase() === letter;
  const byWord = key.ctrl || key.meta;
  const before = () => (isSecret ? 0 : wordBefore(line));
  const after = () => (isSecret ? text.length : wordAfter(line));
  if (alt('b') || (key.leftArrow && byWord)) return {text, cursor: before()};
  if (alt('f') || (key.rightArrow && byWord)) return {text, cursor: after()};
  if (alt('d') || (key.delete && byWord)) return without(line, cursor, after());
  if (key.backspace && byWord) return without(line, before(), cursor);
  if (key.leftArrow || ctrl('b')) return {text, cursor: characterBefore(line)};
  if (key.rightArrow || ctrl('f')) return {text, cursor: characterAfter(line)};
  if (key.home || ctrl('a')) return {text, cursor: 0};
  if (key.end || ctrl('e')) return {text, cursor: text.length};
  if (key.backspace) return without(line, characterBefore(line), cursor);
  if (key.delete || ctrl('d')) return without(line, cursor, characterAfter(line));
  if (ctrl('u')) return without(line, 0, cursor);
  if (ctrl('k')) return without(line, cursor, text.length);
  if (ctrl('w')) return without(line, isSecret ? 0 : blanksBefore(line), cursor);
  if (key.ctrl || key.meta || key.return || key.escape || key.tab || key.upArrow || key.downArrow) return line;
  return insert(line, input);
};

/**
 * Of lines that were pasted into a field, what the field takes, and what is to be said of the others. An address that
 * a terminal broke over several rows is one; of anything else the first line is meant.
 */
export const oneLineOf = (pasted: string): {readonly text: string; readonly notice?: string} => {
  const [first = '', ...others] = pasted.split(/[\r\n]+/).filter(line => line.trim() !== '');
  if (others.length === 0) return {text: pasted};
  const isAddress = /^\s*https?:\/\/\S+$/i.test(first);
  if (isAddress && others.every(line => /^\s*[^\s:]+\s*$/.test(line)))
    return {
      text: [first, ...others].map(line => line.trim()).join(''),
      notice: `${others.length + 1} lines were joined into one address.`,
    };
  return {text: first, notice: 'Only the first of the lines was taken: this field is one line.'};
};

/** Typed or pasted text at the cursor. Pasted newlines and other controls are dropped: a field is one line. */
export const insert = ({text, cursor}: Line, added: string): Line => {
  const clean = added.replaceAll(/[\p{Cc}]+/gu, '');
  return {text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length};
};

const without = ({text}: Line, from: number, to: number): Line => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

const segmenter = new Intl.Segmenter();

/** More units than any one character has. What is looked at stays small, however long the text is. */
const NEAR = 256;

/** The whole characters of a text: a flag or an accent is one, however many units it has. */
export const charactersOf = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({segment}) => segment);

/** Where the character before the cursor begins, and where the one behind it ends. */
const characterBefore = ({text, cursor}: Line) =>
  cursor - (charactersOf(text.slice(Math.max(0, cursor - NEAR), cursor)).at(-1)?.length ?? 0);
export const characterAfter = ({text, cursor}: Line): number =>
  cursor + (charactersOf(text.slice(cursor, cursor + NEAR))[0]?.length ?? 0);

/** The characters before the cursor, from it to the beginning; a few are looked for at a time. */
function* backwards({text, cursor}: Line): Generator<string> {
  for (let end = cursor; end > 0; ) {
    const from = Math.max(0, end - NEAR);
    const all = charactersOf(text.slice(from, end));
    // The first of them may have begun before.
    for (const character of all.slice(from > 0 && all.length > 1 ? 1 : 0).reverse()) {
      yield character;
      end -= character.length;
    }
  }
}

/** The characters behind the cursor, from it to the end. */
function* forwards({text, cursor}: Line): Generator<string> {
  for (let from = cursor; from < text.length; ) {
    const isLast = from + NEAR >= text.length;
    const all = charactersOf(text.slice(from, from + NEAR));
    for (const character of isLast || all.length === 1 ? all : all.slice(0, -1)) {
      yield character;
      from += character.length;
    }
  }
}

/** How many units it is past the next word, and past what stands before it. */
const pastWord = (characters: Iterable<string>, isInWord: (character: string) => boolean): number => {
  let [passed, hasBegun] = [0, false];
  for (const character of characters) {
    if (isInWord(character)) hasBegun = true;
    else if (hasBegun) break;
    passed += character.length;
  }
  return passed;
};

/** A word is made of letters and digits, so that one key goes through an address part by part. */
const isLetter = (character: string) => /^[\p{L}\p{N}]/u.test(character);
const isNoBlank = (character: string) => /\S/.test(character);

const wordBefore = (line: Line) => line.cursor - pastWord(backwards(line), isLetter);
const wordAfter = (line: Line) => line.cursor + pastWord(forwards(line), isLetter);
const blanksBefore = (line: Line) => line.cursor - pastWord(backwards(line), isNoBlank);
