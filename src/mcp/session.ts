import {SetupError} from '../errors/errors.ts';
import {readAnswer} from './answer.ts';
import {type Channel, type ChannelReply, discard} from './channel.ts';
import {isObject, type JsonObject} from './messages/message.ts';
import {inspect} from './messages/server-message.ts';
import {readRefusal, refusalError} from './refusal.ts';

/** What every message is sent with. */
export const messageHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** How long a server may take to answer a handshake, or to take a notification, in milliseconds: neither is work. */
export const HANDSHAKE_TIMEOUT = 30_000;

export type Session = {
  /** Counts the sessions: a request that fails in an earlier one than this has to be sent again, not to be mourned. */
  readonly generation: number;
  /** The address at which it began; undefined before, and in the stateless era. */
  readonly url: URL | undefined;
  readonly isOpen: boolean;
  /** Whether the assistant was answered in the server's place, and the server has heard nothing of the session yet. */
  readonly isAway: boolean;
  /** What the assistant began by; undefined before, and in the stateless era. */
  readonly initialize: Buffer | undefined;
  /** What the server said that it can do, when it began the session. */
  readonly capabilities: JsonObject;
  headers(): Readonly<Record<string, string>>;
  /** The assistant begins anew by this `initialize`. */
  begin(initialize: Buffer): void;
  /** The server took it. */
  opened(reply: ChannelReply): void;
  /** The server's answer to it. */
  negotiated(answer: Buffer): void;
  /** Somebody else answered it in the server's place: the handshake is still to be made, by `revive`. */
  putOff(): void;
  /** The assistant said that it is ready, and the server has heard it. */
  confirmed(initialized: Buffer): void;
  /**
   * Begins a session with a server that has forgotten the one of this generation, or that could not be reached until now,
   * by the assistant's own words; the assistant hears nothing of it. Whoever comes while it is being done waits for it.
   *
   * @throws SetupError when the server does not take them, or when there are none
   */
  revive(lost: number): Promise<void>;
};

/** The handshake of the eras before 2026-07-28, and what came of it. */
export const createSession = (channel: Channel, revived: (wasAway: boolean) => void, signal: AbortSignal): Session => {
  let words: {readonly initialize?: Buffer; readonly initialized?: Buffer} = {};
  let generation = 0;
  let url: URL | undefined;
  let id: string | undefined;
  let version: string | undefined;
  let capabilities: JsonObject = {};
  let isAway = false;
  let reviving: Promise<void> | undefined;

  const headers = () => ({
    ...(id === undefined ? {} : {'mcp-session-id': id}),
    ...(version === undefined ? {} : {'mcp-protocol-version': version}),
  });

  const opened = (reply: ChannelReply) => {
    url = reply.url;
    id = reply.header('mcp-session-id');
  };

  const negotiated = (answer: Buffer) => {
    const message: unknown = JSON.parse(answer.toString('utf8'));
    const result = isObject(message) ? message.result : undefined;
    const chosen = isObject(result) ? result.protocolVersion : undefined;
    capabilities = isObject(result) && isObject(result.capabilities) ? result.capabilities : {};
    version = typeof chosen === 'string' && /^[\x21-\x7e]+$/.test(chosen) ? chosen : undefined;
  };

  const send = async (body: Buffer, more: Readonly<Record<string, string>>): Promise<ChannelReply> => {
    const request = {method: 'POST', headers: {...messageHeaders, ...more}, body} as const;
    const reply = await channel.call({...request, repeatable: true, headersTimeout: HANDSHAKE_TIMEOUT}, signal);
    const refusal = await readRefusal(reply);
    if (refusal) throw refusalError(refusal, reply.url);
    return reply;
  };

  const beginAgain = async () => {
    const {initialize, initialized} = words;
    if (!initialize) {
      throw new SetupError('platform-mcp-failed', 'The server knows no session, and the assistant began none.');
    }
    const reply = await send(initialize, {});
    opened(reply);
    version = undefined;
    reply.endWithin(HANDSHAKE_TIMEOUT);
    // It may leave the stream open behind its answer.
    await new Promise<void>((resolve, reject) => {
      const deliver = async (message: Buffer) => {
        if (inspect(message)?.answers.length) {
          negotiated(message);
          resolve();
        }
        return true;
      };
      readAnswer(reply, deliver, () => {}).then(resolve, reject);
    });
    if (version === undefined) {
      throw new SetupError('platform-mcp-failed', `${reply.url.href} does not begin a session again.`, {
        about: {url: reply.url.href},
      });
    }
    if (initialized) await discard(await send(initialized, headers()));
    generation += 1;
    const wasAway = isAway;
    isAway = false;
    revived(wasAway);
  };

  return {
    get generation() {
      return generation;
    },
    get url() {
      return url;
    },
    get isOpen() {
      return id !== undefined;
    },
    get isAway() {
      return isAway;
    },
    get initialize() {
      return words.initialize;
    },
    get capabilities() {
      return capabilities;
    },
    headers,
    begin: initialize => {
      words = {initialize};
      url = undefined;
      id = undefined;
      version = undefined;
      isAway = false;
      generation += 1;
    },
    opened,
    negotiated,
    putOff: () => {
      isAway = true;
    },
    confirmed: initialized => {
      words = {...words, initialized};
    },
    revive: async lost => {
      if (lost !== generation) return;
      reviving ??= beginAgain().finally(() => {
        reviving = undefined;
      });
      await reviving;
    },
  };
};
