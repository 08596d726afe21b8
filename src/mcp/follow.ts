import {type ErrorCode, familyOf, SetupError} from '../errors/errors.ts';
import {readAnswer} from './answer.ts';
import type {ChannelReply} from './channel.ts';
import type {HeldAnswers} from './held-answers.ts';
import type {Question} from './messages/message.ts';
import type {PostPorts} from './post.ts';
import {readRefusal, refusalError} from './refusal.ts';
import {createResumption} from './resumption.ts';

/** How often a stream that broke before its answer is taken up again without hearing anything new. */
const RESUMPTIONS = 12;

/** After the answer a stream has nothing more to say; a server that leaves it open is not waited for, in milliseconds. */
export const LINGER = 5_000;

/** Reads a reply to the last answer, taking it up where it broke off if the server says how (MCP, resumability). */
export const follow = async (
  first: ChannelReply,
  open: ReadonlyMap<string, Question>,
  deliver: (data: Buffer) => Promise<boolean>,
  flight: {readonly controller: AbortController; readonly cancelled: boolean},
  {channel, session, clock, held}: Pick<PostPorts, 'channel' | 'session' | 'clock'> & {readonly held?: HeldAnswers},
): Promise<void> => {
  const {signal} = flight.controller;
  const resumption = createResumption();
  let reply: ChannelReply | undefined = first;
  for (;;) {
    let broke: unknown;
    try {
      reply ??= await resume();
      const reading = reply;
      await readAnswer(
        reading,
        async data => {
          const isMessage = await deliver(data);
          if (open.size === 0) reading.endWithin(LINGER);
          return isMessage;
        },
        resumption.heard,
        held?.share(signal),
      );
    } catch (error) {
      broke = error;
    }
    reply = undefined;
    if (open.size === 0 || flight.cancelled || signal.aborted) return;
    if (!resumption.isPossible || resumption.tries >= RESUMPTIONS || isFinal(broke)) {
      throw whyNoAnswer(broke, first.url);
    }
    await clock.sleep(resumption.next(broke), signal);
  }

  async function resume(): Promise<ChannelReply> {
    const headers = {accept: 'text/event-stream', ...session.headers(), ...resumption.headers()};
    const request = {method: 'GET', headers, repeatable: true, isAwaited: true, from: first.url} as const;
    const resumed = await channel.call(request, signal);
    const refusal = await readRefusal(resumed);
    if (refusal) throw refusalError(refusal, resumed.url);
    return resumed;
  }
};

const whyNoAnswer = (broke: unknown, {href}: URL): unknown => {
  // A handshake whose time was over, cut short by ourselves.
  const isLate = broke instanceof SetupError && broke.code === 'cancelled';
  if (isLate) return new SetupError('network-timeout', `${href} did not answer in time.`, {about: {url: href}});
  return (
    broke ??
    new SetupError('platform-mcp-failed', `${href} closed its response before sending an answer.`, {about: {url: href}})
  );
};

/** A network that fails may be better in a moment, and so may a server that restarts or has too much to do. */
const isFinal = (error: unknown): boolean =>
  error !== undefined &&
  !(error instanceof SetupError && (familyOf(error.code) === 'network' || passing.has(error.code)));

const passing: ReadonlySet<ErrorCode> = new Set(['platform-error', 'platform-unhealthy', 'platform-busy']);
