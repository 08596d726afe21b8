import {SetupError} from '../errors/errors.ts';
import type {Clock} from '../ports/ports.ts';
import {type Channel, type ChannelReply, discard, MovedError} from './channel.ts';
import type {Output} from './exchange.ts';
import {inspect} from './message.ts';
import {readRefusal, refusalError} from './refusal.ts';
import {createResumption, type HeldAnswers, readAnswer} from './response-stream.ts';
import type {Session} from './session.ts';

export type ListenPorts = {
  readonly channel: Channel;
  readonly session: Session;
  readonly output: Output;
  readonly clock: Clock;
  readonly held?: HeldAnswers;
};

/**
 * Listens to what the server says of itself (MCP 2025-11-25, listening for messages from the server) for as long as the
 * session lasts: taken up again when it breaks off, begun again when the server has forgotten the session. A server that
 * offers no such stream, or refuses a new token for it, is left in peace. Whatever fails here is nobody's answer, and is met again by the next request.
 */
export const listen = async (ports: ListenPorts, signal: AbortSignal): Promise<void> => {
  const {session, output, clock, held} = ports;
  const {generation} = session;
  const resumption = createResumption();
  let hasOpened = false;
  const isOver = () => signal.aborted || session.generation !== generation;

  while (!isOver()) {
    let broke: unknown;
    try {
      const outcome = await open(ports, resumption.headers(), signal);
      if (outcome === 'not-offered' || (outcome === 'refused' && !hasOpened)) return;
      if (outcome === 'refused') {
        await session.revive(generation);
        return;
      }
      hasOpened = true;
      await readAnswer(
        outcome,
        async data => {
          const known = inspect(data);
          // Answers have streams of their own; one in this is not waited for by anybody.
          if (known?.answers.length === 0) await output.write(data);
          return known !== undefined;
        },
        resumption.heard,
        held?.share(signal),
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
    await clock.sleep(resumption.next(broke), signal);
  }
};

const open = async (
  {channel, session}: ListenPorts,
  resumeHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ChannelReply | 'refused' | 'not-offered'> => {
  const headers = {
    accept: 'text/event-stream',
    ...session.headers(),
    ...resumeHeaders,
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
