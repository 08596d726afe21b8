import {Client, type ClientOptions, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {afterAll, expect} from 'vitest';
import {bearer, loopbackFetch} from '../support.ts';

/** Connects an MCP client to a service. Closed after the file's last test. */
export const connectedClient = async (serviceUrl: string, token: string, options: ClientOptions = {}) => {
  const client = new Client({name: 'test', version: '1.0.0'}, options);
  const requestInit = {headers: bearer(token)};
  const url = new URL(`${serviceUrl}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, {fetch: loopbackFetch, requestInit}));
  afterAll(() => client.close());
  return client;
};

/**
 * Calls a tool, and checks that its text equals its structured content. Returns that content, or `error` with the
 * text of an error.
 */
export const call = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({name, arguments: input});
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  if (result.isError) return {error: text};
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  // biome-ignore lint/suspicious/noExplicitAny: Each tool has a structure of its own.
  return result.structuredContent as any;
};
