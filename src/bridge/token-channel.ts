import {type ErrorCode, SetupError} from '../errors/errors.ts';
import {
  type Channel,
  type ChannelReply,
  type ChannelRequest,
  discard,
  followingRedirects,
  MovedError,
} from '../mcp/channel.ts';
import {challengeIn, refusedTokenText, stepUpError} from '../mcp/refusal.ts';
import type {Clock, OpenStream} from '../ports/ports.ts';
import {type AccessSource, refusal, type ServerAccess} from './access.ts';

/** How long a request that was never sent is retried, and the pauses between the attempts, in milliseconds. */
const UNSENT_TIME = 2_000;
const UNSENT_PAUSES = [50, 100, 150, 200, 250, 300, 300, 300, 300];

/** The errors of a server that restarts, or of a network that is recovering. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'network-refused',
  'network-reset',
  'network-lost',
  'network-failed',
  'network-name-not-found',
]);

const isLost = ({code}: SetupError) => code === 'network-reset' || code === 'network-lost';

/**
 * Creates a channel to the platform's server. Each request carries a valid token, which is renewed once if the server
 * refuses it.
 */
export const createTokenChannel = (access: AccessSource, clock: Clock): Channel => {
  const redirected = new WeakMap<OpenStream, OpenStream>();
  /** Remembers permanent redirects separately for each way to the server: not every way is redirected. */
  const following = (open: OpenStream): OpenStream => {
    const known = redirected.get(open) ?? followingRedirects(open);
    redirected.set(open, known);
    return known;
  };
  let trouble: SetupError | undefined;

  const open = async (
    request: ChannelRequest,
    {url, token, open: by}: ServerAccess,
    signal: AbortSignal,
  ): Promise<ChannelReply> => {
    const {from, repeatable: _, ...rest} = request;
    if (from && from.href !== url.href) throw new MovedError();
    const headers = {...rest.headers, authorization: `Bearer ${token}`};
    const reply = await following(by)({...rest, url, headers}, signal);
    trouble = undefined;
    return Object.assign(reply, {url});
  };

  /**
   * Sends a request. Tries again if it could not be sent: a kept connection may have ended unnoticed, and a server that
   * restarts takes a moment. If the connection is lost after it was sent, a repeatable request is sent once more.
   */
  const openAgain = async (request: ChannelRequest, granted: ServerAccess, signal: AbortSignal) => {
    const until = clock.monotonic() + UNSENT_TIME;
    const pauses = UNSENT_PAUSES.values();
    let mayRepeat = request.repeatable;
    for (;;) {
      try {
        return await open(request, granted, signal);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        if (error.about.isUnsent && passing.has(error.code)) {
          trouble = error;
          const {value: pause} = pauses.next();
          if (pause === undefined || clock.monotonic() + pause > until) throw error;
          await clock.sleep(pause, signal);
        } else if (mayRepeat && isLost(error)) mayRepeat = false;
        else throw error;
      }
    }
  };

  /** Sends a request. If the server refuses the token, returns its explanation. */
  const attempt = async (request: ChannelRequest, granted: ServerAccess, signal: AbortSignal) => {
    const reply = await openAgain(request, granted, signal);
    if (reply.status !== 401) {
      access.taken(granted);
      return {reply};
    }
    await discard(reply);
    const challenge = challengeIn(reply.header('www-authenticate'));
    const stepUp = stepUpError(granted.url, challenge, reply.status);
    if (stepUp) throw stepUp.with({isUnsent: true});
    return {challenge: refusedTokenText(challenge)};
  };

  return {
    trouble: () => trouble,
    call: async (request, signal) => {
      const now = access.current();
      const granted = now instanceof Promise ? await now.catch(unsent('')) : now;
      const {reply, challenge = ''} = await attempt(request, granted, signal);
      if (reply) return reply;
      const renewed = await access.instead(granted).catch(unsent(challenge));
      const again = await attempt(request, renewed, signal);
      if (again.reply) return again.reply;
      throw refusal(renewed.url).saying(again.challenge);
    },
  };
};

/** Marks a failure as unsent: it happened before the request was sent, or after the server had refused it. */
const unsent = (challenge: string) => (error: unknown) => {
  throw error instanceof SetupError ? error.with({isUnsent: true}).saying(challenge) : error;
};
