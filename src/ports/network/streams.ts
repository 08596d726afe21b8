import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Dispatcher} from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import {SetupError} from '../../errors/errors.ts';
import {createMessageQueue} from '../../message-queue.ts';
import type {Env, OpenStream, Patience, StreamReply, StreamRequest} from '../ports.ts';
import {createConnector, isForwarding, localAddressOf, ownAddresses, patient, watchSilence} from './connect.ts';
import {failureAt} from './curl.ts';
import {codesOf, isClosed, isGone, translateNetworkError} from './network-errors.ts';
import type {NetworkProxy} from './proxies.ts';
import {proxyAuthorization, refusalHandedOn} from './proxy-refusals.ts';
import {authorityOf, type Route, targetOf} from './route.ts';
import {createSlowLines} from './slow-lines.ts';

/** What is asked of this machine. */
export type Surroundings = {
  /** Milliseconds since the epoch, on a clock that goes on while the machine sleeps. */
  readonly now: () => number;
  readonly addresses?: () => string;
  /** What makes the calls instead of undici's own agents. */
  readonly dispatcher?: Dispatcher | undefined;
};

/** As much of one answer as is taken from the network before somebody reads it, in bytes. */
const READ_AHEAD = 256 * 1024;

/** Why no more chunks come, where nothing is wrong. */
const END = Symbol('end');

/** The call that a connection is made for. It goes to undici with what is asked. */
type Caller = {
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly patience?: Patience | undefined;
  /** Whether a connection was made for it. */
  isNew: boolean;
};

type Called = Dispatcher.DispatchOptions & {readonly caller?: Caller};

/** How long a connection may have been idle and still be used, in milliseconds; servers close them after five seconds. */
const IDLE_LIMIT = 4_000;

/** What was used a moment ago is used again without a look at this machine's addresses, in milliseconds. */
const MOMENT = 500;

/** The status after which a connection no longer speaks HTTP/1.1 (RFC 9110 15.2.2). This program never asks for that. */
const SWITCHING = 101;

/** How long a server may take to answer anything at all to a new connection, in milliseconds. */
const PING_TIME = 10_000;

export const createUndiciStreams = (route: Route, env: Env, surroundings: Surroundings): OpenStream => {
  const connector = createConnector(route, env);
  /** The address of this machine from which a server was called last, by its origin. */
  const sources = new Map<string, string | undefined>();
  const slowLines = createSlowLines(surroundings.now);

  /**
   * A connection for one call after the other. Where it is closed while undici gives it to a call, undici makes another
   * out of the event that closed it, in the asynchronous context of an earlier call. So whose it is is noted here.
   */
  const createClient = (origin: URL): Client => {
    let caller: Caller | undefined;
    const client = new Client(origin, {
      connect: (_, made) => {
        if (!caller) return made(new Error('undici asked for a connection outside of a call.'), null);
        caller.isNew = true;
        const {url, signal, patience = patient} = caller;
        const connected = (connection: Duplex) => {
          sources.set(url.origin, localAddressOf(connection));
          made(null, connection as Socket);
        };
        connector.connect(url, {patience, signal}).then(connected, error => made(error, null));
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
  // A pool that may speak HTTP/2 makes one connection and waits for what it turns out to speak before it makes another.
  const createPool = (origin: URL | string) => new Pool(origin, {factory: createClient, allowH2: false});
  const createAgent = () => new Agent({factory: createPool});
  const agents = createAgents(createAgent, route, surroundings);

  /** Whether the host of an address answers anything to a connection that is made for this. */
  const ping = async (url: URL, until: AbortSignal): Promise<boolean> => {
    const agent = createAgent();
    const signal = AbortSignal.any([until, AbortSignal.timeout(PING_TIME)]);
    try {
      await call({method: 'HEAD', url, headers: {}}, signal, agent);
      return true;
    } catch (error) {
      // A server that leaves HTTP is there as well.
      return error instanceof SetupError && error.about.status === SWITCHING;
    } finally {
      agent.destroy().catch(() => {});
    }
  };

  /** @param own makes this call alone */
  const call = (request: StreamRequest, signal: AbortSignal, own?: Agent): Promise<StreamReply> =>
    new Promise((resolve, reject) => {
      const {url, method, patience} = request;
      const proxy = connector.proxy(url);
      const handsOver = url.protocol === 'http:' && isForwarding(proxy) ? proxy : undefined;
      const isPosted = method === 'POST' && request.headersTimeout === undefined && !request.isBounded;
      const isAwaited = isPosted || request.isAwaited === true;
      const silence = isAwaited
        ? watchSilence({url, ping: until => ping(url, until), lost: why => stop(why)})
        : undefined;

      const chunks = createMessageQueue<Buffer>();
      /** Of the chunks that nobody has taken yet, in bytes. */
      let size = 0;
      let controller: Dispatcher.DispatchController | undefined;
      let timer: NodeJS.Timeout | undefined;
      let watched: ReturnType<typeof slowLines.watch> | undefined;
      /** What became of the call: its failure, or its end. */
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
        const translated = translateNetworkError(error, url, signal);
        // What fails before it has a connection was not heard by the server.
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

      /** undici's own body is not used: it forgets what has come and was not read yet when its connection breaks. */
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
        const caller: Caller = {url, signal, patience, isNew: false};
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
      // undici can use a connection again in the turn of the event loop after its answer.
      setImmediate(() => {
        if (!outcome) send();
      });
    });

  return (request, signal) => call(request, signal);
};

/**
 * The agent for the next call. Another one is made when the system's certificates were read again, when nothing was called
 * for a few seconds (a firewall may have forgotten its connections, and undici's timers stand still while the machine
 * sleeps), and when this machine has other addresses. The connections of the one before are closed as they become idle.
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
    // A clock that was set back says nothing of how long it was.
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

/** The request as undici takes it: as a whole address where a proxy makes the call, else by its path. */
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

/** A body without its content coding. The decoders are loaded then, because few answers have one. */
async function* decompress(body: AsyncIterable<Buffer>, coding: string, url: URL): AsyncGenerator<Buffer, void, void> {
  const {decompressed} = await import('./decompress.ts');
  yield* decompressed(body, coding, url);
}

/** What undici says of an answer that turns the connection into something else. */
const BAD_UPGRADE = 'bad upgrade';

/** How undici calls a body that is not as long as its header says, and headers that it does not take beside a length. */
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** What it is before there is a body: two lengths, which HTTP does not allow (RFC 9112 6.3). */
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

/** What a call failed with that may have been carried out: it was sent, and then its connection went away. */
const lostIn = (error: unknown, {origin}: URL): unknown =>
  hasCode(error, isGone)
    ? new SetupError('network-lost', `The connection to ${origin} was lost before it answered.`, {
        cause: error,
        about: {server: origin},
      })
    : error;
