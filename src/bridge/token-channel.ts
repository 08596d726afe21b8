import {SetupError} from '../errors/errors.ts';
import {type Channel, type ChannelReply, type ChannelRequest, discard, MovedError} from '../mcp/channel.ts';
import {challengeIn, challengeText} from '../mcp/messages/challenge.ts';
import type {Streams} from '../ports/network/streams.ts';
import {type Access, type AccessSource, refusal} from './access.ts';

const isLost = ({code}: SetupError) => code === 'network-reset' || code === 'network-lost';

/** The platform's server, with a live token in every request, renewed once where the server refuses it. */
export const createTokenChannel = (access: AccessSource, streams: Streams): Channel => {
  const open = async (request: ChannelRequest, {url, token}: Access, signal: AbortSignal): Promise<ChannelReply> => {
    const {from, repeatable: _, ...rest} = request;
    if (from && from.href !== url.href) throw new MovedError();
    const headers = {...rest.headers, authorization: `Bearer ${token}`};
    const reply = await streams.open({...rest, url, headers}, signal);
    return Object.assign(reply, {url});
  };

  /** A connection that was kept may be gone without a word, as after the server's restart. */
  const openAgain = async (request: ChannelRequest, granted: Access, signal: AbortSignal) => {
    try {
      return await open(request, granted, signal);
    } catch (error) {
      if (!request.repeatable || !(error instanceof SetupError) || !isLost(error)) throw error;
      return open(request, granted, signal);
    }
  };

  /** What the server says of the token when it refuses that. */
  const attempt = async (request: ChannelRequest, granted: Access, signal: AbortSignal) => {
    const reply = await openAgain(request, granted, signal);
    if (reply.status !== 401) {
      access.taken(granted);
      return {reply};
    }
    await discard(reply);
    return {challenge: challengeText(challengeIn(reply.header('www-authenticate')))};
  };

  return {
    call: async (request, signal) => {
      const now = access.current();
      const granted = now instanceof Promise ? await now : now;
      const {reply, challenge = ''} = await attempt(request, granted, signal);
      if (reply) return reply;
      const renewed = await access.instead(granted).catch(error => {
        throw error instanceof SetupError ? error.saying(challenge) : error;
      });
      const again = await attempt(request, renewed, signal);
      if (again.reply) return again.reply;
      throw refusal(renewed.url).saying(again.challenge);
    },
  };
};
