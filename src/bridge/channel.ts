import {SetupError} from '../errors.ts';
import type {StreamReply, StreamRequest, Streams} from '../ports/streams.ts';
import {type Access, type AccessSource, refusal} from './access.ts';

export type ChannelRequest = Omit<StreamRequest, 'url'> & {
  /** Whether it may be sent again when the connection broke before an answer, and nobody knows what was done. */
  readonly repeatable: boolean;
  /** What this request is for: a token for another address means that the platform has moved. */
  readonly from?: URL | undefined;
};

export type ChannelReply = StreamReply & {readonly url: URL};

/** Thrown when the sign-in leads to another server than the one that the request is for. */
export class MovedError extends Error {}

/** The platform's server, with a live token in every request. */
export type Channel = {
  /**
   * @throws SetupError when there is no token to be had, when the server refuses it also after one renewal, or when the
   *   network fails; MovedError
   */
  call(request: ChannelRequest, signal: AbortSignal): Promise<ChannelReply>;
};

export const createChannel = (access: AccessSource, streams: Streams): Channel => {
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
      if (!request.repeatable || !(error instanceof SetupError) || error.code !== 'network-reset') throw error;
      return open(request, granted, signal);
    }
  };

  /** Undefined when the server refuses the token. */
  const attempt = async (request: ChannelRequest, granted: Access, signal: AbortSignal) => {
    const reply = await openAgain(request, granted, signal);
    if (reply.status !== 401) {
      access.taken(granted);
      return reply;
    }
    await discard(reply);
    return undefined;
  };

  return {
    call: async (request, signal) => {
      const now = access.current();
      const granted = now instanceof Promise ? await now : now;
      const reply = await attempt(request, granted, signal);
      if (reply) return reply;
      const renewed = await access.instead(granted);
      const again = await attempt(request, renewed, signal);
      if (again) return again;
      throw refusal(renewed.url);
    },
  };
};

/** Reads an answer that nobody wants, so that its connection can be used again. */
export const discard = async (reply: StreamReply): Promise<void> => {
  reply.endWithin(1_000);
  try {
    let size = 0;
    for await (const chunk of reply.body) {
      size += chunk.length;
      if (size > 64 * 1024) return;
    }
  } catch {
    // It was not wanted.
  }
};
