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
