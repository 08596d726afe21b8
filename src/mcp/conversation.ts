import {SetupError} from '../errors/errors.ts';
import {createMessageQueue} from '../message-queue.ts';
import {onAbort} from '../on-abort.ts';
import type {Clock, Conversation, OpenStream, StreamReply} from '../ports/ports.ts';
import type {Channel} from './channel.ts';
import {challengeIn, challengeText} from './messages/challenge.ts';
import {deniedAbout} from './refusal.ts';
import {createRelay} from './relay.ts';

/** The most that one answer may be, in bytes. What an assistant asks for passes by without a limit; this is kept. */
const MAX_ANSWER = 16 * 1024 * 1024;

type Server = {
  readonly url: URL;
  /** Sent with every request, as an assistant would send them. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * A conversation with an MCP server over HTTP, in the lines that a program would be talked to in. It is the bridge's
 * relay without its sign-in: what `headers` say has to do. The first message that fails ends it: `next` rejects with the
 * SetupError from then on, or with what `signal` aborts with.
 */
export const converseOverHttp = (
  {url, headers}: Server,
  open: OpenStream,
  clock: Clock,
  signal: AbortSignal,
): Conversation => {
  const channel: Channel = {
    call: async ({from: _, repeatable: __, ...request}, callSignal) => {
      const sent = {...request, url, headers: {...headers, ...request.headers}};
      const reply = await open(sent, AbortSignal.any([callSignal, signal]));
      if (reply.status === 401 || reply.status === 403) throw await refusal(reply, url);
      return {...reply, url, body: capped(reply.body, url)};
    },
  };
  const messages = createMessageQueue<string>();
  const end = (reason: unknown) => messages.end(reason);
  const relay = createRelay({
    ...{channel, clock, listens: false, log: () => {}, onIdle: () => {}},
    output: {
      write: message => {
        messages.push(message.toString('utf8'));
        return undefined;
      },
    },
    failed: end,
  });
  const stopListening = onAbort(signal, () => end(signal.reason));
  return {
    send: line => relay.take(Buffer.from(line)),
    next: messages.next,
    close: async () => {
      await relay.close();
      stopListening();
    },
  };
};

const refusal = async ({status, body, header}: StreamReply, url: URL): Promise<SetupError> => {
  for await (const _ of body) break;
  const {href} = url;
  const said = challengeIn(header('www-authenticate'));
  const challenge = challengeText(said);
  return status === 401
    ? new SetupError('auth-token-refused', `${href} refused the access token (401).${challenge}`, {about: {url: href}})
    : new SetupError('auth-permission-missing', `${href} accepted your sign-in but denied access (403).${challenge}`, {
        about: deniedAbout(url, said),
      });
};

async function* capped(body: AsyncIterable<Buffer>, {href}: URL): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER)
      throw new SetupError('platform-invalid-answer', `${href} returned more than 16 MiB.`, {about: {url: href}});
    yield chunk;
  }
}
