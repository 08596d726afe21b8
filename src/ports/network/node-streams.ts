import {type IncomingMessage, type OutgoingHttpHeaders, request as sendRequest} from 'node:http';
import type {SetupError} from '../../errors.ts';
import type {Env} from '../ports.ts';
import {openCall} from './answer-body.ts';
import {type ConnectionAgent, createAgent} from './connection-agent.ts';
import {createConnector, isForwarding} from './connector.ts';
import {proxyAuthorization, refusalIn} from './http-tunnel.ts';
import type {NetworkSettings, Route} from './network-settings.ts';
import type {NetworkProxy} from './proxies.ts';
import {watchSilence} from './silence.ts';
import type {OpenStream, StreamRequest} from './streams.ts';

/**
 * Streams over Node's own HTTP client, on connections of ours: straight, or through the proxy that the route names. They
 * are kept for the next call, as many as there are calls at once.
 *
 * @param now milliseconds since the epoch, on a clock that goes on while the machine sleeps
 */
export const createNodeStreams = (route: Route, env: Env, now: () => number): OpenStream => {
  const connector = createConnector(route, env);
  const agents = new WeakMap<NetworkSettings, ConnectionAgent>();
  // Connections of one route are of no use to another.
  const agentNow = () => {
    const settings = route.settings();
    const agent = agents.get(settings) ?? createAgent(connector, now);
    agents.set(settings, agent);
    return agent;
  };

  return async (request, signal) => {
    const {url, method} = request;
    const proxy = connector.proxy(url);
    const handsOver = url.protocol === 'http:' && isForwarding(proxy) ? proxy : undefined;
    const agent = agentNow();
    agent.letGoOfStale();
    const ping = () => reachesAnew(url, {agent: createAgent(connector, now, {keeps: false}), proxy: handsOver});
    return openCall(request, signal, ({answer, data, end, fail}) => {
      let response: IncomingMessage | undefined;
      let timer: NodeJS.Timeout | undefined;
      const isAwaited = method === 'POST' && request.headersTimeout === undefined;
      const silence = isAwaited ? watchSilence({url, ping, lost: error => outgoing.destroy(error)}) : undefined;
      const over = <T extends readonly unknown[]>(act: (...what: T) => void) => {
        return (...what: T) => {
          silence?.stop();
          act(...what);
        };
      };
      const fails = over(fail);
      const timeOut = () => outgoing.destroy(Object.assign(new Error('It took too long.'), {code: 'ETIMEDOUT'}));
      const outgoing = sendRequest(optionsOf(request, {agent, proxy: handsOver, signal}), received => {
        clearTimeout(timer);
        const refusal = handsOver && proxyRefusal(received, handsOver, url);
        if (refusal) return void outgoing.destroy(refusal);
        response = received;
        received
          .on('data', chunk => {
            silence?.heard();
            data(chunk);
          })
          .on(
            'end',
            over(() => (received.complete ? end() : fail(broken()))),
          )
          .on('error', fails)
          .on('close', () => fails(broken()));
        silence?.heard();
        answer(received.statusCode ?? 0, received.headers);
      });
      outgoing
        .on('error', fails)
        .on('close', () => clearTimeout(timer))
        .on('socket', socket => {
          request.connected?.();
          silence?.begin(socket);
          if (request.headersTimeout !== undefined) timer = setTimeout(timeOut, request.headersTimeout);
        });
      outgoing.end(request.body);
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

type Sending = {
  readonly agent: ConnectionAgent;
  readonly proxy: NetworkProxy | undefined;
  readonly signal?: AbortSignal;
};

/** TLS is the connection's business, so the request is a plain one whatever the address. */
const optionsOf = ({method, url, headers, body, patience}: StreamRequest, {agent, proxy, signal}: Sending) => ({
  ...{method, agent: agent.agent, path: proxy ? url.href.replace(/#.*/s, '') : `${url.pathname}${url.search}`},
  // By this connections are told apart; where they lead is in `connectTo`.
  host: url.origin,
  connectTo: {url, signal, patience},
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

/** What a proxy answers in its own name to a request that was handed to it. */
const proxyRefusal = (
  {statusCode = 0, headers}: IncomingMessage,
  proxy: NetworkProxy,
  {host}: URL,
): SetupError | undefined => {
  const isItsOwn = statusCode === 407 || 'proxy-status' in headers || 'x-squid-error' in headers;
  return isItsOwn ? refusalIn(statusCode, proxy, host) : undefined;
};

/** How long a server may take to answer anything at all to somebody who comes anew, in milliseconds. */
const PING_TIMEOUT = 10_000;

/** Whether the host of an address still answers, whatever it says, over a connection that is made for this. */
const reachesAnew = (url: URL, sending: Sending): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => asked.destroy(), PING_TIMEOUT);
    const settle = (reached: boolean) => {
      clearTimeout(timer);
      resolve(reached);
    };
    const asked = sendRequest(optionsOf({method: 'HEAD', url, headers: {}}, sending), received => {
      received.resume();
      settle(!(sending.proxy && proxyRefusal(received, sending.proxy, url)));
    });
    asked.on('error', () => settle(false)).end();
  });

const broken = () => Object.assign(new Error('The connection ended before the answer did.'), {code: 'ECONNRESET'});
