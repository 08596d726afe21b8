import {parse} from 'jsonc-parser';
import {getStaticTOMLValue, parseTOML} from 'toml-eslint-parser';

/** What a file of another program says, as values; undefined where it does not parse. Comments do not matter in JSON. */
export const parseValues = (text: string, language: 'JSON' | 'TOML'): unknown => {
  try {
    if (language === 'TOML') return getStaticTOMLValue(parseTOML(text));
    return JSON.parse(text);
  } catch {
    return language === 'JSON' ? withComments(text) : undefined;
  }
};

/** Most have none, and are read much faster. */
const withComments = (text: string): unknown => {
  try {
    const errors: unknown[] = [];
    const value: unknown = parse(text, errors as never, {allowTrailingComma: true});
    return errors.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
};
