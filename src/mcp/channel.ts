import type {SetupError} from '../errors/errors.ts';
import {redirectTarget} from '../ports/network/portal.ts';
import type {OpenStream, StreamReply, StreamRequest} from '../ports/ports.ts';

export type ChannelRequest = Omit<StreamRequest, 'url'> & {
  /** True if the request may be sent again after the connection broke before an answer. */
  readonly repeatable: boolean;
  /** The address that this request is for. If the token is for another address, the platform has moved. */
  readonly from?: URL | undefined;
};

export type ChannelReply = StreamReply & {readonly url: URL};

/** Thrown if the sign-in leads to another server than the one that the request is for. */
export class MovedError extends Error {}

/** A connection to a server of the platform. It adds what the server needs in every request, such as the token. */
export type Channel = {
  /**
   * Sends a request.
   *
   * @throws SetupError if there is no valid token, or the network fails; MovedError
   */
  call(request: ChannelRequest, signal: AbortSignal): Promise<ChannelReply>;
  /**
   * Why nothing can be sent, while the channel is still trying; undefined if the server can be reached, or if no reason
   * is known.
   */
  trouble?(): SetupError | undefined;
};

/** Longer than any explanation in a response, in bytes. */
const LONGEST = 64 * 1024;

/** Reads a response that is not a message of the protocol, up to a limit, so that its connection can be used again. */
export const beginningOf = async (reply: StreamReply, ms: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  reply.endWithin(ms);
  try {
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LONGEST) break;
    }
  } catch {
    // The body broke off. The status is known, and it matters more.
  }
  return Buffer.concat(chunks);
};

/** Reads a response that is not needed, so that its connection can be used again. */
export const discard = async (reply: StreamReply): Promise<void> => void (await beginningOf(reply, 1_000));

/** More redirects in a row are a loop. */
const MOST_REDIRECTS = 3;

/**
 * Wraps `open` so that it follows redirects that keep method and body (RFC 9110 15.4.8 and 15.4.9) and stay at the same
 * origin, as from `/mcp` to `/mcp/`. Any other redirect is returned as it is: no token is sent to another origin. After
 * a permanent redirect, later requests go to the new address at once.
 */
export const followingRedirects = (open: OpenStream): OpenStream => {
  const moved = new Map<string, URL>();
  return async (request, signal) => {
    let url = moved.get(request.url.href) ?? request.url;
    for (let count = 0; ; count += 1) {
      const reply = await open({...request, url}, signal);
      const {status} = reply;
      const target = status === 307 || status === 308 ? redirectTarget({status, header: reply.header}, url) : undefined;
      if (target?.origin !== url.origin || count === MOST_REDIRECTS) return reply;
      await discard(reply);
      if (status === 308) moved.set(request.url.href, target);
      url = target;
    }
  };
};
