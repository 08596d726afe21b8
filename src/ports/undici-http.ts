import {SetupError} from '../errors.ts';
import {asCurl, showUrl} from './curl.ts';
import {CALL_TIMEOUT, type Http, type HttpReply, type HttpRequest, type Report} from './http.ts';
import {translateNetworkError} from './network-errors.ts';
import {checkAddress, type NetworkPolicy} from './network-policy.ts';
import type {Env} from './ports.ts';
import type {Transport} from './undici-transport.ts';

/** The most that is read of one answer, in bytes: no document of the protocols is near it, and a hostile one is endless. */
const MAX_BODY = 1024 * 1024;
const MAX_REDIRECTS = 5;

/** The network through undici. The library is loaded at the first call, so that it costs the first frame nothing. */
export const createHttp = (env: Env, policy: NetworkPolicy, monotonic: () => number): Http => {
  let transport: Promise<Transport> | undefined;
  const load = () => {
    transport ??= import('./undici-transport.ts').then(module => module.createTransport(env));
    return transport;
  };
  let calls = 0;

  /** One exchange without redirects, reported. The answer's body is still to be read, by `read` or by a library. */
  const exchange = async (request: HttpRequest, init: RequestInit, signal: AbortSignal, report: Report) => {
    const {method, url} = request;
    checkAddress(url, policy);
    calls += 1;
    const told = {call: calls, method, url: showUrl(url)};
    const started = monotonic();
    const elapsed = () => Math.round(monotonic() - started);
    report({type: 'call-started', ...told});
    try {
      const {fetch, dispatcherFor} = await load();
      const response = await fetch(url, {...init, redirect: 'manual', signal}, dispatcherFor(url));
      report({type: 'call-answered', ...told, status: response.status, ms: elapsed(), curl: asCurl(request)});
      return {response, elapsed};
    } catch (error) {
      const failure = translateNetworkError(error, url, signal);
      report({type: 'call-failed', ...told, message: failure.message, ms: elapsed(), curl: asCurl(request)});
      throw failure;
    }
  };

  const send: Http['send'] = async (request, {signal, report}) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(request.timeout ?? CALL_TIMEOUT)]);
    const init: RequestInit = {method: request.method, headers: {...request.headers}};
    if (request.body !== undefined) init.body = request.body;

    let {url} = request;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const {response, elapsed} = await exchange({...request, url}, init, deadline, report);
      const target = request.redirects === 'answer' ? undefined : redirectTarget(response, url);
      if (!target) {
        const body = await readText(response, url, deadline);
        return {status: response.status, headers: response.headers, body, ms: elapsed()} satisfies HttpReply;
      }
      await response.body?.cancel();
      if (request.redirects !== 'same-origin' || target.origin !== url.origin) {
        throw new SetupError(
          'network-redirected',
          `${showUrl(url)} redirects to ${target.origin}, which was not followed.`,
        );
      }
      url = target;
    }
    throw new SetupError('network-redirected', `${showUrl(request.url)} redirects in a circle.`);
  };

  const fetch: Http['fetch'] =
    ({signal, report}) =>
    async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      const signals = [signal, AbortSignal.timeout(CALL_TIMEOUT), ...(init.signal ? [init.signal] : [])];
      const {response} = await exchange(describe(url, init), init, AbortSignal.any(signals), report);
      return capped(response, url);
    };

  return {send, fetch};
};

const redirectTarget = (response: Response, url: URL): URL | undefined => {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

const readText = async (response: Response, url: URL, signal: AbortSignal): Promise<string> => {
  try {
    return await capped(response, url).text();
  } catch (error) {
    throw translateNetworkError(error, url, signal);
  }
};

/** The same response, whose body fails once it is longer than what is ever read. */
const capped = (response: Response, url: URL): Response => {
  if (!response.body) return response;
  let length = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > MAX_BODY) {
        controller.error(new SetupError('platform-invalid-answer', `${showUrl(url)} answered more than 1 MiB.`));
      } else {
        controller.enqueue(chunk);
      }
    },
  });
  const {status, statusText, headers} = response;
  const copy = new Response(response.body.pipeThrough(cap), {status, statusText, headers});
  Object.defineProperty(copy, 'url', {value: url.href});
  return copy;
};

/** What a library is about to send, for the curl line. Libraries send text and forms; anything else is left out. */
const describe = (url: URL, init: RequestInit): HttpRequest => {
  const method = (init.method ?? 'GET').toUpperCase() as HttpRequest['method'];
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : undefined;
  return {method, url, headers, ...(body === undefined ? {} : {body})};
};
