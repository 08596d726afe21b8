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
import {type Access, type AccessSource, refusal} from './access.ts';

/** For how long what was never sent is tried again, and after which pauses, in milliseconds. */
const UNSENT_TIME = 2_000;
const UNSENT_PAUSES = [50, 100, 150, 200, 250, 300, 300, 300, 300];

/** What a server that restarts and a network that comes back look like. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'network-refused',
  'network-reset',
  'network-lost',
  'network-failed',
  'network-name-not-found',
]);

const isLost = ({code}: SetupError) => code === 'network-reset' || code === 'network-lost';

/** The platform's server, with a live token in every request, renewed once where the server refuses it. */
export const createTokenChannel = (access: AccessSource, clock: Clock): Channel => {
  const redirected = new WeakMap<OpenStream, OpenStream>();
  /** Remembers permanent redirects for each route: another route may not be redirected. */
  const following = (open: OpenStream): OpenStream => {
    const known = redirected.get(open) ?? followingRedirects(open);
    redirected.set(open, known);
    return known;
  };
  let trouble: SetupError | undefined;

  const open = async (
    request: ChannelRequest,
    {url, token, open: by}: Access,
    signal: AbortSignal,
  ): Promise<ChannelReply> => {
    const {from, repeatable: _, ...rest} = request;
    if (from && from.href !== url.href) throw new MovedError();
    const headers = {...rest.headers, authorization: `Bearer ${token}`};
    const reply = await following(by)({...rest, url, headers}, signal);
    trouble = undefined;
    return Object.assign(reply, {url});
  };

  /** A connection that was kept may be gone without a word, as after the server's restart; and that takes a moment. */
  const openAgain = async (request: ChannelRequest, granted: Access, signal: AbortSignal) => {
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

  /** What the server says of the token when it refuses that. */
  const attempt = async (request: ChannelRequest, granted: Access, signal: AbortSignal) => {
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

/** What fails before the request is sent, or once the server has refused it, leaves it undone. */
const unsent = (challenge: string) => (error: unknown) => {
  throw error instanceof SetupError ? error.with({isUnsent: true}).saying(challenge) : error;
};
