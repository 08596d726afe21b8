import {type ParseError, parseTree} from 'jsonc-parser';
import {parseTOML} from 'toml-eslint-parser';
import {parseJson} from '../../json.ts';
import {plainOf} from './json-edits.ts';
import {isParsable} from './parse-limits.ts';
import {tomlValues} from './toml-tree.ts';

/**
 * Returns the contents of another program's file as values; undefined if it does not parse. JSON may contain comments.
 */
export const parseValues = (text: string, language: 'JSON' | 'TOML'): unknown => {
  try {
    if (language === 'TOML') return tomlValues(parseTOML(text));
    return parseJson(text);
  } catch {
    return language === 'JSON' ? withComments(text) : undefined;
  }
};

/**
 * Parses JSON with comments. It is only the fallback: most files have none, and `JSON.parse` is much faster.
 * jsonc-parser's own `parse` is not used, because a key `__proto__` would set the prototype.
 */
const withComments = (text: string): unknown => {
  try {
    const errors: ParseError[] = [];
    const node = parseTree(text, errors, {allowTrailingComma: true});
    return node === undefined || errors.length > 0 ? undefined : plainOf(node);
  } catch {
    return undefined;
  }
};

/**
 * Returns the contents of another program's file as values; undefined if it does not parse or is too large. JSON of any
 * size is accepted, because the engine's own parser tries it first.
 */
export const parseWithinLimits = (text: string, language: 'JSON' | 'TOML'): unknown =>
  language === 'JSON' || isParsable(text, language) ? parseValues(text, language) : undefined;
