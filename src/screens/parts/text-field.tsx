import {Box, type Key, usePaste} from 'ink';
import {createContext, useContext, useLayoutEffect, useRef, useState} from 'react';
import stringWidth from 'string-width';
import type {Header, Validate} from '../../state/view/view.ts';
import {printable} from '../../text.ts';
import {Text, Warning} from './safe-text.tsx';
import {Screen} from './screen.tsx';
import {useSize} from './size.tsx';
import {useGlyphs} from './theme.ts';
import {useInput} from './use-input.ts';

/** A line of text with a cursor. `cursor` counts UTF-16 units and is always between two whole characters. */
export type Line = {readonly text: string; readonly cursor: number};

export const lineOf = (text: string): Line => ({text, cursor: text.length});

/**
 * Handles the usual editing keys of one line: arrows, Home, End, Backspace, Delete, and those of readline and of
 * editors for words and ends.
 *
 * @param isSecret a secret counts as one word, because the positions of its words would tell something about it
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
 * Returns what a field takes of pasted lines, and what to say about the others. An address that a terminal broke over
 * several rows is joined; otherwise only the first line is taken.
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
  return {text: first, notice: 'Only the first line was taken: this field holds one line.'};
};

/** Inserts typed or pasted text at the cursor. Newlines and other controls are dropped: a field is one line. */
export const insert = ({text, cursor}: Line, added: string): Line => {
  const clean = added.replaceAll(/[\p{Cc}]+/gu, '');
  return {text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length};
};

const without = ({text}: Line, from: number, to: number): Line => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

const segmenter = new Intl.Segmenter();

/** More units than any character has. Only this many are examined at a time, however long the text is. */
const NEAR = 256;

/** Returns the whole characters of a text: a flag, or a letter with its accent, is one however many units it has. */
export const charactersOf = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({segment}) => segment);

/** The start of the character before the cursor, and the end of the one behind it. */
const characterBefore = ({text, cursor}: Line) =>
  cursor - (charactersOf(text.slice(Math.max(0, cursor - NEAR), cursor)).at(-1)?.length ?? 0);
export const characterAfter = ({text, cursor}: Line): number =>
  cursor + (charactersOf(text.slice(cursor, cursor + NEAR))[0]?.length ?? 0);

/** Yields the characters from the cursor back to the beginning, examining a few at a time. */
function* backwards({text, cursor}: Line): Generator<string> {
  for (let end = cursor; end > 0; ) {
    const from = Math.max(0, end - NEAR);
    const all = charactersOf(text.slice(from, end));
    // The first of them may be the rest of a character that begins earlier.
    for (const character of all.slice(from > 0 && all.length > 1 ? 1 : 0).reverse()) {
      yield character;
      end -= character.length;
    }
  }
}

/** Yields the characters from the cursor to the end. */
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

/** Returns the number of units up to the end of the next word, including what stands before it. */
const pastWord = (characters: Iterable<string>, isInWord: (character: string) => boolean): number => {
  let [passed, hasBegun] = [0, false];
  for (const character of characters) {
    if (isInWord(character)) hasBegun = true;
    else if (hasBegun) break;
    passed += character.length;
  }
  return passed;
};

/** A word consists of letters and digits, so that one key moves through an address part by part. */
const isLetter = (character: string) => /^[\p{L}\p{N}]/u.test(character);
const isNoBlank = (character: string) => /\S/.test(character);

const wordBefore = (line: Line) => line.cursor - pastWord(backwards(line), isLetter);
const wordAfter = (line: Line) => line.cursor + pastWord(forwards(line), isLetter);
const blanksBefore = (line: Line) => line.cursor - pastWord(backwards(line), isNoBlank);

/** The part of a line that is drawn in one row. `under` is the character at the cursor, or a blank at the end. */
export type TextWindow = {readonly before: string; readonly under: string; readonly after: string};

type Look = {
  /** Replaces each character of a secret. */
  readonly mask?: string;
  /** Marks where the text goes on. */
  readonly ellipsis: string;
};

/**
 * Returns as much of a line around its cursor as fits into `columns`. The window moves by a quarter of them at a time,
 * so that most keys change little of the row. Only text near the cursor is examined, however long the text is.
 */
export const windowOfText = (line: Line, columns: number, {mask, ellipsis}: Look): TextWindow => {
  const {text, cursor} = line;
  const end = characterAfter(line);
  const under = end > cursor ? drawn(text.slice(cursor, end), mask) || ' ' : ' ';
  // A text that could fit whole has only a few units per column.
  if (text.length <= 4 * columns) {
    const [before, after] = [drawn(text.slice(0, cursor), mask), drawn(text.slice(end), mask)];
    if (stringWidth(before) + stringWidth(under) + stringWidth(after) + (end > cursor ? 1 : 0) <= columns)
      return {before, under, after};
  }
  const mark = ellipsis.length;
  const room = Math.max(2, columns - 2 * mark);
  const quarter = Math.max(1, Math.floor(room / 4));
  let from = Math.max(0, (Math.floor(cursor / quarter) - 3) * quarter);
  let before = drawnFrom(text, from, cursor, mask);
  for (; stringWidth(before) + stringWidth(under) > room && from < cursor; from += quarter)
    before = drawnFrom(text, Math.min(cursor, from + quarter), cursor, mask);
  let left = room - stringWidth(before) - stringWidth(under);
  let after = '';
  let isCut = false;
  for (const character of charactersOf(text.slice(end, end + 8 * columns))) {
    const shown = drawn(character, mask);
    left -= stringWidth(shown);
    isCut = left < 0;
    if (isCut) break;
    after += shown;
  }
  const isCutBefore = before !== '' ? from > 0 : cursor > 0;
  return {before: (isCutBefore ? ellipsis : '') + before, under, after: after + (isCut ? ellipsis : '')};
};

/**
 * Returns the part of a text from one UTF-16 unit to another, as it is drawn. A character that begins before the first
 * unit is left out.
 */
const drawnFrom = (text: string, from: number, to: number, mask: string | undefined): string => {
  if (from === 0 || from >= to) return drawn(text.slice(from, to), mask);
  const [, ...whole] = charactersOf(text.slice(from - 1, to));
  return drawn(whole.join(''), mask);
};

const drawn = (text: string, mask: string | undefined): string =>
  mask === undefined ? printable(text) : mask.repeat(charactersOf(text).length);

/** Whether a component takes a text as a whole. An empty text asks whether it would take any. */
export type TextClaim = (text: string) => boolean;

/** Knows whether typed text is taken as a whole. If no component takes it, each character is a key. */
export type TextClaims = {
  readonly isTaken: TextClaim;
  /** Returns the function that removes the claim. */
  add(claim: TextClaim): () => void;
};

export const createTextClaims = (): TextClaims => {
  const claims = new Set<TextClaim>();
  return {
    isTaken: text => [...claims].some(claim => claim(text)),
    add: claim => {
      claims.add(claim);
      return () => claims.delete(claim);
    },
  };
};

const ClaimsContext = createContext<TextClaims>(createTextClaims());

export const TextClaimsProvider = ClaimsContext.Provider;

/** Claims text as long as the component is mounted and `claim` returns true. */
export const useTextClaim = (claim: TextClaim): void => {
  const claims = useContext(ClaimsContext);
  const latest = useRef(claim);
  latest.current = claim;
  useLayoutEffect(() => claims.add(text => latest.current(text)), [claims]);
};

export type Field = {
  readonly line: Line;
  /** The answer: the typed text, or the suggestion as long as none is typed. */
  readonly text: string;
  /** The suggestion; undefined once something is typed. */
  readonly suggested: string | undefined;
  /** The notice about pasted lines, if there was more than one. */
  readonly notice: string | undefined;
  readonly masked: boolean;
  readonly toggleMask: () => void;
  /** Replaces the text, with the cursor at its end. */
  readonly put: (text: string) => void;
};

type Options = {
  readonly secret?: boolean;
  /** True if typed text goes into this field. */
  readonly isActive?: boolean;
  /** Whether pasted text replaces the current text, because that was submitted and asked for again. */
  readonly isReplaced?: (text: string) => boolean;
  /** The answer if nothing is typed. */
  readonly suggestion?: string | undefined;
  /** The notice about lines that were pasted before the field existed. */
  readonly notice?: string | undefined;
};

/** One line that a person types or pastes. Keys that do not edit are ignored. */
export const useTextField = (
  initial: string,
  {secret = false, isActive = true, isReplaced = () => false, suggestion, notice: noticed}: Options = {},
): Field => {
  const [masked, setMasked] = useState(secret);
  const [line, setLine] = useState(() => lineOf(initial));
  const [notice, setNotice] = useState(noticed);
  useTextClaim(() => isActive);
  const change = (input: string, key: Key) => {
    setNotice(undefined);
    setLine(current => {
      // These keys turn the suggestion into text, so that the person can change it.
      const isTaken = current.text === '' && (key.rightArrow || key.end || (key.ctrl && input === 'e'));
      return isTaken && suggestion !== undefined ? lineOf(suggestion) : edit(current, input, key, secret);
    });
  };
  useInput(change, {isActive});
  const paste = (pasted: string) => {
    const taken = oneLineOf(pasted);
    setNotice(taken.notice);
    setLine(current =>
      insert(isReplaced(current.text) ? lineOf('') : current, secret ? taken.text.trim() : taken.text),
    );
  };
  usePaste(paste, {isActive});
  const toggleMask = () => setMasked(current => secret && !current);
  const isEmpty = line.text.trim() === '';
  return {
    ...{line, masked, toggleMask, notice},
    text: isEmpty ? (suggestion ?? '') : line.text,
    suggested: line.text === '' ? suggestion : undefined,
    put: text => setLine(lineOf(text)),
  };
};

/** The columns around the text: the margin, the pointer with its blank, and the last one, which no line may reach. */
const AROUND = 5;

type Props = {
  readonly label?: string;
  readonly field: Field;
  readonly isActive?: boolean;
  /** Replaces the pointer before the field while the field is active. */
  readonly sign?: string;
};

export function TextField({label, field, isActive = true, sign}: Props) {
  const {mask, pointer, ellipsis, cursor} = useGlyphs();
  const {columns} = useSize();
  const {masked, suggested, notice} = field;
  const line = suggested === undefined ? field.line : {text: suggested, cursor: 0};
  // Without inverse text, a sign marks the cursor. It takes a column of its own.
  const room = Math.max(4, columns - AROUND - (cursor?.length ?? 0));
  const {before, under, after} = windowOfText(isActive ? line : {...line, cursor: 0}, room, {
    ellipsis,
    ...(masked ? {mask} : {}),
  });
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {label === undefined ? null : <Text>{label}</Text>}
      <Text wrap="truncate">
        <Text bold={isActive}>{isActive ? (sign ?? pointer) : ' '} </Text>
        {before}
        {isActive && cursor === undefined ? <Text inverse>{under}</Text> : null}
        {isActive && cursor !== undefined ? `${cursor}${under}` : null}
        {isActive ? after : under + after}
        {suggested === undefined || !isActive ? '' : '  (suggested: Enter takes it)'}
      </Text>
      {notice === undefined ? null : (
        <Box marginLeft={-2}>
          <Warning message={notice} />
        </Box>
      )}
    </Box>
  );
}

type AskTextProps = {
  readonly header: Header;
  readonly heading: string;
  readonly label: string;
  readonly initial: string;
  /** True if `initial` is a suggestion that typing replaces, and not a text to correct. */
  readonly isSuggested?: boolean;
  /** The notice about the lines that `initial` was pasted in. */
  readonly notice?: string | undefined;
  /** True if `initial` was submitted before this component was opened. */
  readonly isSubmitted?: boolean;
  /** Says what is wrong with the typed text. */
  readonly validate?: Validate;
  /** Why the last submitted text was refused, as far as that is known. */
  readonly refusal?: string | undefined;
  readonly onSubmit: (text: string) => void;
  /** @param text what was typed so far */
  readonly onCancel: (text: string) => void;
};

type Submitted = {readonly text: string; readonly why: string | undefined};

/** The answer to Enter in an empty field. */
export const NOTHING_TYPED = 'Nothing is typed yet.';

/** A question that is answered by a text. */
export function AskText({
  header,
  heading,
  label,
  initial,
  isSuggested = false,
  notice,
  isSubmitted = false,
  validate,
  refusal,
  onSubmit,
  onCancel,
}: AskTextProps) {
  const field = useTextField(isSuggested ? '' : initial, {
    isReplaced: text => submitted?.text === text.trim(),
    suggestion: isSuggested ? initial : undefined,
    notice,
  });
  const [submitted, setSubmitted] = useState<Submitted | undefined>(
    isSubmitted ? {text: initial, why: undefined} : undefined,
  );
  const submit = () => {
    const text = field.text.trim();
    const why = text === '' ? NOTHING_TYPED : validate?.(text);
    setSubmitted({text, why});
    if (why === undefined) onSubmit(text);
  };
  const warningFor = (text: string) => (submitted?.text === text.trim() ? (submitted.why ?? refusal) : undefined);
  const warning = warningFor(field.text);
  const bindings = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['esc'], label: 'back', run: () => onCancel(field.text.trim())},
  ];
  return (
    <Screen header={header} heading={heading} bindings={bindings} typing>
      <TextField label={label} field={field} />
      {warning === undefined ? null : <Warning message={warning} />}
    </Screen>
  );
}
