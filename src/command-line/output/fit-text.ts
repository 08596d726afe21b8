import {SETUP} from '../../setup-command.ts';
import {linesOf} from '../../text.ts';

/** A name (or blanks under the name above) and, after at least two blanks, its description. */
const twoColumns = /^( {10,}| +\S.*? {2,})(\S.*)$/;

/** The indentation of a description below its name, if there is no room beside it. */
const BELOW = 6;

/** The least width for a description beside its name, in columns. */
const LEAST = 24;

/**
 * Fits help into a terminal of this width. A description that does not fit beside its name is continued under itself,
 * or stands below the name. Command lines stay whole, because people copy them.
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
 * Fits a sentence into a terminal of this width, with each line indented by two.
 *
 * @param width in columns; without it, as for a pipe, it stays one line
 */
export const fitSentence = (text: string, width: number | undefined): string =>
  (width === undefined ? [text] : linesOf(text, Math.max(1, width - 1 - 2), 'whole'))
    .map(line => `  ${line}`)
    .join('\n');

/**
 * Fits sentences into a terminal of this width. Lines are broken between words and continued below their first word. A
 * command of this program stays whole, and so does a command's input in a here-document (POSIX Shell 2.7.4), so that a
 * copy runs as it is.
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
 * Removes the full stop after a command with flags at the end of a line: a person who copies the line would get the
 * stop in the last word of the command.
 */
export const withoutStops = (text: string): string => text.replaceAll(endingCommand, '$1');

const program = SETUP.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** A flag, with its value if it has one. */
const flag = String.raw` --[\w-]+(?:[ =](?!--)[^\s,.]+(?:\.[^\s,.]+)*)?`;

/** A command of this program, with up to two words of its own and its flags. */
const command = new RegExp(`${program}(?: [a-z][a-z-]*){0,2}(?:${flag})*`, 'g');

const endingCommand = new RegExp(`(${program}(?: [a-z][a-z-]*){0,2}(?:${flag})+)\\.$`, 'gm');

/** Marks a blank at which no line is broken. It is from the private use area, so texts do not contain it. */
const TIED = '\uE000';
