import type {SetupError} from '../errors/errors.ts';
import type {StreamReply, StreamRequest} from '../ports/ports.ts';

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
