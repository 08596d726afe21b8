import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {Files} from '../ports/storage.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads one of the program's own JSON files; undefined if it does not exist yet. The file is never repaired or
 * replaced.
 *
 * @throws SetupError `local-config-invalid` if it is not a JSON object; otherwise as `Files.read` throws
 */
export const readJsonFile = async (files: Files, path: string): Promise<JsonObject | undefined> => {
  const contents = await files.read(path, {own: true});
  return contents && parseJson(contents.bytes, path);
};

/** Parses bytes that were read from `path`. @throws SetupError `local-config-invalid` if they are not a JSON object */
export const parseJson = (bytes: Buffer, path: string): JsonObject => {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the file, which may hold a secret.
    throw invalid(path, `it is not JSON${placeIn(text, error)}`, error);
  }
  if (!isObject(value)) throw invalid(path, 'its root is not an object');
  return value;
};

/** Returns where the parser stopped: a line and a column, but nothing of the file. */
const placeIn = (text: string, error: unknown): string => {
  const message = messageOf(error);
  if (/^Unexpected end of JSON input/.test(message)) return ' (it ends too early)';
  const at = message.startsWith(NO_PLACE) ? firstUnexpected(text) : Number(/at position (\d+)/.exec(message)?.[1]);
  if (Number.isNaN(at)) return '';
  const lines = text.slice(0, at).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
};

/** How V8 begins the only message that quotes the file instead of giving a position. */
const NO_PLACE = 'Unexpected token';

/** Returns the position of the token that V8 refuses: every text that ends before it is only incomplete. */
const firstUnexpected = (text: string): number => {
  let [complete, refused] = [0, text.length];
  while (refused - complete > 1) {
    const middle = Math.floor((complete + refused) / 2);
    if (isRefused(text.slice(0, middle))) refused = middle;
    else complete = middle;
  }
  return complete;
};

const isRefused = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return messageOf(error).startsWith(NO_PLACE);
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

export const invalid = (path: string, reason: string, cause?: unknown): SetupError =>
  new SetupError('local-config-invalid', `${path} cannot be used: ${reason}.`, {cause});

/**
 * Checks the version of a file's format, of which this program knows one.
 *
 * @throws SetupError `local-config-invalid`; a newer version of this program can use a file of a later format
 */
export const requireVersion = ({version}: JsonObject, path: string): void => {
  if (version === 1) return;
  if (typeof version !== 'number' || version < 1)
    throw invalid(path, `its version is ${String(version)}, but this program knows only version 1`);
  throw new SetupError(
    'local-config-invalid',
    `${path} cannot be used: its version is ${version}, so a newer version of this program wrote it.`,
    {remedy: phrase`Update this program: ${setup('upgrade')}.`},
  );
};

export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The part of JSON Schema (draft 2020-12) that describes the program's own files. */
export type JsonSchema = {
  readonly type?: 'object' | 'array' | 'string';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minLength?: number;
  readonly format?: keyof typeof formats;
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
};

/**
 * The formats of texts. `whatwg-url` is what the URL standard can parse, which is more than RFC 3986 allows;
 * `web-address` is one of these with http or https. They are not called `url` or `uri`, because validators have rules of
 * their own for these names.
 */
export const formats = {
  'whatwg-url': text => URL.canParse(text),
  'web-address': text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

const formatNames = {'whatwg-url': 'a URL', 'web-address': 'a URL with http:// or https://'} as const;

/**
 * Returns the first problem of a value that came from JSON, for commands that take less time than loading a full
 * validator. Ajv, which validates what is saved, uses the same schema.
 *
 * @returns a sentence that begins with the path of the value, such as `contexts[0].name`; undefined if the value
 *   conforms
 */
export const problemIn = (value: unknown, schema: JsonSchema): string | undefined => {
  const problem = findProblem(value, schema);
  return problem && `${whereIs(problem)} ${problem.what}`;
};

/** A problem, and the path to it in `steps`, innermost first. The path is built only if there is a problem. */
type Problem = {readonly what: string; readonly steps: (string | number)[]};

const findProblem = (value: unknown, schema: JsonSchema): Problem | undefined => {
  const what = ownProblem(value, schema);
  return what === undefined ? problemInside(value, schema) : {what, steps: []};
};

const whereIs = ({steps}: Problem): string =>
  steps
    .toReversed()
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');

const ownProblem = (value: unknown, schema: JsonSchema): string | undefined => {
  const {type, minLength = 0, format, enum: known, anyOf} = schema;
  if (type !== undefined && typeOf(value) !== type) return `is not ${names[type]}`;
  if (typeof value === 'string' && value.length < minLength) return 'is empty';
  if (typeof value === 'string' && format !== undefined && !formats[format](value))
    return `is not ${formatNames[format]}`;
  const isKnown =
    (schema.const === undefined || value === schema.const) &&
    (known === undefined || known.some(one => one === value)) &&
    (anyOf === undefined || anyOf.some(one => findProblem(value, one) === undefined));
  return isKnown ? undefined : 'is not known';
};

const problemInside = (value: unknown, schema: JsonSchema): Problem | undefined => {
  const {properties = {}, required = [], additionalProperties: others = true, items} = schema;
  if (Array.isArray(value)) return items && firstOf(value.entries(), item => findProblem(item, items));
  if (typeof value !== 'object' || value === null) return undefined;
  const missing = required.find(key => !Object.hasOwn(value, key));
  if (missing !== undefined) return {what: 'is missing', steps: [missing]};
  return firstOf(Object.entries(value), (item, key) => {
    const described = Object.hasOwn(properties, key) ? properties[key] : others;
    if (described === false) return {what: 'is not known', steps: []};
    return typeof described === 'object' ? findProblem(item, described) : undefined;
  });
};

const firstOf = <Step extends string | number>(
  items: Iterable<[Step, unknown]>,
  look: (item: unknown, step: Step) => Problem | undefined,
): Problem | undefined => {
  for (const [step, item] of items) {
    const problem = look(item, step);
    if (!problem) continue;
    problem.steps.push(step);
    return problem;
  }
  return undefined;
};

const names = {object: 'an object', array: 'a list', string: 'text'} as const;

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
