import {type AST, parseTOML} from 'toml-eslint-parser';
import type {Contents, Path} from '../mask.ts';
import {keysOf} from './toml-values.ts';

/** Where the texts and the comments of a TOML text stand. Throws where it does not parse. */
export const tomlContents = (body: string): Contents => {
  const ast = parseTOML(body);
  const values = (ast.body[0]?.body ?? []).flatMap(node =>
    node.type === 'TOMLTable' ? node.body.flatMap(pair => valuesIn(pair, node.resolvedKey)) : valuesIn(node, []),
  );
  return {values, comments: ast.comments.map(({range: [start, end]}) => ({start, end}))};
};

const valuesIn = ({key, value}: AST.TOMLKeyValue, above: Path): Contents['values'] =>
  textsIn(value, [...above, ...keysOf(key)]);

const textsIn = (node: AST.TOMLContentNode, path: Path): Contents['values'] => {
  if (node.type === 'TOMLInlineTable') return node.body.flatMap(pair => valuesIn(pair, path));
  if (node.type === 'TOMLArray') return node.elements.flatMap((element, index) => textsIn(element, [...path, index]));
  return node.kind === 'string' ? [{path, start: node.range[0], end: node.range[1]}] : [];
};
