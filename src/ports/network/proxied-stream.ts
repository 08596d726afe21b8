import {EnvHttpProxyAgent} from 'undici';
import type {Env} from '../ports.ts';
import {proxiesIn} from '../proxies.ts';
import {openCall} from './answer-body.ts';
import {trustedAuthorities} from './authorities.ts';
import {lookup} from './lookup.ts';
import {CONNECT_TIMEOUT, type OpenStream} from './streams.ts';

/**
 * Streams through the environment's proxies, past them for what NO_PROXY names. The whole of undici is loaded: its agents
 * open no tunnel by themselves, for what they call is put onto them when the library is. Certificates are checked whatever
 * `NODE_TLS_REJECT_UNAUTHORIZED` says.
 */
export const createProxied = (env: Env): OpenStream => {
  let plain: EnvHttpProxyAgent | undefined;
  let secure: EnvHttpProxyAgent | undefined;
  const agentFor = ({protocol}: URL) => {
    if (protocol === 'http:') {
      plain ??= createAgent(env, connection);
      return plain;
    }
    // Reading the system's certificates takes tens of milliseconds, so it waits until an address needs it.
    secure ??= createAgent(env, {...connection, ca: trustedAuthorities(), rejectUnauthorized: true});
    return secure;
  };

  return (request, signal) =>
    openCall(request, signal, ({queue, answer, data, end, fail}) => {
      const {method, url, headers, body = null, headersTimeout = 0} = request;
      const {origin, pathname, search} = url;
      let controller: {pause(): void; resume(): void; abort(reason: Error): void} | undefined;
      const path = `${pathname}${search}`;
      agentFor(url).dispatch(
        {origin, path, method, headers, body, headersTimeout, bodyTimeout: 0},
        {
          onRequestStart: started => {
            controller = started;
            if (queue.ended) started.abort(new Error('It was stopped before it began.'));
          },
          onResponseStart: (_, status, answered) => {
            if (status >= 200) answer(status, answered);
          },
          onResponseData: (_, chunk) => data(chunk),
          onResponseEnd: end,
          onResponseError: (_, error) => fail(error),
        },
      );
      return {
        pause: () => controller?.pause(),
        resume: () => controller?.resume(),
        abort: reason => controller?.abort(reason),
      };
    });
};

const connection = {lookup, timeout: CONNECT_TIMEOUT};

const createAgent = (env: Env, connect: object): EnvHttpProxyAgent => {
  const {httpProxy, httpsProxy} = proxiesIn(env);
  return new EnvHttpProxyAgent({
    connect,
    requestTls: connect,
    proxyTls: connect,
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    ...(httpProxy ? {httpProxy} : {}),
    ...(httpsProxy ? {httpsProxy} : {}),
  });
};
