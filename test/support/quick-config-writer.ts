import {SetupError} from '../../src/errors/errors.ts';
import {configFormat} from '../../src/store/config-schema.ts';
import type {ConfigWriter} from '../../src/store/config-writer.ts';
import {parseJson, problemIn} from '../../src/store/json-files.ts';

/**
 * Writes the same text as `conf`, and refuses the same configs: a test compares this program's own verdict with Ajv's.
 * For each config `conf` compiles the schema again, which takes 25 ms, half the time of a test that connects something.
 */
export const quickConfigWriter: ConfigWriter = async (config, path) => {
  const text = `${JSON.stringify(config, null, 2)}\n`;
  const problem = problemIn(parseJson(Buffer.from(text), path), configFormat.schema);
  if (problem === undefined) return text;
  throw new SetupError('local-config-invalid', `${path} was not written: ${problem}.`, {about: {path}});
};
