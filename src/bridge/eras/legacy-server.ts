import {Client} from '@modelcontextprotocol/client';
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {isObject, type JsonObject} from '../../mcp/message.ts';
import {createInteractiveCalls} from './interactive-calls.ts';
import {anything, type Call, ENDLESS, interactiveOf, type Opening, pass, type Wire} from './sides.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** The requests that a server of the earlier eras sends to an assistant. */
const questions = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/**
 * Connects an assistant of the stateless era to a server that begins with a handshake. The bridge keeps the session. If
 * the server asks something during a call, the bridge answers the call with “input required”. The assistant calls again
 * with the input, which continues the same call.
 *
 * @returns a function that ends both conversations
 * @throws Error if the server accepts no handshake
 */
export const forLegacyServer = async (
  {assistant, server}: {readonly assistant: Wire; readonly server: Wire},
  {clientInfo, capabilities}: Opening,
): Promise<() => Promise<void>> => {
  const client = new Client(clientInfo, {capabilities});
  const calls = createInteractiveCalls();
  for (const method of questions.filter(one => capabilityFor[one] in capabilities)) {
    client.setRequestHandler(method, ((request: Call, {mcpReq}: {mcpReq: {signal: AbortSignal}}) =>
      calls.ask({method, params: request.params}, mcpReq.signal)) as never);
  }
  await client.connect(server.transport);
  const offered = client.getServerCapabilities() ?? {};
  let level: unknown;
  let announced: Server | undefined;
  /** The pending calls that want the server's log messages. */
  const listeners = new Set<ServerContext>();

  /** Sets the log level, which belongs to the session in the earlier eras. */
  const setLevel = async (wanted: unknown) => {
    if (wanted === undefined || wanted === level || !offered.logging) return;
    level = wanted;
    await client.request({method: 'logging/setLevel', params: {level}}, anything as never).catch(() => {});
  };

  const forward = async (call: Call, context: ServerContext): Promise<never> => {
    const wanted = (context.mcpReq.envelope as JsonObject | undefined)?.[LOG_LEVEL];
    await setLevel(wanted);
    if (wanted !== undefined) listeners.add(context);
    try {
      return (await pass(client, call, context)) as never;
    } finally {
      listeners.delete(context);
    }
  };

  const createServer = (): Server => {
    const instructions = client.getInstructions();
    const own = new Server(client.getServerVersion() ?? clientInfo, {
      capabilities: {...offered},
      ...(instructions === undefined ? {} : {instructions}),
    });
    for (const method of interactiveOf(offered)) {
      own.setRequestHandler(method, (async (request: Call, context: ServerContext) => {
        const {mcpReq} = context;
        const state = mcpReq.requestState<string>();
        const step =
          state === undefined
            ? calls.begin(signal => forward(request, {...context, mcpReq: {...mcpReq, signal}}), mcpReq.signal)
            : calls.goOn(state, mcpReq.inputResponses ?? {}, mcpReq.signal);
        if (!step) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
        const next = await step;
        if ('result' in next) return next.result;
        return inputRequired({inputRequests: {[next.key]: next.question as never}, requestState: next.state});
      }) as never);
    }
    own.fallbackRequestHandler = forward;
    announced = own;
    return own;
  };

  client.fallbackNotificationHandler = async ({method, params}) => {
    if (method === 'notifications/message') {
      const last = [...listeners].at(-1);
      await last?.mcpReq.notify({method, params} as never).catch(() => {});
    } else await announced?.notification({method, params} as never).catch(() => {});
  };

  /** The resources that the assistant wants to hear of, by the ID of the request that subscribed. */
  const subscriptions = new Map<unknown, readonly string[]>();
  const subscribe = (method: 'resources/subscribe' | 'resources/unsubscribe', uris: readonly string[]) => {
    for (const uri of uris) {
      client.request({method, params: {uri}}, anything as never, {timeout: ENDLESS}).catch(() => {});
    }
  };
  const served = serveStdio(createServer, {transport: assistant.transport as never});
  const {onmessage} = assistant.transport;
  assistant.transport.onmessage = (message, extra) => {
    const {method, id, params} = message as {method?: string; id?: unknown; params?: JsonObject};
    if (method === 'subscriptions/listen') {
      const uris = urisIn(params);
      subscriptions.set(id, uris);
      subscribe('resources/subscribe', uris);
    } else if (method === 'notifications/cancelled') {
      subscribe('resources/unsubscribe', subscriptions.get(params?.requestId) ?? []);
      subscriptions.delete(params?.requestId);
    }
    onmessage?.(message, extra);
  };
  return async () => {
    calls.end();
    await Promise.allSettled([served.close(), client.close()]);
  };
};

const capabilityFor = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

const urisIn = (params: JsonObject | undefined): readonly string[] => {
  const wanted = isObject(params?.notifications) ? params.notifications.resourceSubscriptions : undefined;
  return Array.isArray(wanted) ? wanted.filter(one => typeof one === 'string') : [];
};
