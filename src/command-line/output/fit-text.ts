import {SETUP} from '../../setup-command.ts';
import {linesOf} from '../../text.ts';

/** A name, or the room of one that stands above, and what is said of it behind at least two blanks. */
const twoColumns = /^( {10,}| +\S.*? {2,})(\S.*)$/;

/** Where what is said of a name stands below it, as there is no room beside. */
const BELOW = 6;

/** The least that is worth having beside a name, in columns. */
const LEAST = 24;

/**
 * Help for a terminal of so many columns: what does not fit beside a name is continued below itself, or stands below the
 * name. Lines of a command stay whole, as they are copied.
 *
 * @param width in columns; without it, as for a pipe, the text stays as it is
 */
export const fitHelp = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .split('\n')
        .flatMap(line => (line.length < width ? line : fitLine(line, width)))
        .join('\n');

const fitLine = (line: string, width: number): readonly string[] => {
  const [, left, right = ''] = twoColumns.exec(line) ?? [];
  if (left === undefined) return line.startsWith(' ') ? [line] : linesOf(line, width - 1, 'whole');
  const room = width - 1 - left.length;
  const isBeside = room >= LEAST && right.split(' ').every(({length}) => length <= room);
  const indent = isBeside ? left.length : BELOW;
  const lines = linesOf(right, Math.max(1, width - 1 - indent), 'whole').map(one => `${' '.repeat(indent)}${one}`);
  if (isBeside) return [`${left}${(lines[0] ?? '').trimStart()}`, ...lines.slice(1)];
  return [...(left.trim() === '' ? [] : [left.trimEnd()]), ...lines];
};

/**
 * A sentence for a terminal of so many columns, indented by two on each of its lines.
 *
 * @param width in columns; without it, as for a pipe, it stays one line
 */
export const fitSentence = (text: string, width: number | undefined): string =>
  (width === undefined ? [text] : linesOf(text, Math.max(1, width - 1 - 2), 'whole'))
    .map(line => `  ${line}`)
    .join('\n');

/**
 * Sentences for a terminal of so many columns, each line broken between words and continued below its first word. A command
 * of this program stays whole, and so does the input that a shell's command is given in lines (a here-document, POSIX Shell
 * 2.7.4), so that what is copied is what runs.
 *
 * @param width in columns; without it, as for a pipe, the text stays as it is
 */
export const fitSentences = (text: string, width: number | undefined): string => {
  if (width === undefined) return text;
  let ends: string | undefined;
  return text
    .split('\n')
    .flatMap(line => {
      const isInput = ends !== undefined;
      if (line.trim() === ends) ends = undefined;
      else ends ??= /<<'(\w+)'$/.exec(line)?.[1];
      return isInput || ends !== undefined || line.length < width ? line : fold(line, width);
    })
    .join('\n');
};

const fold = (line: string, width: number): readonly string[] => {
  const indent = / */.exec(line)?.[0] ?? '';
  const body = line.slice(indent.length).replaceAll(command, words => words.replaceAll(' ', TIED));
  return linesOf(body, Math.max(1, width - 1 - indent.length), 'whole').map(
    one => `${indent}${one.trim().replaceAll(TIED, ' ')}`,
  );
};

/**
 * Sentences without the full stop of one that ends in a command with flags, where the line ends there: who copies the line
 * would have the stop in the last word of the command.
 */
export const withoutStops = (text: string): string => text.replaceAll(endingCommand, '$1');

const program = SETUP.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** A flag with its value, where it has one. */
const flag = String.raw` --[\w-]+(?:[ =](?!--)[^\s,.]+(?:\.[^\s,.]+)*)?`;

/** A command of this program, with up to two words of its own and its flags. */
const command = new RegExp(`${program}(?: [a-z][a-z-]*){0,2}(?:${flag})*`, 'g');

const endingCommand = new RegExp(`(${program}(?: [a-z][a-z-]*){0,2}(?:${flag})+)\\.$`, 'gm');

/** Stands for a blank at which no line is broken (from the private use area, so that no text has it). */
const TIED = '\uE000';
