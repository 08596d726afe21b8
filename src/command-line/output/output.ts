import {escapeUnsafe, printable} from '../../text.ts';

/**
 * A stream that people and scripts read. Everything that a command says goes through one of these, so that nothing that
 * came from outside (a server's words, a file's, a path's) does anything to a terminal. Screens, which have sequences of
 * their own, are cleaned text by text (`screens/parts/text.tsx`).
 */
export type Output = {
  /** Text for people: without control characters other than line feeds and tabs, and without bidirectional controls. */
  readonly write: (text: string) => void;
  /** A value for scripts: one line of JSON, with those characters escaped, so that nothing of it is lost. */
  readonly writeJson: (value: unknown) => void;
};

export const createOutput = (stream: {readonly write: (text: string) => unknown}): Output => ({
  write: text => void stream.write(printable(text)),
  writeJson: value => void stream.write(`${escapeUnsafe(JSON.stringify(value))}\n`),
});
