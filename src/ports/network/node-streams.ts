import {type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as sendRequest} from 'node:http';
import type {NetworkSettings} from '../../domain/network-settings.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Env} from '../ports.ts';
import {openCall} from './answer-body.ts';
import {type ConnectionAgent, type ConnectTo, createAgent, type Surroundings} from './connections/connection-agent.ts';
import {createConnector, isForwarding} from './connections/connector.ts';
import {connectionEnded} from './connections/error-listener.ts';
import {ConnectionTimeout} from './connections/patience.ts';
import {watchSilence} from './connections/silence.ts';
import {authorityOf, targetOf} from './connections/target.ts';
import {showUrl} from './curl.ts';
import {whenUp} from './deadline.ts';
import {codesOf} from './network-errors.ts';
import type {NetworkProxy} from './proxies/proxies.ts';
import {proxyAuthorization, refusalHandedOn} from './proxies/proxy-refusals.ts';
import type {Route} from './route.ts';
import type {OpenStream, StreamRequest} from './streams.ts';

/**
 * Streams over Node's own HTTP client, on connections of ours: straight, or through the proxy that the route names. They
 * are kept for the next call, as many as there are calls at once.
 */
export const createNodeStreams = (route: Route, env: Env, surroundings: Surroundings): OpenStream => {
  const connector = createConnector(route, env);
  let current: {readonly settings: NetworkSettings; readonly agent: ConnectionAgent} | undefined;
  const agentNow = () => {
    const settings = route.settings();
    if (current?.settings !== settings) {
      // Connections of one route are of no use to another.
      current?.agent.retire();
      current = {settings, agent: createAgent(connector, surroundings)};
    }
    current.agent.letGoOfStale();
    return current.agent;
  };

  return async ({body: posted, ...request}, signal) => {
    const {url, method} = request;
    // Megabytes perhaps, which nobody needs any more once there is an answer.
    let body = posted;
    const proxy = connector.proxy(url);
    const handsOver = url.protocol === 'http:' && isForwarding(proxy) ? proxy : undefined;
    const {agent} = agentNow();
    const ping = (until: AbortSignal) => {
      const fresh = createAgent(connector, surroundings);
      return reachesAnew({method: 'HEAD', url, headers: {}}, {agent: fresh.agent, proxy: handsOver}, until).finally(
        fresh.retire,
      );
    };
    return openCall(request, signal, ({connected, answer, data, end, fail}) => {
      let response: IncomingMessage | undefined;
      let stopTimer = () => {};
      const isPosted = method === 'POST' && request.headersTimeout === undefined && !request.isBounded;
      const isAwaited = isPosted || request.isAwaited === true;
      const silence = isAwaited ? watchSilence({url, ping, lost: error => outgoing.destroy(error)}) : undefined;
      const over = <T extends readonly unknown[]>(act: (...what: T) => void) => {
        return (...what: T) => {
          silence?.stop();
          stopTimer();
          act(...what);
        };
      };
      let hasConnection = false;
      const fails = over((error: unknown) => fail(isAwaited && hasConnection ? lostIn(error, url) : error));
      const timeOut = () => outgoing.destroy(new ConnectionTimeout('answer'));
      const answered = (received: IncomingMessage) => {
        if (received.statusCode === SWITCHING) return void outgoing.destroy(switchesProtocols(url));
        stopTimer();
        const refusal = handsOver && refusalHandedOn(received, handsOver, authorityOf(targetOf(url)));
        if (refusal) return void outgoing.destroy(refusal);
        response = received;
        body = undefined;
        received
          .on('data', chunk => {
            silence?.heard();
            data(chunk);
          })
          .on(
            'end',
            over(() => (received.complete ? end() : fail(connectionEnded()))),
          )
          .on('error', fails)
          .on('close', () => fails(connectionEnded()));
        silence?.heard();
        answer(received.statusCode ?? 0, received.headers);
      };
      const send = (): ClientRequest => {
        const sent = sendRequest(
          optionsOf({...request, ...(body ? {body} : {})}, {agent, proxy: handsOver}, signal),
          answered,
        );
        sent
          .on('error', error => {
            stopTimer();
            if (!response && isClosedUnderUs(sent, error)) outgoing = send();
            else fails(error);
          })
          // Node says nothing more of a connection that is to be used otherwise, unless somebody listens for that.
          .on('upgrade', (_, socket) => {
            socket.destroy();
            fails(switchesProtocols(url));
          })
          .on('socket', socket => {
            connected();
            hasConnection = true;
            silence?.begin(socket);
            if (request.headersTimeout !== undefined) stopTimer = whenUp(request.headersTimeout, timeOut);
          })
          .end(body);
        return sent;
      };
      let outgoing = send();
      return {
        pause: () => {
          silence?.pause();
          response?.pause();
        },
        resume: () => {
          silence?.heard();
          response?.resume();
        },
        abort: over(reason => void outgoing.destroy(reason)),
      };
    });
  };
};

/** The status of an answer after which the connection is no longer HTTP/1.1 (RFC 9110 15.2.2). Nobody here asks for that. */
const SWITCHING = 101;

const switchesProtocols = (url: URL) =>
  new SetupError('platform-invalid-answer', `${showUrl(url)} answered 101 and left HTTP, which nobody asked for.`, {
    about: {url: showUrl(url)},
  });

/** What a call failed with that may have been carried out: it was sent, and then its connection went away. */
const lostIn = (error: unknown, {origin}: URL): unknown =>
  [...codesOf(error)].some(code => goneCodes.has(code))
    ? new SetupError('network-lost', `The connection to ${origin} was lost before it answered.`, {
        cause: error,
        about: {server: origin},
      })
    : error;

const goneCodes = new Set([
  'ETIMEDOUT',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

type Way = {readonly agent: ConnectionAgent['agent']; readonly proxy: NetworkProxy | undefined};

/** TLS is the connection's business, so the request is a plain one whatever the address. */
const optionsOf = (
  {method, url, headers, body, patience}: StreamRequest,
  {agent, proxy}: Way,
  signal: AbortSignal,
) => ({
  ...{method, agent, path: proxy ? url.href.replace(/#.*/s, '') : `${url.pathname}${url.search}`},
  // By this connections are told apart; where they lead is in `connectTo`.
  host: url.origin,
  connectTo: {url, signal, ...(patience ? {patience} : {})} satisfies ConnectTo,
  headers: {
    host: url.host,
    // Answers are read as they come, and so are asked for as they are (RFC 9110 12.5.3).
    'accept-encoding': 'identity',
    'user-agent': 'platform-setup',
    ...headers,
    ...(proxy ? proxyAuthorization(proxy) : {}),
    ...(body === undefined ? {} : {'content-length': body.length}),
  } satisfies OutgoingHttpHeaders,
});

/**
 * Whether a connection from before was closed at the moment of its use. What may be sent twice is then sent again (RFC
 * 9112 9.3.1); a POST may not.
 */
const isClosedUnderUs = (sent: ClientRequest, error: Error & {code?: string}): boolean =>
  sent.reusedSocket && sent.method !== 'POST' && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** How long a server may take to answer anything at all to a new connection, in milliseconds. */
const PING_TIME = 10_000;

/** Whether the host of an address still answers, whatever it says, over a connection that is made for this. */
const reachesAnew = (request: StreamRequest, way: Way, until: AbortSignal): Promise<boolean> =>
  new Promise(resolve => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PING_TIME);
    const signal = AbortSignal.any([until, stop.signal]);
    const settle = (reached: boolean) => {
      clearTimeout(timer);
      resolve(reached);
    };
    sendRequest({...optionsOf(request, way, signal), signal}, received => {
      received.on('error', () => {}).resume();
      settle(!(way.proxy && refusalHandedOn(received, way.proxy, authorityOf(targetOf(request.url)))));
    })
      .on('error', () => settle(false))
      .on('upgrade', (_, socket) => {
        socket.destroy();
        settle(true);
      })
      .end();
  });
