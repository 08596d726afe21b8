import {type AST, parseTOML} from 'toml-eslint-parser';
import {hideWhole, replacementAt} from './hidden.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';
import {keysOf} from './toml-tree.ts';

/** A TOML text for showing; see `Editor`. */
export const hideToml = (text: string, key: string, labels: readonly string[]): string => {
  const [mark, body] = splitMark(text);
  try {
    const ast = parseTOML(body);
    const values = (ast.body[0]?.body ?? []).flatMap(node =>
      node.type === 'TOMLTable' ? node.body.flatMap(pair => valuesIn(pair, node.resolvedKey)) : valuesIn(node, []),
    );
    const comments = ast.comments.map(({range: [start, end]}) => ({start, end, put: '# …'}));
    const edits = values.flatMap(({path, start, end}): readonly Edit[] => {
      const put = replacementAt(path, key, labels);
      return put === undefined ? [] : [{start, end, put}];
    });
    return mark + applyEdits(body, [...edits, ...comments]);
  } catch {
    return hideWhole(text);
  }
};

type Path = readonly (string | number)[];
type Found = {readonly path: Path; readonly start: number; readonly end: number};

const valuesIn = ({key, value}: AST.TOMLKeyValue, above: Path): readonly Found[] =>
  textsIn(value, [...above, ...keysOf(key)]);

const textsIn = (node: AST.TOMLContentNode, path: Path): readonly Found[] => {
  if (node.type === 'TOMLInlineTable') return node.body.flatMap(pair => valuesIn(pair, path));
  if (node.type === 'TOMLArray') return node.elements.flatMap((element, index) => textsIn(element, [...path, index]));
  return node.kind === 'string' ? [{path, start: node.range[0], end: node.range[1]}] : [];
};
