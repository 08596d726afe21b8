/**
 * The part of JSON Schema (draft 2020-12) that the program's own files are described in. `format` knows `url` alone: what
 * the URL standard can parse, which is more than RFC 3986 allows.
 */
export type JsonSchema = {
  readonly type?: 'object' | 'array' | 'string';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minLength?: number;
  readonly format?: typeof URL_FORMAT;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
};

/** Not `url` or `uri`: under those names a validator has rules of its own. */
export const URL_FORMAT = 'whatwg-url';

/**
 * Says what first is wrong with a value that came from JSON, for where a whole validator would take longer to load than
 * the command takes. It and Ajv, which validates what is saved, read the same schema.
 *
 * @param at where the value stands, such as `contexts[0].name`
 * @returns undefined for a value as described
 */
export const problemIn = (value: unknown, schema: JsonSchema, at = ''): string | undefined =>
  ownProblem(value, schema, at) ?? problemInside(value, schema, at);

const ownProblem = (value: unknown, schema: JsonSchema, at: string): string | undefined => {
  const {type, minLength = 0, format, enum: known, anyOf} = schema;
  if (type !== undefined && typeOf(value) !== type) return `${at} is not ${names[type]}`;
  if (typeof value === 'string' && value.length < minLength) return `${at} is empty`;
  if (typeof value === 'string' && format !== undefined && !URL.canParse(value)) return `${at} is not a URL`;
  const isKnown =
    (schema.const === undefined || value === schema.const) &&
    (known === undefined || known.some(one => one === value)) &&
    (anyOf === undefined || anyOf.some(one => problemIn(value, one) === undefined));
  return isKnown ? undefined : `${at} is not known`;
};

const problemInside = (value: unknown, schema: JsonSchema, at: string): string | undefined => {
  const {properties = {}, required = [], additionalProperties: others = true, items} = schema;
  if (Array.isArray(value)) {
    return items && firstOf(value.map((item, index) => () => problemIn(item, items, `${at}[${index}]`)));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const below = (key: string) => (at === '' ? key : `${at}.${key}`);
  const missing = required.find(key => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${below(missing)} is missing`;
  return firstOf(
    Object.entries(value).map(([key, item]) => () => {
      const described = Object.hasOwn(properties, key) ? properties[key] : others;
      if (described === false) return `${below(key)} is not known`;
      return typeof described === 'object' ? problemIn(item, described, below(key)) : undefined;
    }),
  );
};

const firstOf = (looks: readonly (() => string | undefined)[]): string | undefined => {
  for (const look of looks) {
    const problem = look();
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const names = {object: 'an object', array: 'a list', string: 'text'} as const;

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
