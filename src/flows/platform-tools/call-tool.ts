import {SetupError} from '../../errors.ts';
import type {Tool} from '../../mcp/client.ts';
import {cleanText} from '../../text.ts';
import type {Flow, McpServer} from '../flow.ts';
import {type McpServerAddress, withMcpServer} from '../mcp-session.ts';
import {reporting} from '../reporting.ts';
import {readArguments, type ToolArguments} from './tool-arguments.ts';

/** What a tool answered: its texts, and the value behind them where it gives one. */
export type ToolAnswer = {readonly texts: readonly string[]; readonly value?: unknown; readonly raw: unknown};

/** How long a tool may take, in milliseconds. */
const CALL_TOOL_TIMEOUT = 120_000;

/** Every tool of a server, with what it takes. @throws SetupError as `withMcpServer` */
export const describeTools: Flow<McpServerAddress, readonly Tool[]> = (server, ports, signal) =>
  reporting(signal, (tell, signal) => withMcpServer(server, ports, signal, tell, client => client.listTools()));

type Input = {
  readonly server: McpServerAddress & {readonly name: McpServer};
  readonly tool: string;
  readonly given: ToolArguments;
};

/**
 * Calls a tool, with arguments that were checked against its schema before.
 *
 * @throws SetupError `input-invalid`, `input-required` for a tool or arguments that the server does not know, `platform-tool-failed` with
 *   what the tool said; as `withMcpServer`
 */
export const callTool: Flow<Input, ToolAnswer> = ({server, tool: name, given}, ports, signal) =>
  reporting(signal, (tell, signal) =>
    withMcpServer(
      server,
      ports,
      signal,
      tell,
      async client => {
        const tools = await client.listTools();
        const tool = tools.find(one => one.name === name);
        if (!tool) throw await unknownTool(name, tools, server);
        const args = await readArguments(tool, given, server.name);
        const raw = await client.callTool(name, args);
        const texts = raw.content.map(({type, text}) => (type === 'text' ? String(text) : `(${type})`));
        if (raw.isError) throw new SetupError('platform-tool-failed', `${name} failed: ${cleanText(texts.join(' '))}`);
        return {texts, raw, ...valueIn(raw.structuredContent, texts)};
      },
      {timeout: CALL_TOOL_TIMEOUT},
    ),
  );

const unknownTool = async (name: string, tools: readonly Tool[], server: Input['server']) => {
  const {closestMatch} = await import('leven');
  const meant = closestMatch(
    name,
    tools.map(tool => tool.name),
    {maxDistance: 4},
  );
  return new SetupError('input-invalid', `${server.url} has no tool ${name}.`, {
    remedy: meant ? `Did you mean ${meant}?` : `See npx setup mcp tools ${server.name}.`,
  });
};

/** The structured answer; a single text that is JSON is as good. */
const valueIn = (structured: unknown, texts: readonly string[]): {value?: unknown} => {
  if (structured !== undefined) return {value: structured};
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) return {};
  try {
    return {value: JSON.parse(text)};
  } catch {
    return {};
  }
};
