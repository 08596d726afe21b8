import {isObject, type JsonObject} from './message.ts';

/** A parameter that is repeated in a header: where it is in the arguments, and the header's name without its prefix. */
export type Declaration = {readonly path: readonly string[]; readonly name: string};

type Scan = {
  /** Those that can be followed. */
  readonly declarations: readonly Declaration[];
  /** The first that breaks a rule, as half a sentence: its tool is at fault then. */
  readonly fault?: string;
};

/** RFC 9110 5.1: what a header may be called. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Keywords below which there are schemas of what cannot be told to be there, so that no header can stand for it. */
const schemas = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const lists = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const maps = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties'];

/**
 * The `x-mcp-header` annotations of a tool's input schema, by the rules of MCP 2026-07-28 (Streamable HTTP, schema
 * extension): a header's name, once whatever its case, on a string, an integer or a boolean that is reached through
 * `properties` alone.
 *
 * @param schema JSON Schema of the tool's arguments
 */
export const scanSchema = (schema: unknown): Scan => {
  const declarations: Declaration[] = [];
  const names = new Set<string>();
  const faults: string[] = [];

  const read = (at: JsonObject, path: readonly string[], isReached: boolean) => {
    if (!('x-mcp-header' in at)) return;
    const {'x-mcp-header': name, type} = at;
    const where = path.length === 0 ? 'its input' : path.join('.');
    const fault = (reason: string) => void faults.push(`x-mcp-header of ${where} ${reason}`);
    if (!isReached || path.length === 0) return fault('is not on a property of its own');
    if (typeof name !== 'string' || !token.test(name)) return fault('is no name of a header');
    if (!types.has(type)) return fault('is on something else than a string, an integer or a boolean');
    if (names.has(name.toLowerCase())) return fault(`names ${name}, as another one does`);
    names.add(name.toLowerCase());
    declarations.push({path, name});
  };

  const visit = (at: unknown, path: readonly string[], isReached: boolean): void => {
    if (!isObject(at)) return;
    read(at, path, isReached);
    const properties = isObject(at.properties) ? at.properties : {};
    for (const [key, one] of Object.entries(properties)) visit(one, [...path, key], isReached);
    for (const key of schemas) visit(at[key], [...path, key], false);
    for (const key of lists) for (const one of listAt(at, key)) visit(one, [...path, key], false);
    for (const key of maps) for (const one of Object.values(mapAt(at, key))) visit(one, [...path, key], false);
  };
  visit(schema, [], true);
  const [fault] = faults;
  return {declarations, ...(fault === undefined ? {} : {fault})};
};

const listAt = (at: JsonObject, key: string): readonly unknown[] => {
  const value = at[key];
  return Array.isArray(value) ? value : [];
};

const mapAt = (at: JsonObject, key: string): JsonObject => {
  const value = at[key];
  return isObject(value) ? value : {};
};
