import {SetupError} from '../../errors/errors.ts';
import type {Files} from '../../ports/storage.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads one of the program's own JSON files; undefined if it does not exist yet. The file is never repaired or
 * replaced.
 *
 * @throws SetupError `local-config-invalid` if it is not a JSON object; `local-open-to-others`
 */
export const readJsonFile = async (files: Files, path: string): Promise<JsonObject | undefined> => {
  const contents = await files.read(path, {own: true});
  return contents && parseJson(contents.bytes, path);
};

/** Parses bytes that were read from `path`. @throws SetupError as `readJsonFile` does */
export const parseJson = (bytes: Buffer, path: string): JsonObject => {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the file, which may hold a secret.
    throw invalid(path, `it is not JSON${placeIn(error)}`, error);
  }
  if (!isObject(value)) throw invalid(path, 'its root is not an object');
  return value;
};

/** Returns where the parser stopped, from the end of V8's message: a line and a column, but nothing of the file. */
const placeIn = (error: unknown): string => {
  const said = error instanceof Error ? error.message : '';
  if (/^Unexpected end of JSON input/.test(said)) return ' (it ends too early)';
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(said) ?? [];
  return line === undefined ? '' : ` (line ${line}, column ${column})`;
};

export const invalid = (path: string, reason: string, cause?: unknown): SetupError =>
  new SetupError('local-config-invalid', `${path} cannot be used: ${reason}.`, {cause});

export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
