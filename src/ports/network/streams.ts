import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Dispatcher} from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import {SetupError} from '../../errors/errors.ts';
import {createMessageQueue} from '../../message-queue.ts';
import type {Env, OpenStream, StreamReply, StreamRequest, Timeouts} from '../ports.ts';
import {
  createConnector,
  defaultTimeouts,
  isForwarding,
  localAddressOf,
  ownAddresses,
  watchIdleConnection,
} from './connect.ts';
import {failureAt} from './curl.ts';
import {codesOf, isClosed, isGone, translateNetworkError} from './network-errors.ts';
import type {NetworkProxy} from './proxies.ts';
import {proxyAuthorization, refusalHandedOn} from './proxy-refusals.ts';
import {authorityOf, type Route, targetOf} from './route.ts';
import {createSlowLines} from './slow-lines.ts';

/** Properties of this machine. */
export type Surroundings = {
  /** Milliseconds since the epoch, on a clock that continues while the machine sleeps. */
  readonly now: () => number;
  readonly addresses?: () => string;
  /** Makes the calls instead of undici's own agents. */
  readonly dispatcher?: Dispatcher | undefined;
};

/** The most of one answer that is taken from the network before it is read, in bytes. */
const READ_AHEAD = 256 * 1024;

/** The reason why no more chunks come if nothing is wrong. */
const END = Symbol('end');

/** The call that a connection is made for. It is passed to undici with the request. */
type Caller = {
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly timeouts?: Timeouts | undefined;
  /** True if a connection was made for this call. */
  isNew: boolean;
};

type Called = Dispatcher.DispatchOptions & {readonly caller?: Caller};

/** How long a connection may be idle and still be reused, in milliseconds; many servers close it after five seconds. */
const IDLE_LIMIT = 4_000;

/** In milliseconds. Within this time after the last use, this machine's addresses are not checked. */
const MOMENT = 500;

/**
 * The status after which a connection no longer speaks HTTP/1.1 (RFC 9110 15.2.2). This program never requests that.
 */
const SWITCHING = 101;

/** How long a server may take to give any answer on a new connection, in milliseconds. */
const PING_TIME = 10_000;

export const createUndiciStreams = (route: Route, env: Env, surroundings: Surroundings): OpenStream => {
  const connector = createConnector(route, env);
  /** The address of this machine from which a server was last called, by its origin. */
  const sources = new Map<string, string | undefined>();
  const slowLines = createSlowLines(surroundings.now);

  /**
   * Creates a client whose connection serves one call after the other. If it closes while undici assigns it to a call,
   * undici opens another from the close event, in the asynchronous context of an earlier call. So the current call is
   * noted here.
   */
  const createClient = (origin: URL): Client => {
    let caller: Caller | undefined;
    const client = new Client(origin, {
      connect: (_, made) => {
        if (!caller) return made(new Error('undici asked for a connection outside of a call.'), null);
        caller.isNew = true;
        const {url, signal, timeouts = defaultTimeouts} = caller;
        const connected = (connection: Duplex) => {
          sources.set(url.origin, localAddressOf(connection));
          made(null, connection as Socket);
        };
        connector.connect(url, {timeouts, signal}).then(connected, error => made(error, null));
      },
      ...{allowH2: false, keepAliveTimeout: IDLE_LIMIT, keepAliveMaxTimeout: IDLE_LIMIT, bodyTimeout: 0},
    });
    const dispatch = client.dispatch.bind(client);
    client.dispatch = (options: Called, handler) => {
      caller = options.caller;
      return dispatch(options, handler);
    };
    return client;
  };
  // A pool that may speak HTTP/2 opens one connection, and waits for its protocol before it opens another.
  const createPool = (origin: URL | string) => new Pool(origin, {factory: createClient, allowH2: false});
  const createAgent = () => new Agent({factory: createPool});
  const agents = createAgents(createAgent, route, surroundings);

  /** Whether the host of an address gives any answer on a new connection. */
  const ping = async (url: URL, until: AbortSignal): Promise<boolean> => {
    const agent = createAgent();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), PING_TIME).unref();
    try {
      await call({method: 'HEAD', url, headers: {}}, AbortSignal.any([until, late.signal]), agent);
      return true;
    } catch (error) {
      // A server that switches protocols is there as well.
      return error instanceof SetupError && error.about.status === SWITCHING;
    } finally {
      clearTimeout(timer);
      agent.destroy().catch(() => {});
    }
  };

  /** @param own the agent for this call only */
  const call = (request: StreamRequest, signal: AbortSignal, own?: Agent): Promise<StreamReply> =>
    new Promise((resolve, reject) => {
      const {url, method, timeouts} = request;
      const proxy = connector.proxy(url);
      const handsOver = url.protocol === 'http:' && isForwarding(proxy) ? proxy : undefined;
      const isPosted = method === 'POST' && request.headersTimeout === undefined && !request.isBounded;
      const isAwaited = isPosted || request.isAwaited === true;
      const silence = isAwaited
        ? watchIdleConnection({url, ping: until => ping(url, until), lost: why => stop(why)})
        : undefined;

      const chunks = createMessageQueue<Buffer>();
      /** The size of the chunks that have not been read yet, in bytes. */
      let size = 0;
      let controller: Dispatcher.DispatchController | undefined;
      let timer: NodeJS.Timeout | undefined;
      let watched: ReturnType<typeof slowLines.watch> | undefined;
      /** The result of the call: its failure, or its end. */
      let outcome: Error | typeof END | undefined;
      let [hasConnection, hasAnswer] = [false, false];

      const settle = (how: Error | typeof END) => {
        outcome = how;
        chunks.end(how);
        silence?.stop();
        if (!own) agents.used();
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const fail = (error: unknown) => {
        if (outcome) return;
        const translated = translateNetworkError(error, url, signal, route.settings.authority);
        // A call that fails before it has a connection has not reached the server.
        const failure = hasConnection ? translated : translated.with({isUnsent: true});
        settle(failure);
        reject(failure);
      };
      const stop = (why: Error) => {
        fail(why);
        controller?.abort(why);
      };
      const abort = () => stop(signal.reason);
      const leave = () => stop(new SetupError('cancelled', 'Nobody reads the answer any more.'));

      /**
       * Reads the body. undici's own is not used: when its connection breaks, it loses data that arrived but was not
       * read yet.
       */
      async function* read(): AsyncGenerator<Buffer, void, void> {
        try {
          for (;;) {
            const chunk = await chunks.next();
            size -= chunk.length;
            if (size === 0 && !outcome) {
              silence?.heard();
              controller?.resume();
            }
            yield chunk;
          }
        } catch (error) {
          if (error !== END) throw error;
        } finally {
          if (!outcome) leave();
        }
      }

      const send = () => {
        const caller: Caller = {url, signal, timeouts, isNew: false};
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: begun => {
            controller = begun;
            if (outcome instanceof Error) return begun.abort(outcome);
            hasConnection = true;
            request.connected?.();
            silence?.begin(sources.get(url.origin));
          },
          onResponseStart: (_, status, headers) => {
            if (status === SWITCHING) return stop(switchesProtocols(url));
            if (status < 200) return;
            hasAnswer = true;
            const refusal = handsOver && refusalHandedOn({status, headers}, handsOver, authorityOf(targetOf(url)));
            if (refusal) return stop(refusal);
            silence?.heard();
            const endWithin = (ms: number) => {
              if (!outcome) timer ??= setTimeout(leave, ms).unref();
            };
            const header = (name: string) =>
              headers[name] === undefined ? undefined : [headers[name]].flat().join(', ');
            const coding = header('content-encoding')?.trim().toLowerCase() || 'identity';
            const body = coding === 'identity' ? read() : decompress(read(), coding, url);
            const type = header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
            watched = slowLines.watch(url.origin, {type, coding});
            resolve({status, header, headerNames: () => Object.keys(headers), body, endWithin});
          },
          onResponseData: (_, chunk) => {
            silence?.heard();
            watched?.heard(chunk.length);
            size += chunk.length;
            chunks.push(chunk);
            if (size <= READ_AHEAD) return;
            silence?.pause();
            controller?.pause();
          },
          onResponseEnd: () => {
            watched?.ended();
            settle(END);
          },
          onResponseError: (_, error) => {
            if (error.message === BAD_UPGRADE) return fail(switchesProtocols(url));
            const mayBeSentAgain = !caller.isNew && !hasAnswer && method !== 'POST' && !outcome;
            if (mayBeSentAgain && hasCode(error, isClosed)) send();
            else if (!hasAnswer && 'code' in error && error.code === LENGTH_MISMATCH) fail(twoLengths(error));
            else fail(isAwaited && hasConnection ? lostIn(error, url) : error);
          },
        };
        const options: Called = {...optionsOf(request, handsOver, slowLines.accepted(url.origin)), caller};
        (own ?? surroundings.dispatcher ?? agents.current()).dispatch(options, handler);
      };

      if (signal.aborted) return fail(signal.reason);
      signal.addEventListener('abort', abort, {once: true});
      // In the next turn of the event loop undici can reuse a connection that has just had its answer.
      setImmediate(() => {
        if (!outcome) send();
      });
    });

  return (request, signal) => call(request, signal);
};

/**
 * Manages the agent for the next call. A new one is created if the system's certificates were read again, if no call
 * was made for a few seconds (a firewall may have forgotten its connections, and undici's timers stop while the machine
 * sleeps), or if this machine's addresses have changed. The former agent's connections are closed as they become idle.
 */
const createAgents = (create: () => Agent, route: Route, {now, addresses = ownAddresses}: Surroundings) => {
  let latest: {readonly agent: Agent; readonly trusted: unknown; readonly addresses: string} | undefined;
  let usedAt = 0;
  const used = () => {
    usedAt = now();
  };
  const current = (): Agent => {
    const trusted = route.system.certificates();
    const since = now() - usedAt;
    // If the clock was set back, the time since the last use is unknown.
    const isStale = since < 0 || since > IDLE_LIMIT;
    const isMoved = since >= MOMENT && latest?.addresses !== addresses();
    if (isStale || isMoved || latest?.trusted !== trusted) {
      latest?.agent.close().catch(() => {});
      latest = undefined;
    }
    latest ??= {agent: create(), trusted, addresses: addresses()};
    used();
    return latest.agent;
  };
  return {current, used};
};

/** Returns the request for undici: with the whole address if a proxy makes the call, otherwise with its path. */
const optionsOf = (
  {method, url, headers, body, headersTimeout = 0}: StreamRequest,
  proxy: NetworkProxy | undefined,
  accepted: string,
): Dispatcher.DispatchOptions => ({
  ...{method, headersTimeout, origin: url.origin, body: body ?? null},
  path: proxy ? url.href.replace(/#.*/s, '') : `${url.pathname}${url.search}`,
  headers: {
    host: url.host,
    'accept-encoding': accepted,
    'user-agent': 'platform-setup',
    ...headers,
    ...(proxy ? proxyAuthorization(proxy) : {}),
  },
});

/** Decodes the content coding of a body. The decoders are loaded on demand, because few answers have one. */
async function* decompress(body: AsyncIterable<Buffer>, coding: string, url: URL): AsyncGenerator<Buffer, void, void> {
  const {decompressed} = await import('./decompress.ts');
  yield* decompressed(body, coding, url);
}

/** undici's message for an answer that switches the connection to another protocol. */
const BAD_UPGRADE = 'bad upgrade';

/** undici's code for a body whose length differs from its header, and for headers that conflict with a length. */
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Converts a `LENGTH_MISMATCH` before any answer: it then means two lengths, which HTTP forbids (RFC 9112 6.3). */
const twoLengths = ({message}: Error) => Object.assign(new Error(message), {code: 'HPE_UNEXPECTED_CONTENT_LENGTH'});

const switchesProtocols = (url: URL) =>
  failureAt(
    url,
    'platform-invalid-answer',
    'answered 101 (Switching Protocols), although this program did not ask for another protocol.',
    {
      about: {status: SWITCHING},
    },
  );

const hasCode = (error: unknown, wanted: RegExp) => [...codesOf(error)].some(code => wanted.test(code));

/** Returns the error for a call that may have been carried out: it was sent, and then its connection was lost. */
const lostIn = (error: unknown, {origin}: URL): unknown =>
  hasCode(error, isGone)
    ? new SetupError('network-lost', `The connection to ${origin} was lost before it answered.`, {
        cause: error,
        about: {server: origin},
      })
    : error;
