import {SetupError} from '../../errors/errors.ts';
import {
  CALL_TIMEOUT,
  type Http,
  type HttpReply,
  type HttpRequest,
  type Report,
  type StreamReply,
  type StreamRequest,
  type Streams,
} from '../ports.ts';
import type {Shell} from '../processes/shell.ts';
import {asCurl, showUrl} from './curl.ts';
import {whenUp} from './deadline.ts';
import {checkAddress, type NetworkPolicy} from './network-policy.ts';
import {portalIn, redirectError} from './portal.ts';
import {checkCertificatePage} from './tls/client-certificate-page.ts';

/** The most that is read of one answer, in bytes: no document of the protocols is near it, and a hostile one is endless. */
const MAX_BODY = 1024 * 1024;
const MAX_REDIRECTS = 5;

type Context = {readonly signal: AbortSignal; readonly report: Report};

/**
 * The network as whole answers, each call told as it happens, over the streams that everything here goes through.
 *
 * @param shell which calls are shown for
 */
export const createHttp = (
  streams: Streams,
  policy: NetworkPolicy,
  monotonic: () => number,
  shell: Shell = 'posix',
): Http => {
  let calls = 0;

  const exchange = async (shown: HttpRequest, {signal, report}: Context, sent: StreamRequest) => {
    const {method, url} = sent;
    checkAddress(url, policy);
    calls += 1;
    const told = {call: calls, method, url: showUrl(url)};
    const started = monotonic();
    const elapsed = () => Math.round(monotonic() - started);
    report({type: 'call-started', ...told});
    try {
      const reply = await streams.open(sent, signal);
      report({type: 'call-answered', ...told, status: reply.status, ms: elapsed(), curl: asCurl(shown, shell)});
      return {reply, elapsed};
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // Who shows it goes on with how long it took.
      const clause = message.replace(/\.$/, '');
      report({type: 'call-failed', ...told, message: clause, ms: elapsed(), curl: asCurl(shown, shell)});
      throw error;
    }
  };

  const send: Http['send'] = async (request, {signal, report}) => {
    const deadline = createDeadline(request.timeout);
    if (request.isQuick) deadline.begin();
    try {
      return await follow(request, {report, signal: AbortSignal.any([signal, deadline.signal])}, deadline.begin);
    } finally {
      deadline.end();
    }
  };

  const follow = async (request: HttpRequest, context: Context, connected: () => void): Promise<HttpReply> => {
    let {url} = request;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const sent = {...asSent({...request, url}), connected};
      const {reply, elapsed} = await exchange({...request, url}, context, sent);
      const target = request.redirects === 'answer' ? undefined : redirectTarget(reply, url);
      const bytes = await readWhole(reply, url);
      if (!target) {
        const {status, header} = reply;
        return {status, header, body: bytes.toString('utf8'), ms: elapsed()} satisfies HttpReply;
      }
      if (request.redirects !== 'same-origin' || target.origin !== url.origin) {
        const answered = {status: reply.status, header: reply.header};
        throw portalIn(answered, url) ?? redirectError(answered, url);
      }
      url = target;
    }
    throw new SetupError('network-redirected', `${showUrl(request.url)} redirects in a loop.`, {
      about: {url: showUrl(request.url)},
    });
  };

  const fetch: Http['fetch'] =
    ({signal, report}) =>
    async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      const deadline = createDeadline();
      const stop = AbortSignal.any([signal, deadline.signal, ...(init.signal ? [init.signal] : [])]);
      const described = describe(url, init);
      const sent = {...asSent(described), connected: deadline.begin};
      try {
        const {reply} = await exchange(described, {signal: stop, report}, sent);
        return asResponse(reply, await readWhole(reply, url), url);
      } finally {
        deadline.end();
      }
    };

  const open: Http['open'] = async (request, context) => {
    const {method, url, headers, body} = request;
    const shown = {method, url, headers, ...(body === undefined ? {} : {body: body.toString('utf8')})};
    return (await exchange(shown, context, request)).reply;
  };

  return {send, fetch, open};
};

/** A deadline that begins when it is told to, once. */
const createDeadline = (timeout = CALL_TIMEOUT) => {
  const controller = new AbortController();
  let stop: (() => void) | undefined;
  const timeIsUp = () => controller.abort(new DOMException('It took too long.', 'TimeoutError'));
  const begin = () => {
    stop ??= whenUp(timeout, timeIsUp);
  };
  return {signal: controller.signal, begin, end: () => stop?.()};
};

const asSent = ({method, url, headers = {}, body}: HttpRequest): StreamRequest => ({
  ...{method, url, headers, isBounded: true},
  ...(body === undefined ? {} : {body: Buffer.from(body)}),
});

const redirectTarget = ({status, header}: StreamReply, url: URL): URL | undefined => {
  const location = header('location');
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

const readWhole = async ({status, body}: StreamReply, url: URL): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY)
      throw new SetupError('platform-invalid-answer', `${showUrl(url)} returned more than 1 MiB.`, {
        about: {url: showUrl(url)},
      });
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  checkCertificatePage(status, whole, url);
  return whole;
};

const asResponse = ({status, header, headerNames}: StreamReply, bytes: Buffer, url: URL): Response => {
  if (status < 200 || status > 599) {
    throw new SetupError(
      'platform-invalid-answer',
      `${showUrl(url)} answered with ${status}, which is not an HTTP status.`,
      {about: {url: showUrl(url)}},
    );
  }
  const headers = headerNames().map(name => [name, header(name) ?? ''] as [string, string]);
  // These come without a body by definition, and the constructor takes not even an empty one (Fetch 2.2.3).
  const isBodiless = status === 204 || status === 205 || status === 304;
  const response = new Response(isBodiless ? null : new Uint8Array(bytes), {status, headers});
  Object.defineProperty(response, 'url', {value: url.href});
  return response;
};

/** What a library asks for. They send text and forms, and are taken for nothing else. */
const describe = (url: URL, init: RequestInit): HttpRequest => {
  const method = (init.method ?? 'GET').toUpperCase() as HttpRequest['method'];
  const given = init.body ?? undefined;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (given === undefined) return {method, url, headers};
  if (given instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
  else if (typeof given !== 'string') throw new TypeError('Only text and forms are sent.');
  return {method, url, headers, body: String(given)};
};
