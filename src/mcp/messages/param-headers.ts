import {encodeValue} from './mcp-headers.ts';
import {isObject, type JsonObject, type Message} from './message.ts';

type Declaration = {readonly path: readonly string[]; readonly name: string};

/** RFC 9110 5.1: what a header may be called. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The `Mcp-Param-*` headers that tools ask for by `x-mcp-header` in their schemas (MCP 2026-07-28, Streamable HTTP,
 * schema extension). An assistant behind standard input has no headers to send, so what it was told of the tools is read
 * along.
 */
export const createParamHeaders = () => {
  const tools = new Map<string, readonly Declaration[]>();
  return {
    /** @param answer to a `tools/list` */
    learn: (answer: Buffer): void => {
      // Nearly no schema has one, and those lists need not be parsed.
      if (tools.size === 0 && !answer.includes('"x-mcp-header"')) return;
      const message: unknown = JSON.parse(answer.toString('utf8'));
      const result = isObject(message) ? message.result : undefined;
      const listed = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
      for (const tool of listed) {
        if (isObject(tool) && typeof tool.name === 'string') tools.set(tool.name, declarationsIn(tool.inputSchema, []));
      }
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

/** Those below `properties` only: anywhere else one has no place, and its tool is at fault. */
const declarationsIn = (schema: unknown, path: readonly string[]): readonly Declaration[] => {
  if (!isObject(schema)) return [];
  const name = schema['x-mcp-header'];
  const own = path.length > 0 && typeof name === 'string' && token.test(name) ? [{path, name}] : [];
  const properties: JsonObject = isObject(schema.properties) ? schema.properties : {};
  return [...own, ...Object.entries(properties).flatMap(([key, one]) => declarationsIn(one, [...path, key]))];
};

/** Undefined for what a header cannot stand for: no value, no primitive, no safe number. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  const isSafe =
    typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isSafe ? String(value) : undefined;
};
