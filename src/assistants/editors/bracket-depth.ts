/** What is passed over: a text or a comment, by what opens and what ends it, and whether a backslash escapes the end. */
type Quoted = readonly [open: string, close: string, escapes: boolean];

const json: readonly Quoted[] = [
  ['"', '"', true],
  ['//', '\n', false],
  ['/*', '*/', false],
];

/** Those of three signs come first: they begin like the others. */
const toml: readonly Quoted[] = [
  ['"""', '"""', true],
  ["'''", "'''", false],
  ['"', '"', true],
  ["'", "'", false],
  ['#', '\n', false],
];

/** How deep the brackets of a JSON text lie in each other, without those in texts and comments. */
export const jsonDepth = (text: string): number => bracketDepth(text, json);

/** The same of a TOML text. */
export const tomlDepth = (text: string): number => bracketDepth(text, toml);

const bracketDepth = (text: string, kinds: readonly Quoted[]): number => {
  const special = /["'#/[\]{}]/g;
  let [depth, deepest] = [0, 0];
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const {index, 0: sign} = found;
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    else {
      const kind = kinds.find(([open]) => text.startsWith(open, index));
      if (kind) special.lastIndex = pastQuoted(text, index, kind);
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

const pastQuoted = (text: string, start: number, [open, close, escapes]: Quoted): number => {
  for (let from = start + open.length; ; ) {
    const end = text.indexOf(close, from);
    if (end < 0) return text.length;
    if (!escapes || !isEscaped(text, end, from)) return end + close.length;
    from = end + 1;
  }
};

/** An odd number of backslashes stands before it; those before `from` have been looked at. */
const isEscaped = (text: string, at: number, from: number): boolean => {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\') count += 1;
  return count % 2 === 1;
};
