import type {SetupError} from '../errors/errors.ts';
import {redirectTarget} from '../ports/network/portal.ts';
import type {OpenStream, StreamReply, StreamRequest} from '../ports/ports.ts';

export type ChannelRequest = Omit<StreamRequest, 'url'> & {
  /** Whether it may be sent again when the connection broke before an answer. */
  readonly repeatable: boolean;
  /** What this request is for: a token for another address means that the platform has moved. */
  readonly from?: URL | undefined;
};

export type ChannelReply = StreamReply & {readonly url: URL};

/** Thrown when the sign-in leads to another server than the one that the request is for. */
export class MovedError extends Error {}

/** A server of the platform, with what it wants to know in every request. */
export type Channel = {
  /** @throws SetupError where there is no good token, or the network fails; MovedError */
  call(request: ChannelRequest, signal: AbortSignal): Promise<ChannelReply>;
  /** Why nothing can be sent, while that is tried again; undefined where the server can be reached, or nobody knows. */
  trouble?(): SetupError | undefined;
};

/** More than any explanation is long, in bytes. */
const LONGEST = 64 * 1024;

/** Reads an answer that is not one of the protocol as far as it comes, so that its connection can be used again. */
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
    // Its status is there, and says the more important half.
  }
  return Buffer.concat(chunks);
};

/** The same of one that nobody wants. */
export const discard = async (reply: StreamReply): Promise<void> => void (await beginningOf(reply, 1_000));

/** More redirects than these in a row are a circle. */
const MOST_REDIRECTS = 3;

/**
 * Opens streams by the redirects that keep method and body (RFC 9110 15.4.8 and 15.4.9) and stay at the same origin, as
 * from `/mcp` to `/mcp/`. Any other comes back as it is: no token goes to another origin. What has moved for good is asked
 * at its new address from then on.
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
