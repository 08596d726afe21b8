import type {Connection} from '../assistants/assistant.ts';
import {errorCodes, SetupError} from '../errors.ts';
import type {Conversation, Ports} from '../ports/ports.ts';
import type {ToolList} from './list-tools.ts';
import {cleanText} from './text.ts';
import {LIST_TIMEOUT} from './time-limits.ts';

type Program = Extract<Connection, {kind: 'command'}>;

/** The handshake of the 2025 era, which every server and every client knows. */
const PROTOCOL_VERSION = '2025-06-18';

/**
 * Asks an MCP server what it offers, through the program that an entry names, over its standard input and output.
 *
 * @throws SetupError `local-entry-failed` with what the program said, `network-timeout`
 */
export const listToolsByCommand = async (program: Program, ports: Ports, signal: AbortSignal): Promise<ToolList> => {
  const {command, args, env} = program;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT)]);
  const started = ports.clock.monotonic();
  const conversation = await ports.processes.open(command, args, {env, signal: deadline});
  try {
    const names = await listAll(conversation);
    return {names, ms: Math.round(ports.clock.monotonic() - started)};
  } catch (error) {
    signal.throwIfAborted();
    const what = [command, ...args].join(' ');
    if (deadline.aborted)
      throw new SetupError('network-timeout', `${what} did not answer within ${LIST_TIMEOUT / 1000} s.`, {
        cause: error,
      });
    if (error instanceof SetupError) throw error;
    const reason = cleanText(error instanceof Error ? error.message : String(error));
    throw new SetupError('local-entry-failed', `${what} did not work: ${reason}`, {cause: error});
  } finally {
    conversation.close();
  }
};

const listAll = async (conversation: Conversation): Promise<readonly string[]> => {
  const clientInfo = {name: 'platform-setup', version: '1'};
  await request(conversation, 1, 'initialize', {protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo});
  conversation.send(JSON.stringify({jsonrpc: '2.0', method: 'notifications/initialized'}));
  const names: string[] = [];
  let cursor: string | undefined;
  let id = 2;
  do {
    const page = await request(conversation, id, 'tools/list', cursor === undefined ? {} : {cursor});
    const {tools, nextCursor} = page as {tools?: {name: string}[]; nextCursor?: string};
    names.push(...(tools ?? []).map(({name}) => name));
    cursor = nextCursor;
    id += 1;
  } while (cursor !== undefined);
  return names;
};

type Message = {readonly id?: unknown; readonly result?: unknown; readonly error?: Failure};

type Failure = {readonly message?: string; readonly data?: {readonly code?: unknown}};

/** What our own bridge says went wrong is what went wrong. */
const failureIn = ({message = 'It answered with an error.', data}: Failure): Error => {
  const code = errorCodes.find(one => one === data?.code);
  return code ? new SetupError(code, cleanText(message), {remedy: ''}) : new Error(message);
};

const request = async (conversation: Conversation, id: number, method: string, params: object): Promise<unknown> => {
  conversation.send(JSON.stringify({jsonrpc: '2.0', id, method, params}));
  for (;;) {
    const message: Message = JSON.parse(await conversation.next());
    // Notifications, and what the server asks, are not what is waited for.
    if (message.id !== id) continue;
    if (message.error) throw failureIn(message.error);
    return message.result;
  }
};
