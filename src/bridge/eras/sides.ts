import type {Client, RequestOptions, Transport} from '@modelcontextprotocol/client';
import type {ServerContext} from '@modelcontextprotocol/server';
import type {JsonObject} from '../../mcp/message.ts';

/** Where the messages of the two conversations go. */
export type TranslationPorts = {
  /** Gives the assistant a message. */
  readonly tell: (message: Buffer) => void;
  /** Gives the server one. */
  readonly send: (message: Buffer) => void;
  /** For what no answer says. */
  readonly log: (sentence: string) => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A transport of the SDK, whose messages come from `deliver` and go where they are given to. */
export type Wire = {readonly transport: Transport; readonly deliver: (message: unknown) => void};

/** How an assistant has begun, in either era: who it is, and what it can do. */
export type Opening = {
  readonly clientInfo: {readonly name: string; readonly version: string};
  readonly capabilities: JsonObject;
};

/** Answers are passed on as they are, so nothing is checked. */
export const anything = {
  '~standard': {version: 1, vendor: 'platform-setup', validate: (value: unknown) => ({value: value as JsonObject})},
} as const;

/** How long an answer may take: what waits for it decides, not the translation. The most that a timer of Node takes, in milliseconds. */
export const ENDLESS = 2 ** 31 - 1;

/** The requests to which a server may answer that it needs something first (MCP 2026-07-28, multi round-trip requests). */
const interactive = ['tools/call', 'prompts/get', 'resources/read'] as const;

/** Which of these calls a server with such capabilities has; the SDK takes no handler for the others. */
export const interactiveOf = (capabilities: object) =>
  interactive.filter(method => capabilityOf[method] in capabilities);

const capabilityOf = {'tools/call': 'tools', 'prompts/get': 'prompts', 'resources/read': 'resources'} as const;

export type Call = {readonly method: string; readonly params?: JsonObject | undefined};

/**
 * Makes a call of the assistant at the server: with its end when the assistant gives it up, and with its progress.
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
