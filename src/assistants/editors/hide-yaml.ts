import {isCollection, isMap, isPair, isScalar, Parser, parseDocument} from 'yaml';
import {hideWhole, replacementAt} from './hidden.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';
import type {Kind} from './yaml-tree.ts';

type Options = {readonly key: string; readonly kind: Kind; readonly labels: readonly string[]};

/** A YAML text for showing; see `Editor`. */
export const hideYaml = (text: string, {key, kind, labels}: Options): string =>
  hideYamlValues(text, path => replacementAt(path, key, labels), kind === 'list' ? key : undefined);

/**
 * A YAML text for showing, with what stands for each of its values: undefined where it may be seen. Comments are hidden,
 * and so are numbers: unquoted, a secret of digits is one.
 *
 * @param listKey of a list whose items count by their names, and not by their numbers
 */
export const hideYamlValues = (
  text: string,
  replacement: (path: Found['path']) => string | undefined,
  listKey?: string,
): string => {
  const [mark, body] = splitMark(text);
  const document = parseDocument(body);
  if (document.errors.length > 0) return hideWhole(text);
  const values = textsIn(document.contents, [], listKey).flatMap(({path, start, end}): readonly Edit[] => {
    const put = replacement(path);
    if (put === undefined) return [];
    // The newlines after a text of several lines count as its own.
    const after = /\s*$/.exec(body.slice(start, end))?.[0] ?? '';
    return [{start, end: end - after.length, put}];
  });
  const comments = [...new Parser().parse(body)].flatMap(commentsIn);
  return mark + applyEdits(body, [...values, ...comments]);
};

type Found = {readonly path: readonly (string | number)[]; readonly start: number; readonly end: number};

/** @param listKey of a list whose items count by their names */
const textsIn = (node: unknown, path: Found['path'], listKey: string | undefined): readonly Found[] => {
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
const commentsIn = (token: unknown): readonly Edit[] => {
  if (Array.isArray(token)) return token.flatMap(commentsIn);
  if (typeof token !== 'object' || token === null) return [];
  const {type, offset, source} = token as {type?: unknown; offset?: unknown; source?: unknown};
  if (type === 'comment' && typeof offset === 'number' && typeof source === 'string') {
    return [{start: offset, end: offset + source.length, put: '# …'}];
  }
  return Object.values(token).flatMap(commentsIn);
};
