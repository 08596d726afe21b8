import {type JsonObject, type Message, versionOf} from './message.ts';

/** Which member of the parameters `Mcp-Name` repeats, by method (MCP 2026-07-28, Streamable HTTP, standard headers). */
const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * The headers that repeat what a message of the stateless era says, for those who route by them. Empty for a message of
 * the earlier era, whose servers do not know them.
 */
export const mcpHeaders = (message: Message): Readonly<Record<string, string>> => {
  const version = versionOf(message);
  const {method, params} = message;
  if (version === undefined || method === undefined || !isPlain(version)) return {};
  const name = nameOf(method, params);
  return {
    'mcp-protocol-version': version,
    ...(isPlain(method) ? {'mcp-method': method} : {}),
    ...(name === undefined ? {} : {'mcp-name': encodeValue(name)}),
  };
};

const nameOf = (method: string, params: JsonObject | undefined): string | undefined => {
  const source = nameSources.get(method);
  const name = source === undefined ? undefined : params?.[source];
  return typeof name === 'string' ? name : undefined;
};

/** A value as a header can carry it: itself, or in base64 between marks where a header would change or refuse it. */
export const encodeValue = (value: string): string =>
  isPlain(value) && !(value.startsWith('=?base64?') && value.endsWith('?='))
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;

/** Visible ASCII, with spaces and tabs inside only (RFC 9110 5.5). */
const isPlain = (value: string): boolean => /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
