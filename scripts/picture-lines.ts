import type {Cell} from '../test/support/terminal/terminal-runs.ts';

type Change = {
  readonly find: RegExp;
  /** Returns the text for every picture. `nth` counts the matches from 0. */
  readonly put: (found: string, nth: number) => string;
};

/**
 * Texts that differ from run to run and from machine to machine: ports, milliseconds, the temporary directory, the
 * place of the program, the time that is left. A port includes the spaces after it, and milliseconds those before, so
 * that columns stay aligned.
 */
const changes: readonly Change[] = [
  {find: /(?<=\/\/(?:api|idp)\.platform\.localhost)\S*\s+/g, put: found => withPort(found, '8080')},
  {find: /(?<= api\.platform\.localhost):\d+\s+/g, put: found => withPort(found, '8080')},
  {find: /(?<=\/\/observer\.platform\.localhost)\S*\s+/g, put: found => withPort(found, '11080')},
  {find: /\s+\d+(?= ms\b)/g, put: (found, nth) => String(14 + 2 * nth).padStart(found.length)},
  {find: /[^\s"]*\/platform-setup-demo-\w{6}/g, put: () => '/tmp/platform-setup-demo'},
  {find: /[^\s"]*(?=\/bin\/setup\.js)/g, put: () => '/usr/local/lib/node_modules/platform-setup'},
  {find: /[^\s"]*\/bin\/node(?=")/g, put: () => '/usr/local/bin/node'},
  {find: /(?<=good for )\d+ (?:h|min)\b/g, put: () => '1 h'},
];

const withPort = (found: string, port: string) => {
  const changed = found.replace(/^:\d+/, `:${port}`);
  // One space separates words. More than one align the next column.
  return /\S\s$/.test(found) ? changed : changed.trimEnd().padEnd(found.length);
};

/** Returns the lines as in every other run, without empty lines around them and spaces at their ends. */
export const steadyLines = (lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] => {
  const steady = changes.reduce(withChange, lines).map(line => line.slice(0, textOf(line).trimEnd().length));
  const isFilled = (line: readonly Cell[]) => textOf(line).trim() !== '';
  return steady.slice(steady.findIndex(isFilled), steady.findLastIndex(isFilled) + 1);
};

const textOf = (cells: readonly Cell[]) => cells.map(({text}) => text).join('');

const withChange = (lines: readonly (readonly Cell[])[], {find, put}: Change) => {
  let count = 0;
  return lines.map(line => {
    const changed: Cell[] = [];
    let done = 0;
    for (const {0: found, index} of textOf(line).matchAll(find)) {
      const old = line.slice(index, index + found.length);
      const styleAt = (at: number) => (old[at] ?? old.at(-1))?.style;
      changed.push(...line.slice(done, index));
      for (const [at, text] of [...put(found, count)].entries()) {
        const style = styleAt(at);
        if (style) changed.push({text, style});
      }
      count += 1;
      done = index + found.length;
    }
    return [...changed, ...line.slice(done)];
  });
};
