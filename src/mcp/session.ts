import {isDeepStrictEqual} from 'node:util';
import {SetupError, toSetupError} from '../errors/errors.ts';
import {failureAt} from '../ports/network/curl.ts';
import type {Clock} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import {type Channel, type ChannelReply, discard} from './channel.ts';
import {inspect, isObject, type JsonObject, type Message, notification, UNSUPPORTED_VERSION} from './message.ts';
import {readRefusal, refusalError, rpcErrorIn} from './refusal.ts';
import {readAnswer} from './response-stream.ts';

/** What every message is sent with. */
export const messageHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** How long a server may take to answer a handshake, or to take a notification, in milliseconds: neither is work. */
export const HANDSHAKE_TIMEOUT = 30_000;

/** A handshake that is made again and takes longer than this is joined by nobody who comes then, in milliseconds. */
const HANGING = 2_000;

type SessionListener = {
  /**
   * A session has been begun again. `wasAway` where somebody else had answered its handshake; `change` says what is
   * another than it was.
   */
  readonly revived: (wasAway: boolean, change: string | undefined) => void;
  readonly log: (sentence: string) => void;
  readonly clock: Clock;
};

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 1_000;

/** Thrown where a server knows no handshake: it speaks the stateless era alone. */
export class OtherEraError extends Error {}

/** The handshake of the eras before 2026-07-28, and what came of it. */
export const createSession = (channel: Channel, {revived, log, clock}: SessionListener, signal: AbortSignal) => {
  let description: JsonObject = {};
  let id: string | undefined;
  let version: string | undefined;
  let newest: Revival | undefined;
  const revivals = new Set<AbortController>();
  /** The one of them that the server has answered. */
  let answering: Promise<void> | undefined;

  const sayFarewell = async (headers: Readonly<Record<string, string>>, from: URL | undefined): Promise<void> => {
    const request = {method: 'DELETE', headers, repeatable: false, from} as const;
    await channel.call(request, AbortSignal.timeout(FAREWELL)).then(discard, () => {});
  };

  const session = {
    /** Counts the sessions: a request that fails in an earlier one than this has to be sent again, and is no failure. */
    generation: 0,
    /** The address at which it began; undefined before, and in the stateless era. */
    url: undefined as URL | undefined,
    settings: createClientSettings(),
    /** Whether the assistant was answered in the server's place, and the server has heard nothing of the session yet. */
    isAway: false,
    /** Whether the assistant was promised lists that the server may not have: they are empty then. */
    isPromised: false,
    /** What the assistant began by; undefined before, and in the stateless era. */
    initialize: undefined as Buffer | undefined,
    /** What it said that it is ready by, when the server has heard it. */
    initialized: undefined as Buffer | undefined,

    get isOpen() {
      return id !== undefined;
    },
    /** What the server said that it can do, when it began the session. */
    get capabilities() {
      return capabilitiesOf(description);
    },
    /**
     * A warning, for an assistant that wants warnings, or said nothing of them where the server may send them unasked
     * (MCP 2025-11-25, logging).
     */
    warning: (sentence: string): Buffer | undefined =>
      (session.settings.wantsWarnings ?? 'logging' in session.capabilities)
        ? notification('notifications/message', {level: 'warning', logger: 'platform-setup', data: sentence})
        : undefined,
    headers: (): Readonly<Record<string, string>> => ({
      ...(id === undefined ? {} : {'mcp-session-id': id}),
      ...(version === undefined ? {} : {'mcp-protocol-version': version}),
    }),
    /** The assistant begins anew by this `initialize`. */
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
    /** Ends the session at the server, in a second at most. Where that fails, it ends there by itself, in its time. */
    end: async () => {
      if (id !== undefined) await sayFarewell(session.headers(), session.url);
    },
    /** The same of one that a server began by an answer which comes too late: nobody would ever use it. */
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
    /** The assistant has no session with the server any more, nor begins one by its own words. */
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
    /** Somebody else answered it in the server's place: the handshake is still to be made, by `revive`. */
    putOff: () => {
      session.isAway = true;
      session.isPromised = true;
    },
    /**
     * Begins the session of this generation again by the assistant's own words, and sets again what it had set; the
     * assistant hears nothing of it. Who comes meanwhile waits for that. Where it hangs, another is begun, and the
     * first that is answered counts.
     *
     * @throws SetupError when the server does not take it; OtherEraError where it knows no handshake
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
      throw failureAt(reply.url, 'platform-mcp-failed', 'does not begin a session again.');
    }
    if (session.initialized) await discard(await send(session.initialized, session.headers()));
    for (const setting of session.settings.all()) await setAgain(setting);
    session.generation += 1;
    const wasAway = session.isAway;
    session.isAway = false;
    revived(wasAway, changeOf(reply.url.href, before, description));
  };

  /** What the assistant had set in the session before. It is not told where that fails, and goes on without. */
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

const overtaken = () => new SetupError('network-timeout', 'A later handshake was answered before this one.');

/** The first answer in a reply, which may leave its stream open behind it; undefined where there is none. */
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
  return changes.length === 0 ? undefined : `${url} has changed since it was last reached: ${changes.join('; ')}.`;
};

const changed = (before: string, after: string): string =>
  before === after ? '' : `${cleanText(after)} where it was ${cleanText(before)}`;

const nameOf = ({serverInfo}: JsonObject): string =>
  isObject(serverInfo) ? `${String(serverInfo.name)} ${String(serverInfo.version)}` : 'unnamed';

const capabilitiesOf = ({capabilities}: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

const capabilityChanges = (before: JsonObject, after: JsonObject): readonly string[] => {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap(key => {
    const name = cleanText(key);
    if (!(key in before)) return [`${name} besides`];
    if (!(key in after)) return [`no ${name} any more`];
    return isDeepStrictEqual(before[key], after[key]) ? [] : [`${name} in another way`];
  });
};

/** What an assistant is told when its session was begun again: that lists may be others, and what the server is now. */
export const newsOf = ({capabilities, warning}: Session, change: string | undefined): readonly Buffer[] => {
  const lists = ['tools', 'prompts', 'resources'].filter(list => list === 'tools' || list in capabilities);
  const warned = change === undefined ? undefined : warning(change);
  return [...lists.map(list => notification(`notifications/${list}/list_changed`)), ...(warned ? [warned] : [])];
};

/** A request by which an assistant sets something that a server forgets with the session. */
type Setting = {readonly method: string; readonly params: JsonObject};

/** MCP 2025-11-25, logging: from the least to the most severe (RFC 5424 6.2.1). */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const methods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** What an assistant has set in a session (MCP 2025-11-25, logging and resources), as far as the server did it. */
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
    /** Whether the assistant wants to hear of warnings; undefined where it said nothing of that. */
    get wantsWarnings(): boolean | undefined {
      return level && levels.indexOf(String(level.params.level)) <= levels.indexOf('warning');
    },
  };
};

/** What a server says of itself in its answer to a handshake (MCP 2025-11-25, lifecycle). */
const descriptionIn = (answer: Buffer): JsonObject => {
  const message: unknown = JSON.parse(answer.toString('utf8'));
  return isObject(message) && isObject(message.result) ? message.result : {};
};
