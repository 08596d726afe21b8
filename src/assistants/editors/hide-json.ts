import {type JSONVisitor, visit} from 'jsonc-parser';
import {hideWhole, replacementAt} from './hidden.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';

/** A JSON text for showing; see `Editor`. */
export const hideJson = (text: string, key: string, labels: readonly string[]): string => {
  const [mark, body] = splitMark(text);
  const edits: Edit[] = [];
  let isBroken = false;
  const visitor: JSONVisitor = {
    onLiteralValue: (value, offset, length, _line, _character, path) => {
      if (typeof value !== 'string') return;
      const put = replacementAt(path(), key, labels);
      if (put !== undefined) edits.push({start: offset, end: offset + length, put});
    },
    onComment: (offset, length) => {
      const put = body.startsWith('/*', offset) ? '/* … */' : '// …';
      edits.push({start: offset, end: offset + length, put});
    },
    onError: () => {
      isBroken = true;
    },
  };
  visit(body, visitor, {allowTrailingComma: true});
  return isBroken ? hideWhole(text) : mark + applyEdits(body, edits);
};
