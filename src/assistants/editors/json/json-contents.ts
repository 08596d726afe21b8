import {type JSONVisitor, visit} from 'jsonc-parser';
import type {Contents} from '../mask.ts';

/** Where the texts and the comments of a JSON text stand; undefined where it does not parse. */
export const jsonContents = (body: string): Contents | undefined => {
  const values: Contents['values'][number][] = [];
  const comments: Contents['comments'][number][] = [];
  let isBroken = false;
  const visitor: JSONVisitor = {
    onLiteralValue: (value, start, length, _line, _character, path) => {
      if (typeof value === 'string') values.push({path: path(), start, end: start + length});
    },
    onComment: (start, length) => comments.push({start, end: start + length}),
    onError: () => {
      isBroken = true;
    },
  };
  visit(body, visitor, {allowTrailingComma: true});
  return isBroken ? undefined : {values, comments};
};
