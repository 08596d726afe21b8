import type {Transport} from '@modelcontextprotocol/client';
import {parseJson} from '../../json.ts';
import {isObject, type JsonObject} from '../../mcp/message.ts';
import {forLegacyServer} from './legacy-server.ts';
import {forModernServer} from './modern-server.ts';
import type {Opening, TranslationPorts, Wire} from './sides.ts';

/** Two conversations, one with an assistant and one with a server, in the two eras of the protocol. */
export type Translation = {
  /** Rejects if the server does not speak the other era either. */
  readonly ready: Promise<void>;
  /** Takes one line of the assistant. */
  take(line: Buffer): void;
  /** Takes one message of the server. */
  hear(message: Buffer): void;
  close(): Promise<void>;
};

const createWire = (send: (message: Buffer) => void): Wire => {
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async message => send(Buffer.from(JSON.stringify(message))),
  };
  return {transport, deliver: message => transport.onmessage?.(message as never)};
};

/**
 * Translates between an assistant and a server that share no era: one uses the handshake and its session, the other the
 * stateless revision 2026-07-28. The SDK's own client or server handles each side.
 *
 * @param opening the first message of the assistant, `initialize` or one of the stateless era
 */
export const translate = (opening: Buffer, ports: TranslationPorts): Translation => {
  const {method, params} = readObject(opening);
  const [assistant, server] = [createWire(ports.tell), createWire(ports.send)];
  const wires = {assistant, server};
  const begun =
    method === 'initialize'
      ? forModernServer(wires, openingIn(params, 'clientInfo', 'capabilities'), ports)
      : forLegacyServer(wires, openingIn(metaOf(params), CLIENT_INFO, CLIENT_CAPABILITIES));
  const ready = begun.then(() => {});
  ready.catch(() => {});
  return {
    ready,
    take: line => {
      ready.then(
        () => assistant.deliver(parseJson(line.toString('utf8'))),
        () => {},
      );
    },
    hear: message => server.deliver(parseJson(message.toString('utf8'))),
    close: async () => (await begun)(),
  };
};

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const readObject = (message: Buffer): JsonObject => {
  const value = parseJson(message.toString('utf8'));
  return isObject(value) ? value : {};
};

const metaOf = (params: unknown): unknown => (isObject(params) ? params._meta : undefined);

const openingIn = (from: unknown, infoKey: string, capabilitiesKey: string): Opening => {
  const fields = isObject(from) ? from : {};
  const {[infoKey]: info, [capabilitiesKey]: capabilities} = fields;
  const {name, version} = isObject(info) ? info : {};
  return {
    clientInfo: {
      ...(isObject(info) ? info : {}),
      ...{name: typeof name === 'string' ? name : 'unnamed', version: typeof version === 'string' ? version : '0'},
    },
    capabilities: isObject(capabilities) ? capabilities : {},
  };
};
