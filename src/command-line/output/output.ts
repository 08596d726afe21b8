import {escapeUnsafe, printable} from '../../text.ts';
import {toAsciiLines} from './ascii-output.ts';
import {fitSentences, withoutStops} from './fit-text.ts';

/**
 * A stream that people and scripts read. Every command writes through one of these, so that text from outside (from a
 * server, a file or a path) cannot control the terminal. Screens, which need sequences of their own, clean each text
 * instead (`screens/parts/text.tsx`).
 */
export type Output = {
  /** Writes text for people, without control characters (except line feeds and tabs) and bidirectional controls. */
  readonly write: (text: string) => void;
  /** Writes sentences: breaks lines that are too long for the terminal between words, but never in a command. */
  readonly tell: (text: string) => void;
  /** Writes a value for scripts: one line of JSON, with these characters escaped, so that nothing is lost. */
  readonly writeJson: (value: unknown) => void;
};

/**
 * @param isAscii whether typographic signs are replaced by plain ones, and JSON escapes what is not ASCII
 * @param columns returns the terminal's current width; undefined if there is no terminal
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
