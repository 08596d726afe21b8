import {parseJson} from '../../json.ts';
import {encodeValue} from './mcp-headers.ts';
import {isObject, type Message} from './message.ts';
import {type Declaration, scanSchema} from './schema-headers.ts';

/** A tool that an assistant is not told of, and what is wrong with it, as half a sentence. */
type LeftOut = {readonly name: string; readonly reason: string};

/**
 * The `Mcp-Param-*` headers that tools ask for by `x-mcp-header` in their schemas (MCP 2026-07-28, Streamable HTTP,
 * schema extension). An assistant behind standard input has no headers to send, so what it was told of the tools is read
 * along.
 */
export const createParamHeaders = () => {
  const tools = new Map<string, readonly Declaration[]>();
  return {
    /**
     * @param answer to a `tools/list`
     * @param isModern whether it is of the era in which a tool that asks in a wrong way must not be offered
     * @returns the answer as it goes on, and which tools it has no longer
     */
    learn: (answer: Buffer, isModern: boolean): {readonly left: Buffer; readonly leftOut: readonly LeftOut[]} => {
      const whole = {left: answer, leftOut: []};
      // Nearly no schema has one, and those lists need not be parsed.
      if (tools.size === 0 && !answer.includes('"x-mcp-header"')) return whole;
      const message: unknown = parseJson(answer.toString('utf8'));
      const result = isObject(message) ? message.result : undefined;
      if (!isObject(message) || !isObject(result) || !Array.isArray(result.tools)) return whole;
      const scanned = result.tools.map(tool => ({tool, ...scanSchema(isObject(tool) ? tool.inputSchema : undefined)}));
      for (const {tool, declarations} of scanned) {
        if (isObject(tool) && typeof tool.name === 'string') tools.set(tool.name, declarations);
      }
      const bad = isModern ? scanned.filter(({fault}) => fault !== undefined) : [];
      if (bad.length === 0) return whole;
      const kept = scanned.filter(one => !bad.includes(one)).map(({tool}) => tool);
      const leftOut = bad.map(({tool, fault = ''}) => ({name: String(tool.name), reason: fault}));
      return {left: Buffer.from(JSON.stringify({...message, result: {...result, tools: kept}})), leftOut};
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

/** Undefined for what a header cannot stand for: no value, no primitive, no safe number. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  const isSafe =
    typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isSafe ? String(value) : undefined;
};
