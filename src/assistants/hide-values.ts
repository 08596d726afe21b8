import {type JSONPath, visit} from 'jsonc-parser';

/**
 * Another program's file for showing: every text in it is replaced, because any of them may be a secret of that
 * program's (a key in a URL, an argument, a commented-out entry), and of our own entries only the token is.
 *
 * @param root keys down to the map that holds the entries
 * @param labels our own entries in it
 */
export const hideValues = (text: string, root: readonly string[], labels: readonly string[]): string => {
  const replaced: {offset: number; length: number; by: string}[] = [];
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _character, path) => {
      if (typeof value !== 'string') return;
      const at = path();
      if (!isOurs(at, root, labels)) replaced.push({offset, length, by: '"…"'});
      else if (at.at(-1) === 'Authorization') replaced.push({offset, length, by: '"Bearer <access token>"'});
    },
    onComment: (offset, length) => {
      const isBlock = text.startsWith('/*', offset);
      replaced.push({offset, length, by: isBlock ? '/* … */' : '// …'});
    },
  });
  return replaced
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((hidden, {offset, length, by}) => hidden.slice(0, offset) + by + hidden.slice(offset + length), text);
};

const isOurs = (path: JSONPath, root: readonly string[], labels: readonly string[]): boolean =>
  root.every((key, depth) => path[depth] === key) && labels.includes(String(path[root.length]));
