import type {Client, RequestOptions, Transport} from '@modelcontextprotocol/client';
import type {ServerContext} from '@modelcontextprotocol/server';
import type {JsonObject} from '../../mcp/message.ts';

/** The destinations of the messages of both conversations. */
export type TranslationPorts = {
  /** Sends a message to the assistant. */
  readonly tell: (message: Buffer) => void;
  /** Sends a message to the server. */
  readonly send: (message: Buffer) => void;
  /** Logs facts that no answer contains. */
  readonly log: (sentence: string) => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A transport of the SDK. Its incoming messages come from `deliver`. */
export type Wire = {readonly transport: Transport; readonly deliver: (message: unknown) => void};

/** The opening of an assistant in either era: its identity and its capabilities. */
export type Opening = {
  readonly clientInfo: {readonly name: string; readonly version: string};
  readonly capabilities: JsonObject;
};

/** A schema that accepts every answer, because answers are passed on unchanged. */
export const anything = {
  '~standard': {version: 1, vendor: 'platform-setup', validate: (value: unknown) => ({value: value as JsonObject})},
} as const;

/**
 * The timeout for an answer, in milliseconds: the longest that a timer of Node takes. The other side decides how long
 * to wait, not the translation.
 */
export const ENDLESS = 2 ** 31 - 1;

/** The requests for which a server may ask for input first (MCP 2026-07-28, multi round-trip requests). */
const interactive = ['tools/call', 'prompts/get', 'resources/read'] as const;

/**
 * Returns the requests of `interactive` that a server with these capabilities knows. The SDK accepts no handler for the
 * others.
 */
export const interactiveOf = (capabilities: object) =>
  interactive.filter(method => capabilityOf[method] in capabilities);

const capabilityOf = {'tools/call': 'tools', 'prompts/get': 'prompts', 'resources/read': 'resources'} as const;

export type Call = {readonly method: string; readonly params?: JsonObject | undefined};

/**
 * Makes a call of the assistant at the server. Passes on cancellation by the assistant, and progress.
 *
 * @throws the error of the server
 */
export const pass = async (
  client: Client,
  {method, params}: Call,
  {mcpReq}: ServerContext,
  options: RequestOptions = {},
): Promise<JsonObject> => {
  const progressToken = mcpReq._meta?.progressToken;
  const onprogress = (progress: object) => {
    void mcpReq
      .notify({method: 'notifications/progress', params: {...progress, progressToken}} as never)
      .catch(() => {});
  };
  return client.request({method, ...(params ? {params} : {})}, anything as never, {
    ...{signal: mcpReq.signal, timeout: ENDLESS},
    ...(progressToken === undefined ? {} : {onprogress}),
    ...options,
  }) as Promise<JsonObject>;
};
