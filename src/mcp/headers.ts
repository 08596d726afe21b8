import {parseJson} from '../json.ts';
import {isObject, type JsonObject, type Message, versionOf} from './message.ts';

/**
 * The member of the parameters that `Mcp-Name` repeats, by method (MCP 2026-07-28, Streamable HTTP, standard headers).
 */
const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * Returns the headers that repeat parts of a message of the stateless era. Servers of the earlier eras do not know
 * them.
 */
export const mcpHeaders = (message: Pick<Message, 'method' | 'params'>): Readonly<Record<string, string>> => {
  const version = versionOf(message);
  const {method, params} = message;
  if (version === undefined || method === undefined || !isPlain(version)) return {};
  const source = nameSources.get(method);
  const name = source === undefined ? undefined : params?.[source];
  return {
    'mcp-protocol-version': version,
    ...(isPlain(method) ? {'mcp-method': method} : {}),
    ...(typeof name === 'string' ? {'mcp-name': encodeValue(name)} : {}),
  };
};

/** Encodes a value for a header: as it is, or in base64 between markers if a header would change or refuse it. */
export const encodeValue = (value: string): string =>
  isPlain(value) && !(value.startsWith('=?base64?') && value.endsWith('?='))
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;

/** Whether a value is visible ASCII, with spaces and tabs inside only (RFC 9110 5.5). */
const isPlain = (value: string): boolean => /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);

/**
 * Remembers the `Mcp-Param-*` headers that tools request with `x-mcp-header` in their schemas (MCP 2026-07-28,
 * Streamable HTTP, schema extension). An assistant on standard input sends no headers, so they are learnt from the
 * lists of tools that it gets.
 */
export const createParamHeaders = () => {
  const tools = new Map<string, readonly Declaration[]>();
  return {
    /**
     * Learns from the answer to a `tools/list`.
     *
     * @param isModern true in the era in which a tool with a wrong annotation must not be offered
     * @returns the answer to pass on, and the tools that were removed from it, each with its fault
     */
    learn: (answer: Buffer, isModern: boolean) => {
      const whole = {left: answer, leftOut: []};
      // Almost no schema has such an annotation, and a list without one need not be parsed.
      if (tools.size === 0 && !answer.includes('"x-mcp-header"')) return whole;
      const message: unknown = parseJson(answer.toString('utf8'));
      const result = isObject(message) ? message.result : undefined;
      if (!isObject(message) || !isObject(result) || !Array.isArray(result.tools)) return whole;
      const scanned = result.tools.map(tool => ({tool, ...scanSchema(isObject(tool) ? tool.inputSchema : undefined)}));
      for (const {tool, declarations} of scanned) {
        if (isObject(tool) && typeof tool.name === 'string') tools.set(tool.name, declarations);
      }
      const isKept = ({fault}: Scan) => fault === undefined || !isModern;
      if (scanned.every(isKept)) return whole;
      const usable = scanned.filter(isKept).map(({tool}) => tool);
      const bad = scanned.filter(one => !isKept(one));
      const leftOut = bad.map(({tool, fault = ''}) => ({name: String(tool.name), reason: fault}));
      return {left: Buffer.from(JSON.stringify({...message, result: {...result, tools: usable}})), leftOut};
    },
    of: ({method, params}: Message): Readonly<Record<string, string>> => {
      if (method !== 'tools/call' || typeof params?.name !== 'string') return {};
      const headers = (tools.get(params.name) ?? []).flatMap(({path, name}) => {
        const text = textOf(path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), params.arguments));
        return text === undefined ? [] : [[`mcp-param-${name.toLowerCase()}`, encodeValue(text)]];
      });
      return Object.fromEntries(headers);
    },
  };
};

export type ParamHeaders = ReturnType<typeof createParamHeaders>;

/** Returns a string, a boolean, a finite fraction or a safe integer as text; undefined for any other value. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  const isFraction = Number.isFinite(value) && !Number.isInteger(value);
  return isFraction || Number.isSafeInteger(value) ? String(value) : undefined;
};

/** A parameter that is repeated in a header: its path in the arguments, and the header's name without its prefix. */
export type Declaration = {readonly path: readonly string[]; readonly name: string};

/** The annotations of a tool's schema. `fault` is the first violation of a rule by the tool, as half a sentence. */
type Scan = {readonly declarations: readonly Declaration[]; readonly fault?: string | undefined};

/** The name of a header (RFC 9110 5.1). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Keywords whose schemas describe values that may not exist, so that no header can represent them. */
const unreachable: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems'],
]);
const maps: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties']);

/**
 * Reads the `x-mcp-header` annotations of a tool's input schema (MCP 2026-07-28, Streamable HTTP, schema extension).
 * Each is the name of a header, unique regardless of case, on a string, an integer or a boolean that is reached through
 * `properties` alone.
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
    if (!isReached || path.length === 0) return fault('is not directly on a property');
    if (typeof name !== 'string' || !token.test(name)) return fault('is not a valid header name');
    if (!types.has(type)) return fault('is on something other than a string, an integer or a boolean');
    if (names.has(name.toLowerCase())) return fault(`repeats the header name ${name}`);
    names.add(name.toLowerCase());
    declarations.push({path, name});
  };

  const visit = (at: unknown, path: readonly string[], isReached: boolean): void => {
    if (!isObject(at)) return;
    read(at, path, isReached);
    const properties = isObject(at.properties) ? Object.entries(at.properties) : [];
    for (const [key, one] of properties) visit(one, [...path, key], isReached);
    for (const [key, value] of Object.entries(at)) {
      const inMap = maps.has(key) && isObject(value) ? Object.values(value) : [];
      for (const one of unreachable.has(key) ? [value].flat() : inMap) visit(one, [...path, key], false);
    }
  };
  visit(schema, [], true);
  return {declarations, fault: faults[0]};
};
