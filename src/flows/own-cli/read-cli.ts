import {parse} from 'yaml';
import {isParsable} from '../../assistants/editors/parse-limits.ts';
import {withoutPrototypes} from '../../json.ts';
import type {CliValues, Named} from './cli-values.ts';

/** The lists in a text, empty where it has none. Undefined for a text that is not YAML, or too large to be parsed. */
export const readCliValues = (text: string): CliValues | undefined => {
  if (!isParsable(text, 'YAML')) return undefined;
  try {
    const root = withoutPrototypes(parse(text));
    const values = isNamed(root) ? root : {};
    const {currentContext} = values;
    return {
      ...(typeof currentContext === 'string' && currentContext !== '' ? {currentContext} : {}),
      controlplanes: listIn(values.controlplanes),
      credentials: listIn(values.credentials),
      contexts: listIn(values.contexts),
    };
  } catch {
    return undefined;
  }
};

const listIn = (value: unknown): readonly Named[] => (Array.isArray(value) ? value.filter(isNamed) : []);

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
