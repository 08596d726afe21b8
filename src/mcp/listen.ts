import {SetupError} from '../errors/errors.ts';
import type {Clock} from '../ports/ports.ts';
import {advance, type Position, readAnswer} from './answer.ts';
import {type Channel, type ChannelReply, discard, MovedError} from './channel.ts';
import type {Output} from './exchange.ts';
import {inspect} from './messages/server-message.ts';
import {readRefusal, refusalError} from './refusal.ts';
import {resumeDelay} from './resume-delay.ts';
import type {Session} from './session.ts';

export type ListenPorts = {
  readonly channel: Channel;
  readonly session: Session;
  readonly output: Output;
  readonly clock: Clock;
};

/**
 * Listens to what the server says of itself (MCP 2025-11-25, listening for messages from the server) for as long as the
 * session lasts: taken up again when it breaks off, begun again when the server has forgotten the session. A server that
 * offers no such stream, or refuses a new token for it, is left in peace. Whatever fails here is nobody's answer, and is met again by the next request.
 */
export const listen = async (ports: ListenPorts, signal: AbortSignal): Promise<void> => {
  const {session, output, clock} = ports;
  const {generation} = session;
  let position: Position = {lastEventId: ''};
  let hasOpened = false;
  let tries = 0;
  const isOver = () => signal.aborted || session.generation !== generation;

  while (!isOver()) {
    let broke: unknown;
    try {
      const outcome = await open(ports, position, signal);
      if (outcome === 'not-offered' || (outcome === 'refused' && !hasOpened)) return;
      if (outcome === 'refused') {
        await session.revive(generation);
        return;
      }
      hasOpened = true;
      await readAnswer(
        outcome,
        async data => {
          tries = 0;
          // Answers have streams of their own; one in this is not waited for by anybody.
          if (inspect(data)?.answers.length === 0) await output.write(data);
          return true;
        },
        at => {
          position = advance(position, at);
          tries = 0;
        },
      );
    } catch (error) {
      if (error instanceof MovedError) return;
      // A sign-in that has ended comes back, and so does a server.
      if (!(error instanceof SetupError)) throw error;
      // A new token did not help: this stream is not for it, though messages may be, and each try would renew another.
      if (error.code === 'auth-token-refused') return;
      broke = error;
    }
    if (isOver()) return;
    await clock.sleep(resumeDelay(tries, position.retry, broke), signal);
    tries += 1;
  }
};

const open = async (
  {channel, session}: ListenPorts,
  {lastEventId}: Position,
  signal: AbortSignal,
): Promise<ChannelReply | 'refused' | 'not-offered'> => {
  const headers = {
    accept: 'text/event-stream',
    ...session.headers(),
    ...(lastEventId === '' ? {} : {'last-event-id': lastEventId}),
  };
  const reply = await channel.call({method: 'GET', headers, repeatable: true, from: session.url}, signal);
  if (reply.status === 404 && session.isOpen) {
    await discard(reply);
    return 'refused';
  }
  const refusal = await readRefusal(reply);
  if (!refusal) return reply;
  if (refusal.status < 500 && refusal.status !== 429) return 'not-offered';
  throw refusalError(refusal, reply.url);
};
