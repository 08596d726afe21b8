import {Client, type McpSubscription} from '@modelcontextprotocol/client';
import {Server, type ServerContext} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import type {JsonObject} from '../../mcp/message.ts';
import {cleanText} from '../../text.ts';
import {type Call, interactiveOf, type Opening, pass, type TranslationPorts, type Wire} from './sides.ts';

/** The revision without a handshake (https://modelcontextprotocol.io/specification/2026-07-28). */
const REVISION = '2026-07-28';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** The pause after a server has ended its stream of notifications, at first and at most, in milliseconds. */
const FIRST = 1_000;
const LONGEST = 60_000;

/**
 * Connects an assistant that begins with a handshake to a server that has no handshake. The bridge keeps the session.
 * If the server needs input first, the bridge asks the assistant for it and repeats the call with the answer.
 *
 * @returns a function that ends both conversations
 * @throws Error if the server does not speak the stateless era
 */
export const forModernServer = async (
  {assistant, server}: {readonly assistant: Wire; readonly server: Wire},
  {clientInfo, capabilities}: Opening,
  {log, sleep}: TranslationPorts,
): Promise<() => Promise<void>> => {
  const client = new Client(clientInfo, {
    ...{capabilities, versionNegotiation: {mode: {pin: REVISION}}, inputRequired: {autoFulfill: false}},
  });
  await client.connect(server.transport);
  const over = new AbortController();
  const offered = client.getServerCapabilities() ?? {};
  let level: unknown;
  const uris = new Set<string>();
  /** Counts the changes to the subscription. */
  let wanted = 0;
  let subscription: McpSubscription | undefined;
  let isHeard = Promise.withResolvers<void>();
  let announced: Server | undefined;

  /** Listens for the server's notifications until the conversation ends. Stops if the server does not offer them. */
  const listen = async () => {
    for (let pause = FIRST; !over.signal.aborted; pause = Math.min(pause * 2, LONGEST)) {
      const asked = wanted;
      const filter = {
        ...{toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true},
        ...(uris.size > 0 ? {resourceSubscriptions: [...uris]} : {}),
      };
      try {
        subscription = await client.listen(filter, {signal: over.signal});
        pause = FIRST;
        if (asked !== wanted) await subscription.close();
        else isHeard.resolve();
        if ((await subscription.closed) === 'local') continue;
      } catch (error) {
        isHeard.resolve();
        if (isUnknownMethod(error)) return;
      }
      await sleep(pause, over.signal);
    }
  };

  /** Subscribes again, for other resources. Resolves when the server has received the subscription. */
  const listenAnew = async () => {
    wanted += 1;
    isHeard = Promise.withResolvers();
    await subscription?.close();
    await isHeard.promise;
  };

  const createServer = (): Server => {
    const own = new Server(client.getServerVersion() ?? clientInfo, {
      capabilities: {...offered},
      ...instructionsOf(client),
    });
    const forward = async (call: Call, context: ServerContext): Promise<never> => {
      const {mcpReq} = context;
      const state = mcpReq.requestState();
      const params = {
        ...call.params,
        ...(mcpReq.inputResponses === undefined ? {} : {inputResponses: mcpReq.inputResponses}),
        ...(state === undefined ? {} : {requestState: state}),
        _meta: {...metaIn(call.params), ...(level === undefined ? {} : {[LOG_LEVEL]: level})},
      };
      const result = await pass(client, {...call, params}, context, {allowInputRequired: true});
      return withoutEra(result) as never;
    };
    for (const method of interactiveOf(offered)) own.setRequestHandler(method, forward as never);
    own.fallbackRequestHandler = forward;
    if (offered.logging) {
      own.setRequestHandler('logging/setLevel', ({params}) => {
        ({level} = params);
        return {};
      });
    }
    if (offered.resources) {
      own.setRequestHandler('resources/subscribe', async ({params}) => {
        uris.add(params.uri);
        await listenAnew();
        return {};
      });
      own.setRequestHandler('resources/unsubscribe', async ({params}) => {
        if (uris.delete(params.uri)) await listenAnew();
        return {};
      });
    }
    own.oninitialized = () => {
      listen().catch(() => {});
    };
    announced = own;
    return own;
  };

  client.fallbackNotificationHandler = async notification => {
    await announced
      ?.notification(notification as never)
      .catch(error => log(`A notification was lost: ${reason(error)}`));
  };
  const served = serveStdio(createServer, {transport: assistant.transport as never});
  return async () => {
    over.abort();
    await Promise.allSettled([served.close(), client.close()]);
  };
};

const instructionsOf = (client: Client) => {
  const instructions = client.getInstructions();
  return instructions === undefined ? {} : {instructions};
};

const metaIn = (params: JsonObject | undefined) => params?._meta as JsonObject | undefined;

/** Removes the members of a result that only the stateless era has. A result that asks for input keeps its type. */
const withoutEra = ({ttlMs: _, cacheScope: __, resultType, ...result}: JsonObject): JsonObject =>
  resultType === 'input_required' ? {...result, resultType} : result;

const isUnknownMethod = (error: unknown) => error instanceof Error && 'code' in error && error.code === -32_601;

const reason = (error: unknown) => cleanText(error instanceof Error ? error.message : String(error));
