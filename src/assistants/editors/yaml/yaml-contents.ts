import {isCollection, isMap, isPair, isScalar, Parser, parseDocument} from 'yaml';
import type {Contents, Path} from '../mask.ts';

/**
 * Where the values and the comments of a YAML text stand; undefined where it does not parse. Numbers count: unquoted, a
 * secret of digits is one.
 *
 * @param listKey of a list whose items count by their names, and not by their numbers
 */
export const yamlContents = (body: string, listKey?: string): Contents | undefined => {
  const document = parseDocument(body, {uniqueKeys: false});
  if (document.errors.length > 0) return undefined;
  const values = textsIn(document.contents, [], listKey).map(({path, start, end}) => {
    // The newlines after a text of several lines count as its own.
    const after = /\s*$/.exec(body.slice(start, end))?.[0] ?? '';
    return {path, start, end: end - after.length};
  });
  return {values, comments: [...new Parser().parse(body)].flatMap(commentsIn)};
};

/** @param listKey of a list whose items count by their names */
const textsIn = (node: unknown, path: Path, listKey: string | undefined): Contents['values'] => {
  if (isPair(node)) {
    return textsIn(node.value, [...path, isScalar(node.key) ? String(node.key.value) : ''], listKey);
  }
  if (isCollection(node)) {
    const isNamed = listKey !== undefined && path.length === 1 && path[0] === listKey;
    return node.items.flatMap((item, index) => {
      if (isPair(item)) return textsIn(item, path, listKey);
      const name = isNamed && isMap(item) ? item.get('name') : undefined;
      return textsIn(item, [...path, typeof name === 'string' ? name : index], listKey);
    });
  }
  if (!isScalar(node) || !node.range || node.value === null || typeof node.value === 'boolean') return [];
  return [{path, start: node.range[0], end: node.range[1]}];
};

/** Comments have no node of their own; they are found among the tokens. */
const commentsIn = (token: unknown): Contents['comments'] => {
  if (Array.isArray(token)) return token.flatMap(commentsIn);
  if (typeof token !== 'object' || token === null) return [];
  const {type, offset, source} = token as {type?: unknown; offset?: unknown; source?: unknown};
  if (type === 'comment' && typeof offset === 'number' && typeof source === 'string') {
    return [{start: offset, end: offset + source.length}];
  }
  return Object.values(token).flatMap(commentsIn);
};
