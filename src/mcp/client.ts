import {isErrorCode, SetupError} from '../errors/errors.ts';
import {parseJson} from '../json.ts';
import {createMessageQueue} from '../message-queue.ts';
import {onAbort} from '../on-abort.ts';
import {failureAt} from '../ports/network/curl.ts';
import type {Clock, Conversation, OpenStream, StreamReply} from '../ports/ports.ts';
import {briefText, cleanText} from '../text.ts';
import {type Channel, followingRedirects} from './channel.ts';
import {BRIDGE_FAILED, isObject, type JsonObject, MOST_PAGES} from './message.ts';
import {
  challengeIn,
  challengeText,
  deniedAbout,
  hostRefusal,
  readRefusal,
  refusedTokenText,
  stepUpError,
} from './refusal.ts';

/** The version that this client names in its handshake. The server may answer with another one. */
const PROTOCOL_VERSION = '2025-11-25';

/**
 * The `_meta` key under which this program's bridge says why it, and not the server, answers a handshake: it cannot
 * reach the server.
 */
export const failureKey = 'platform-setup/failure';

/** The environment variable with which a check gives the bridge the seal for its failures (see `failureAnswer`). */
export const SEAL = 'PLATFORM_SETUP_CHECK';

/** More tools than any assistant accepts, on all pages together. */
const MOST_TOOLS = 10_000;

/** A tool as its server describes it (MCP 2025-11-25, tools). */
export type Tool = JsonObject & {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
};

/** The result of a tool call (MCP 2025-11-25, calling tools). */
export type CallResult = JsonObject & {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
};

/** The assistant's side of a conversation with an MCP server: one request after the other. */
export type McpClient = Awaited<ReturnType<typeof beginSession>>;

/**
 * Begins a conversation with the handshake (MCP 2025-11-25, lifecycle).
 *
 * @param seal distinguishes this program's bridge from a server that returns the same error codes
 * @throws Error with the reason alone, as the caller knows which server answered; SetupError if this program's bridge
 *   reports a failure. The functions of the client throw the same, and all pass on what `conversation` rejects with
 */
export const beginSession = async (conversation: Conversation, {seal}: {readonly seal?: string | undefined} = {}) => {
  let id = 0;
  /** The size of all answers so far, in characters. */
  let read = 0;
  const request = async (method: string, params: JsonObject): Promise<JsonObject> => {
    id += 1;
    conversation.send(JSON.stringify({jsonrpc: '2.0', id, method, params}));
    for (;;) {
      const line = await conversation.next();
      read += line.length;
      const message = parseJson(line);
      if (!isObject(message)) continue;
      if (message.method === undefined && message.id === id) {
        if (isObject(message.error)) throw errorIn(message.error, seal);
        if (isObject(message.result)) return message.result;
        throw new Error(`it answered ${method} with no result`);
      }
      if (message.method !== undefined && message.id !== undefined) conversation.send(replyTo(message));
    }
  };

  const clientInfo = {name: 'platform-setup', version: '1'};
  const offer = {protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo};
  const {protocolVersion, _meta} = await request('initialize', offer);
  const failure = isObject(_meta) ? _meta[failureKey] : undefined;
  if (isObject(failure) && isSealed(failure, seal)) {
    throw errorIn({code: BRIDGE_FAILED, message: failure.message, data: failure}, seal);
  }
  if (typeof protocolVersion !== 'string') throw new Error('its handshake names no protocol version');
  conversation.send(JSON.stringify({jsonrpc: '2.0', method: 'notifications/initialized'}));

  return {
    listTools: async (): Promise<readonly Tool[]> => {
      const tools: Tool[] = [];
      let cursor: string | undefined;
      const before = read;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const result = await request('tools/list', cursor === undefined ? {} : {cursor});
        if (!Array.isArray(result.tools) || !result.tools.every(isTool))
          throw new Error('its list of tools is malformed');
        for (const tool of result.tools) tools.push(tool);
        if (tools.length > MOST_TOOLS) throw new Error(`it has more than ${MOST_TOOLS.toLocaleString('en')} tools`);
        if (read - before > MAX_ANSWER) throw new Error('its list of tools is longer than 16 MiB');
        if (typeof result.nextCursor !== 'string') return tools;
        cursor = result.nextCursor;
      }
      throw new Error(`its list of tools has more than ${MOST_PAGES} pages`);
    },
    callTool: async (name: string, args: JsonObject): Promise<CallResult> => {
      const result = await request('tools/call', {name, arguments: args});
      const {content = []} = result;
      if (!Array.isArray(content) || !content.every(isObject)) throw new Error(`${name} returned no valid content`);
      return {...result, content, isError: result.isError === true};
    },
  };
};

const isTool = (value: unknown): value is Tool =>
  isObject(value) && typeof value.name === 'string' && isObject(value.inputSchema);

/** Answers a request of the server. This client offers no capabilities, so a server may only ping it. */
const replyTo = ({id, method}: JsonObject): string => {
  if (method === 'ping') return JSON.stringify({jsonrpc: '2.0', id, result: {}});
  return JSON.stringify({jsonrpc: '2.0', id, error: {code: -32_601, message: 'Method not found'}});
};

/** Converts a JSON-RPC error. A sealed failure of this program's bridge becomes the SetupError that it describes. */
const errorIn = ({code: kind, message, data}: JsonObject, seal: string | undefined): Error => {
  const text = typeof message === 'string' ? cleanText(message) : 'it returned an error';
  if (kind !== BRIDGE_FAILED || !isObject(data) || !isSealed(data, seal) || !isErrorCode(data.code))
    return new Error(text);
  // Lines to copy stand below the sentences of a remedy, and would be joined to one line here.
  const [remedy = ''] = String(data.remedy ?? '').split('\n\n');
  const reason = typeof data.reason === 'string' ? cleanText(data.reason) : text;
  return new SetupError(data.code, reason, {remedy: briefText(remedy, LONGEST_REMEDY)});
};

/** The most characters of a remedy that the bridge tells to a check. */
const LONGEST_REMEDY = 1_000;

const isSealed = (data: JsonObject, seal: string | undefined): boolean => seal !== undefined && data.seal === seal;

/**
 * The largest answer in bytes, and the largest list in characters. Lower than the bridge's limit for a message, because
 * the client keeps what it has read and the bridge only passes it on.
 */
const MAX_ANSWER = 16 * 1024 * 1024;

type Server = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Opens a conversation with an MCP server over HTTP, through the bridge's relay but without its sign-in. The first
 * message that fails ends it: `next` then rejects with the failure. If `signal` aborts, `next` rejects with its reason.
 */
export const converseOverHttp = async (
  {url, headers}: Server,
  open: OpenStream,
  clock: Clock,
  signal: AbortSignal,
): Promise<Conversation> => {
  // Loaded with the first session, because nothing needs it before.
  const {createRelay} = await import('./relay.ts');
  const openAt = followingRedirects(open);
  const channel: Channel = {
    call: async ({from: _, repeatable: __, ...request}, callSignal) => {
      const sent = {...request, url, headers: {...headers, ...request.headers}};
      const reply = await openAt(sent, AbortSignal.any([callSignal, signal]));
      const refused = reply.status === 401 || reply.status === 403 ? await refusalOf(reply, url) : undefined;
      if (refused) throw refused;
      return {...reply, url, body: capped(reply.body, url)};
    },
  };
  const messages = createMessageQueue<string>();
  const relay = createRelay({
    ...{channel, clock, listens: false, log: () => {}, onIdle: () => {}},
    output: {write: message => void messages.push(message.toString('utf8'))},
    failed: messages.end,
  });
  const stopListening = onAbort(signal, () => messages.end(signal.reason));
  return {
    send: line => relay.take(Buffer.from(line)),
    next: messages.next,
    close: async () => {
      await relay.close();
      stopListening();
    },
  };
};

const refusalOf = async (reply: StreamReply, url: URL): Promise<SetupError | undefined> => {
  const refused = await readRefusal(reply);
  if (!refused) return undefined;
  const {status, header} = refused;
  const challenge = challengeIn(header('www-authenticate'));
  const cause = stepUpError(url, challenge, status) ?? hostRefusal(refused, url);
  if (cause) return cause;
  return status === 401
    ? failureAt(url, 'auth-token-refused', `refused the access token (401).${refusedTokenText(challenge)}`)
    : failureAt(
        url,
        'auth-permission-missing',
        `accepted the sign-in but denied access (403).${challengeText(challenge)}`,
        {
          about: deniedAbout(challenge),
        },
      );
};

async function* capped(body: AsyncIterable<Buffer>, url: URL): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw failureAt(url, 'platform-invalid-answer', 'returned more than 16 MiB.');
    yield chunk;
  }
}
