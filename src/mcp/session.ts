import {isDeepStrictEqual} from 'node:util';
import {SetupError, toSetupError} from '../errors/errors.ts';
import {failureAt} from '../ports/network/curl.ts';
import type {Clock} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import {type Channel, type ChannelReply, discard} from './channel.ts';
import {inspect, isObject, type JsonObject, type Message, notification, UNSUPPORTED_VERSION} from './message.ts';
import {readRefusal, refusalError, rpcErrorIn} from './refusal.ts';
import {readAnswer} from './response-stream.ts';

/** The headers of every message. */
export const messageHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** How long a server may take to answer a handshake, or to accept a notification, in milliseconds: neither is work. */
export const HANDSHAKE_TIMEOUT = 30_000;

/**
 * If a repeated handshake takes longer than this, later requests do not wait for it but begin another. In milliseconds.
 */
const HANGING = 2_000;

type SessionListener = {
  /**
   * Called when a session was begun again. `wasAway` is true if the local server had answered its handshake. `change`
   * describes how the server has changed.
   */
  readonly revived: (wasAway: boolean, change: string | undefined) => void;
  readonly log: (sentence: string) => void;
  readonly clock: Clock;
};

/** How long ending a session may take, in milliseconds. */
const FAREWELL = 1_000;

/** Thrown if a server knows no handshake: it speaks the stateless era only. */
export class OtherEraError extends Error {}

/** Holds the handshake of the eras before 2026-07-28, and its result. */
export const createSession = (channel: Channel, {revived, log, clock}: SessionListener, signal: AbortSignal) => {
  let description: JsonObject = {};
  let id: string | undefined;
  let version: string | undefined;
  let newest: Revival | undefined;
  const revivals = new Set<AbortController>();
  /** The repeated handshake that the server answered first. */
  let answering: Promise<void> | undefined;

  const sayFarewell = async (headers: Readonly<Record<string, string>>, from: URL | undefined): Promise<void> => {
    const request = {method: 'DELETE', headers, repeatable: false, from} as const;
    await channel.call(request, AbortSignal.timeout(FAREWELL)).then(discard, () => {});
  };

  const session = {
    /**
     * The number of this session. If a request fails in an earlier session, it is sent again instead of being reported.
     */
    generation: 0,
    /** The address at which the session began; undefined before, and in the stateless era. */
    url: undefined as URL | undefined,
    settings: createClientSettings(),
    /** True if the local server answered the assistant, and the server does not know of the session yet. */
    isAway: false,
    /** True if the local server promised lists that the server may not have: they are then empty. */
    isPromised: false,
    /** The assistant's `initialize` message; undefined before it, and in the stateless era. */
    initialize: undefined as Buffer | undefined,
    /** The assistant's `notifications/initialized` message, once the server has received it. */
    initialized: undefined as Buffer | undefined,

    get isOpen() {
      return id !== undefined;
    },
    /** The capabilities that the server declared at the start of the session. */
    get capabilities() {
      return capabilitiesOf(description);
    },
    /**
     * Returns a warning if the assistant wants warnings, or if it has set no level and the server may send log messages
     * unrequested (MCP 2025-11-25, logging).
     */
    warning: (sentence: string): Buffer | undefined =>
      (session.settings.wantsWarnings ?? 'logging' in session.capabilities)
        ? notification('notifications/message', {level: 'warning', logger: 'platform-setup', data: sentence})
        : undefined,
    headers: (): Readonly<Record<string, string>> => ({
      ...(id === undefined ? {} : {'mcp-session-id': id}),
      ...(version === undefined ? {} : {'mcp-protocol-version': version}),
    }),
    /** The assistant begins anew with this `initialize`. */
    begin: (initialize: Buffer) => {
      session.settings = createClientSettings();
      session.initialize = initialize;
      session.url = undefined;
      session.isAway = false;
      session.isPromised = false;
      session.generation += 1;
      session.initialized = undefined;
      id = undefined;
      version = undefined;
    },
    opened: (reply: ChannelReply) => {
      session.url = reply.url;
      id = reply.header('mcp-session-id');
    },
    /** Ends the session at the server, within a second. If that fails, the server ends it in its own time. */
    end: async () => {
      if (id !== undefined) await sayFarewell(session.headers(), session.url);
    },
    /** Ends a session that will never be used, because the answer with which the server began it came too late. */
    endLate: async (reply: ChannelReply) => {
      const late = reply.header('mcp-session-id');
      await discard(reply);
      if (late !== undefined) await sayFarewell({'mcp-session-id': late}, reply.url);
    },
    negotiated: (answer: Buffer) => {
      description = descriptionIn(answer);
      const {protocolVersion: chosen} = description;
      version = typeof chosen === 'string' && /^[\x21-\x7e]+$/.test(chosen) ? chosen : undefined;
    },
    /** Forgets the session and the assistant's handshake: from now on a translation talks to the server. */
    leave: () => {
      session.initialize = undefined;
      session.initialized = undefined;
      session.url = undefined;
      session.isAway = false;
      session.isPromised = false;
      session.generation += 1;
      id = undefined;
      version = undefined;
    },
    /** Notes that the local server has answered the assistant: `revive` still has to make the handshake. */
    putOff: () => {
      session.isAway = true;
      session.isPromised = true;
    },
    /**
     * Begins the session of this generation again with the assistant's own messages, and restores its settings. The
     * assistant does not notice. Requests that come meanwhile wait for it. If it hangs, another is begun, and the first
     * one that is answered is used.
     *
     * @throws SetupError if the server refuses it; OtherEraError if it knows no handshake
     */
    revive: async (lost: number) => {
      if (lost !== session.generation) return;
      if (!newest || clock.monotonic() - newest.since > HANGING) newest = startRevival();
      await newest.done;
    },
  };

  const send = async (body: Buffer, more: Readonly<Record<string, string>>, until = signal): Promise<ChannelReply> => {
    const request = {method: 'POST', headers: {...messageHeaders, ...more}, body} as const;
    const reply = await channel.call({...request, repeatable: true, headersTimeout: HANDSHAKE_TIMEOUT}, until);
    const refusal = await readRefusal(reply);
    if (!refusal) return reply;
    if (rpcErrorIn(refusal.text)?.code === UNSUPPORTED_VERSION) throw new OtherEraError();
    throw refusalError(refusal, reply.url);
  };

  const beginAgain = async (until: AbortSignal, answered: () => void) => {
    if (!session.initialize) {
      throw new SetupError('platform-mcp-failed', 'The server has no session, and the assistant has not started one.');
    }
    const before = description;
    const reply = await send(session.initialize, {}, until);
    until.throwIfAborted();
    answered();
    session.opened(reply);
    version = undefined;
    const answer = await answerIn(reply);
    if (answer && rpcErrorIn(answer)?.code === UNSUPPORTED_VERSION) throw new OtherEraError();
    if (answer) session.negotiated(answer);
    if (version === undefined) {
      throw failureAt(reply.url, 'platform-mcp-failed', 'did not start a new session.');
    }
    if (session.initialized) await discard(await send(session.initialized, session.headers()));
    for (const setting of session.settings.all()) await setAgain(setting);
    session.generation += 1;
    const wasAway = session.isAway;
    session.isAway = false;
    revived(wasAway, changeOf(reply.url.href, before, description));
  };

  /** Restores a setting of the earlier session. If that fails, the assistant is not told, and continues without it. */
  const setAgain = async ({method, params}: Setting) => {
    try {
      const body = JSON.stringify({jsonrpc: '2.0', id: `platform-setup: ${method}`, method, params});
      const answer = await answerIn(await send(Buffer.from(body), session.headers()));
      const error = answer && rpcErrorIn(answer);
      if (error) throw new Error(JSON.stringify(error));
    } catch (error) {
      log(`The server did not restore ${method}: ${cleanText(toSetupError(error).message)}`);
    }
  };

  const startRevival = (): Revival => {
    const controller = new AbortController();
    revivals.add(controller);
    const answered = () => {
      answering = own;
      for (const other of revivals) if (other !== controller) other.abort(overtaken());
    };
    const own = beginAgain(AbortSignal.any([signal, controller.signal]), answered).finally(() => {
      revivals.delete(controller);
      if (newest === revival) newest = undefined;
    });
    const done = own.catch((error: unknown) => {
      if (controller.signal.aborted) return answering;
      throw error;
    });
    const revival = {since: clock.monotonic(), done};
    return revival;
  };

  return session;
};

export type Session = ReturnType<typeof createSession>;

type Revival = {readonly since: number; readonly done: Promise<void>};

const overtaken = () => new SetupError('network-timeout', 'The server answered a later handshake first.');

/** Returns the first answer in a response, whose stream may stay open after it; undefined if there is none. */
export const answerIn = (reply: ChannelReply): Promise<Buffer | undefined> => {
  reply.endWithin(HANDSHAKE_TIMEOUT);
  return new Promise((resolve, reject) => {
    const deliver = async (message: Buffer) => {
      if (inspect(message)?.answers.length) resolve(message);
      return true;
    };
    readAnswer(reply, deliver).then(() => resolve(undefined), reject);
  });
};

const changeOf = (url: string, before: JsonObject, after: JsonObject): string | undefined => {
  const changes = [
    changed(nameOf(before), nameOf(after)),
    changed(`MCP ${String(before.protocolVersion)}`, `MCP ${String(after.protocolVersion)}`),
    ...capabilityChanges(capabilitiesOf(before), capabilitiesOf(after)),
  ].filter(change => change !== '');
  return changes.length === 0 ? undefined : `${url} has changed since the last session: ${changes.join('; ')}.`;
};

const changed = (before: string, after: string): string =>
  before === after ? '' : `${cleanText(after)} (was ${cleanText(before)})`;

const nameOf = ({serverInfo}: JsonObject): string =>
  isObject(serverInfo) ? `${String(serverInfo.name)} ${String(serverInfo.version)}` : 'unnamed';

const capabilitiesOf = ({capabilities}: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

const capabilityChanges = (before: JsonObject, after: JsonObject): readonly string[] => {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap(key => {
    const name = cleanText(key);
    if (!(key in before)) return [`new: ${name}`];
    if (!(key in after)) return [`gone: ${name}`];
    return isDeepStrictEqual(before[key], after[key]) ? [] : [`changed: ${name}`];
  });
};

/**
 * Returns the news for an assistant whose session was begun again: lists may have changed, and the server may have too.
 */
export const newsOf = ({capabilities, warning}: Session, change: string | undefined): readonly Buffer[] => {
  const lists = ['tools', 'prompts', 'resources'].filter(list => list === 'tools' || list in capabilities);
  const warned = change === undefined ? undefined : warning(change);
  return [...lists.map(list => notification(`notifications/${list}/list_changed`)), ...(warned ? [warned] : [])];
};

/** A request with which an assistant sets something that a server forgets with the session. */
type Setting = {readonly method: string; readonly params: JsonObject};

/** The log levels from the least to the most severe (MCP 2025-11-25, logging; RFC 5424 6.2.1). */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const methods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/**
 * Remembers what an assistant has set in a session (MCP 2025-11-25, logging and resources), if the server accepted it.
 */
const createClientSettings = () => {
  const subscriptions = new Map<unknown, Setting>();
  let level: Setting | undefined;
  return {
    learn: ({method = '', params}: Message, answer: Buffer): void => {
      if (!params || !methods.has(method) || rpcErrorIn(answer)) return;
      if (method === 'logging/setLevel') level = {method, params};
      else if (method === 'resources/subscribe') subscriptions.set(params.uri, {method, params});
      else subscriptions.delete(params.uri);
    },
    all: (): readonly Setting[] => [...(level ? [level] : []), ...subscriptions.values()],
    /** Whether the assistant wants warnings; undefined if it has not set a level. */
    get wantsWarnings(): boolean | undefined {
      return level && levels.indexOf(String(level.params.level)) <= levels.indexOf('warning');
    },
  };
};

/** Returns the server's description of itself in its answer to a handshake (MCP 2025-11-25, lifecycle). */
const descriptionIn = (answer: Buffer): JsonObject => {
  const message: unknown = JSON.parse(answer.toString('utf8'));
  return isObject(message) && isObject(message.result) ? message.result : {};
};
