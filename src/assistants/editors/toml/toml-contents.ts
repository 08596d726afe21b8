import {type AST, parseTOML} from 'toml-eslint-parser';
import type {Contents, Path} from '../mask.ts';
import {keysOf, tomlValues} from './toml-values.ts';

/**
 * Where the texts and the comments of a TOML text stand. Throws where it does not parse.
 *
 * @param listKey of a list whose tables count by their names, and not by their numbers
 */
export const tomlContents = (body: string, listKey?: string): Contents => {
  const ast = parseTOML(body);
  const found = (ast.body[0]?.body ?? []).flatMap(node =>
    node.type === 'TOMLTable' ? node.body.flatMap(pair => valuesIn(pair, node.resolvedKey)) : valuesIn(node, []),
  );
  const list = listKey === undefined ? undefined : tomlValues(ast)[listKey];
  const named = (path: Path): Path => {
    const [root, index, ...within] = path;
    if (root === undefined || root !== listKey || typeof index !== 'number' || !Array.isArray(list)) return path;
    const name: unknown = list[index]?.name;
    return typeof name === 'string' ? [root, name, ...within] : path;
  };
  const values = listKey === undefined ? found : found.map(({path, ...range}) => ({...range, path: named(path)}));
  return {values, comments: ast.comments.map(({range: [start, end]}) => ({start, end}))};
};

const valuesIn = ({key, value}: AST.TOMLKeyValue, above: Path): Contents['values'] =>
  textsIn(value, [...above, ...keysOf(key)]);

const textsIn = (node: AST.TOMLContentNode, path: Path): Contents['values'] => {
  if (node.type === 'TOMLInlineTable') return node.body.flatMap(pair => valuesIn(pair, path));
  if (node.type === 'TOMLArray') return node.elements.flatMap((element, index) => textsIn(element, [...path, index]));
  return node.kind === 'string' ? [{path, start: node.range[0], end: node.range[1]}] : [];
};
