import {type ParseError, parseTree} from 'jsonc-parser';
import {parseTOML} from 'toml-eslint-parser';
import {parseJson} from '../../json.ts';
import {plainOf} from './json-edits.ts';
import {isParsable} from './parse-limits.ts';
import {tomlValues} from './toml-tree.ts';

/** What a file of another program says, as values; undefined where it does not parse. Comments do not matter in JSON. */
export const parseValues = (text: string, language: 'JSON' | 'TOML'): unknown => {
  try {
    if (language === 'TOML') return tomlValues(parseTOML(text));
    return parseJson(text);
  } catch {
    return language === 'JSON' ? withComments(text) : undefined;
  }
};

/** Most have none, and are read much faster. jsonc-parser's own `parse` takes a key `__proto__` for the prototype. */
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
 * What a file of another program says, as values; undefined where it does not parse, or is too large to be parsed. JSON of
 * any size that is read can be: it is given to the engine's own parser first.
 */
export const parseWithinLimits = (text: string, language: 'JSON' | 'TOML'): unknown =>
  language === 'JSON' || isParsable(text, language) ? parseValues(text, language) : undefined;
