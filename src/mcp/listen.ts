import {SetupError} from '../errors/errors.ts';
import {MovedError} from './channel.ts';
import type {ExchangePorts} from './exchange.ts';
import {inspect, membersOf} from './message.ts';
import {readRefusal, refusalError} from './refusal.ts';
import {readOn} from './response-stream.ts';

type ListenPorts = Pick<ExchangePorts, 'channel' | 'session' | 'output' | 'clock' | 'held' | 'elsewhere'>;

/**
 * Listens for messages that the server sends by itself (MCP 2025-11-25, listening for messages from the server) as long
 * as the session lasts. Stops at a server that offers no such stream, or refuses a new token for it. A failure here is
 * not reported: the next request meets it too.
 */
export const listen = async (ports: ListenPorts, signal: AbortSignal): Promise<void> => {
  const {channel, session, output, elsewhere} = ports;
  const {generation} = session;
  let hasOpened = false;
  const isOver = () => signal.aborted || session.generation !== generation;

  const open = async (where: Readonly<Record<string, string>>) => {
    if (isOver()) return undefined;
    const headers = {accept: 'text/event-stream', ...session.headers(), ...where};
    const reply = await channel.call({method: 'GET', headers, repeatable: true, from: session.url}, signal);
    const refusal = await readRefusal(reply);
    if (refusal && (refusal.status >= 500 || refusal.status === 429)) throw refusalError(refusal, reply.url);
    if (refusal?.status === 404 && session.isOpen && hasOpened) await session.revive(generation);
    if (refusal) return undefined;
    hasOpened = true;
    elsewhere.isOpen = true;
    return reply;
  };
  const deliver = async (data: Buffer) => {
    const known = inspect(data);
    if (known?.answers.length === 0) for (const one of membersOf(data) ?? [data]) await output.write(one);
    // Answers have streams of their own, unless a server has accepted a request with 202 and answers later.
    for (const id of known?.answers ?? []) await elsewhere.waiting.get(id)?.(data);
    return known !== undefined;
  };
  const goesOn = (broke: unknown) => {
    if (broke instanceof MovedError) return false;
    // A sign-in that has ended may be renewed, and a server may come back.
    if (broke !== undefined && !(broke instanceof SetupError)) throw broke;
    // The server refused this stream even with a new token, although it may accept messages. Each retry would renew the
    // token once more.
    return broke?.code !== 'auth-token-refused' && !isOver();
  };
  try {
    await readOn(open, deliver, goesOn, ports, signal);
  } finally {
    elsewhere.isOpen = false;
  }
};
