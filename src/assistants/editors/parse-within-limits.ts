import {isParsable} from './parse-limits.ts';
import {parseValues} from './parse-values.ts';

/**
 * What a file of another program says, as values; undefined where it does not parse, or is too large to be parsed. JSON of
 * any size that is read can be: it is given to the engine's own parser first.
 */
export const parseWithinLimits = (text: string, language: 'JSON' | 'TOML'): unknown =>
  language === 'JSON' || isParsable(text, language) ? parseValues(text, language) : undefined;
