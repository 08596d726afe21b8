import {type ParseError, parseTree} from 'jsonc-parser';
import {parseTOML} from 'toml-eslint-parser';
import {parseJson} from '../../json.ts';
import {plainOf} from './json/json-tree.ts';
import {tomlValues} from './toml/toml-values.ts';

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
