import {Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp} from 'node:http';
import type {Socket} from 'node:net';
import {openCall} from './answer-body.ts';
import {lookup} from './lookup.ts';
import {isLocalhostName} from './loopback.ts';
import type {createSecureRequests} from './secure-agent.ts';
import {CONNECT_TIMEOUT, IDLE_TIMEOUT, type OpenStream, type StreamRequest} from './streams.ts';

/** Streams over connections of our own, kept for the next call, as many as there are calls at once. */
export const createDirect = (): OpenStream => {
  const http = new HttpAgent({keepAlive: true, timeout: IDLE_TIMEOUT, lookup} as object);
  let secure: Promise<ReturnType<typeof createSecureRequests>> | undefined;

  return async (request, signal) => {
    const {url} = request;
    const options = {method: request.method, headers: headersOf(request), ...patience(url)};
    if (url.protocol === 'http:') {
      return send(request, signal, answered => requestHttp(url, {...options, agent: http}, answered));
    }
    // TLS is loaded where it is needed: it takes longer than the rest of the start.
    secure ??= import('./secure-agent.ts').then(module => module.createSecureRequests());
    const requestSecure = await secure;
    return send(request, signal, answered => requestSecure(url, options, answered));
  };
};

/**
 * A name of this machine's has two addresses, and a closed port is told at once at each. So the first is not given up for
 * the other before its time: a process that is busy for a moment would miss its answer, and hear "refused" of the second.
 */
const patience = ({hostname}: URL): object =>
  isLocalhostName(hostname) ? {autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT} : {};

type Begin = (answered: (response: IncomingMessage) => void) => ReturnType<typeof requestHttp>;

/** Answers are read as they come, and so are asked for as they are (RFC 9110 12.5.3). */
const headersOf = ({headers, body}: StreamRequest): RequestOptions['headers'] => ({
  'accept-encoding': 'identity',
  'user-agent': 'platform-setup',
  ...headers,
  ...(body === undefined ? {} : {'content-length': body.length}),
});

const send = (request: StreamRequest, signal: AbortSignal, begin: Begin) =>
  openCall(request, signal, ({answer, data, end, fail}) => {
    let response: IncomingMessage | undefined;
    let timer: NodeJS.Timeout | undefined;
    const timeOut = () => {
      outgoing.destroy(Object.assign(new Error('It took too long.'), {code: 'ETIMEDOUT'}));
    };
    const outgoing = begin(received => {
      clearTimeout(timer);
      response = received;
      received
        .on('data', data)
        .on('end', () => (received.complete ? end() : fail(broken())))
        .on('error', fail)
        .on('close', () => fail(broken()));
      answer(received.statusCode ?? 0, received.headers);
    });
    outgoing
      .on('error', fail)
      .on('close', () => clearTimeout(timer))
      .on('socket', socket => whenConnected(socket, request.url, timeOut));
    if (request.headersTimeout !== undefined) timer = setTimeout(timeOut, request.headersTimeout);
    outgoing.end(request.body);
    return {
      pause: () => void response?.pause(),
      resume: () => void response?.resume(),
      abort: reason => void outgoing.destroy(reason),
    };
  });

/** Gives a new connection its time, and no more. */
const whenConnected = (socket: Socket, {protocol}: URL, timeOut: () => void) => {
  if (!socket.connecting) return;
  const timer = setTimeout(timeOut, CONNECT_TIMEOUT);
  const done = () => clearTimeout(timer);
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', done).once('close', done);
};

const broken = () => Object.assign(new Error('The connection ended before the answer did.'), {code: 'ECONNRESET'});
