import {escapeUnsafe, printable} from '../../text.ts';
import {toAsciiLines} from './ascii-output.ts';
import {fitSentences, withoutStops} from './fit-text.ts';

/**
 * A stream that people and scripts read. Everything that a command says goes through one of these, so that nothing that
 * came from outside (a server's words, a file's, a path's) does anything to a terminal. Screens, which have sequences of
 * their own, are cleaned text by text (`screens/parts/text.tsx`).
 */
export type Output = {
  /** Text for people: without control characters other than line feeds and tabs, and without bidirectional controls. */
  readonly write: (text: string) => void;
  /** The same for sentences: a terminal that is narrower than a line gets it broken between words, and never in a command. */
  readonly tell: (text: string) => void;
  /** A value for scripts: one line of JSON, with those characters escaped, so that nothing of it is lost. */
  readonly writeJson: (value: unknown) => void;
};

/**
 * @param isAscii whether typographic signs are replaced by plain ones, and JSON escapes what is not ASCII
 * @param columns how wide the terminal is at the moment; undefined where it is none
 */
export const createOutput = (
  stream: {readonly write: (text: string) => unknown},
  isAscii = false,
  columns: () => number | undefined = () => undefined,
): Output => {
  const write = (text: string) => void stream.write(isAscii ? toAsciiLines(printable(text)) : printable(text));
  return {
    write,
    tell: text => write(fitSentences(withoutStops(text), columns())),
    writeJson: value => {
      const line = escapeUnsafe(JSON.stringify(value));
      stream.write(`${isAscii ? escapeBeyondAscii(line) : line}\n`);
    },
  };
};

const escapeBeyondAscii = (json: string): string =>
  json.replaceAll(/[^\0-\x7F]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
