import {SetupError} from '../../errors/errors.ts';
import {
  CALL_TIMEOUT,
  type Env,
  type Http,
  type HttpReply,
  type HttpRequest,
  type OpenStream,
  type Report,
  type StreamReply,
  type StreamRequest,
  type Streams,
} from '../ports.ts';
import type {Shell} from '../processes/shell.ts';
import {systemClock} from '../system-clock.ts';
import {asCurl, failureAt, type ShownRequest, showUrl} from './curl.ts';
import {portalIn, redirectError, redirectTarget} from './portal.ts';
import {isLoopback, type Route} from './route.ts';
import type {Surroundings} from './streams.ts';

/**
 * The most that is read of one answer, in bytes. No document of the protocols is that large, and a hostile one may be
 * endless.
 */
const MAX_BODY = 1024 * 1024;
const MAX_REDIRECTS = 5;

type Context = {readonly signal: AbortSignal; readonly report: Report};

/** Sends requests and returns whole answers. Each call is reported as it happens, with its `curl` line for a shell. */
export const createHttp = (
  streams: Streams,
  policy: NetworkPolicy,
  monotonic: () => number,
  shell: Shell = 'posix',
  count: () => number = counter(),
): Http => {
  const exchange = async (request: StreamRequest & ShownRequest, {signal, report}: Context) => {
    const {method, url} = request;
    checkAddress(url, policy);
    const call = {call: count(), method, url: showUrl(url)};
    const started = monotonic();
    const elapsed = () => Math.round(monotonic() - started);
    const ended = () => ({ms: elapsed(), curl: asCurl(request, shell)});
    report({type: 'call-started', ...call});
    try {
      const reply = await streams.open(request, signal);
      report({type: 'call-answered', ...call, status: reply.status, ...ended()});
      return {reply, elapsed};
    } catch (error) {
      // The display continues the sentence with the duration.
      const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
      report({type: 'call-failed', ...call, message, ...ended()});
      throw error;
    }
  };

  /** Makes a request whose answer is read to its end. */
  const exchangeWhole = (request: HttpRequest, context: Context, connected: () => void) =>
    exchange({headers: {}, ...request, isBounded: true, connected}, context);

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
      const {reply, elapsed} = await exchangeWhole({...request, url}, context, connected);
      const {status, header} = reply;
      const target = request.redirects === 'answer' ? undefined : redirectTarget({status, header}, url);
      const bytes = await readWhole(reply, url);
      if (!target) return {status, header, body: bytes.toString('utf8'), ms: elapsed()};
      if (request.redirects !== 'same-origin' || target.origin !== url.origin) {
        throw portalIn({status, header}, url) ?? redirectError({status, header}, url);
      }
      url = target;
    }
    throw failureAt(request.url, 'network-redirected', 'redirects in a loop.');
  };

  const fetch: Http['fetch'] =
    ({signal, report}) =>
    async (input, init = {}) => {
      const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
      const deadline = createDeadline();
      const stop = AbortSignal.any([signal, deadline.signal, ...(init.signal ? [init.signal] : [])]);
      try {
        // Only an OAuth client needs these classes.
        const {toRequest, toResponse} = await import('./fetch-messages.ts');
        const {reply} = await exchangeWhole(toRequest(url, init), {signal: stop, report}, deadline.begin);
        return toResponse(reply, await readWhole(reply, url), url);
      } finally {
        deadline.end();
      }
    };

  const open: Http['open'] = async (request, context) => (await exchange(request, context)).reply;

  return {send, fetch, open};
};

/** Returns a counter for calls, which begins at one. Several networks of one run share a counter. */
export const counter = (): (() => number) => {
  let calls = 0;
  return () => {
    calls += 1;
    return calls;
  };
};

/** A timer that fires this much too late, in milliseconds, shows that the process was suspended or got no time. */
const TOO_LATE = 250;

/** How long a process that was suspended has to read what has arrived in the meantime, in milliseconds. */
const CATCH_UP = 1_000;

/**
 * Creates a deadline that begins once, when `begin` is called. Data that has arrived by then is read first: timers come
 * before sockets in a turn of the event loop, so after a suspension the deadline would fire before the process sees an
 * answer that is already in the socket.
 */
const createDeadline = (timeout = CALL_TIMEOUT) => {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let hasEnded = false;
  const fail = () => controller.abort(new DOMException('It took too long.', 'TimeoutError'));
  const readFirst = () => {
    // Not unref'd: the event loop would not wake up for it, and the call would end with whatever happens next.
    turn = setImmediate(fail);
  };
  const begin = () => {
    if (timer || hasEnded) return;
    const started = performance.now();
    const check = () => {
      if (performance.now() - started <= timeout + TOO_LATE) readFirst();
      else timer = setTimeout(readFirst, CATCH_UP).unref();
    };
    timer = setTimeout(check, timeout).unref();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
    clearImmediate(turn);
  };
  return {signal: controller.signal, begin, end};
};

const readWhole = async ({status, body}: StreamReply, url: URL): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY) throw failureAt(url, 'platform-invalid-answer', 'returned more than 1 MiB.');
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  checkCertificatePage(status, whole, url);
  return whole;
};

/** Creates the streams through which every HTTP request of this program goes. undici is loaded at the first one. */
export const createStreams = (
  env: Env,
  policy: NetworkPolicy,
  route: Route,
  surroundings: Surroundings = systemClock,
): Streams => {
  let loading: Promise<OpenStream> | undefined;
  const load = () => {
    // A turn of the event loop first: a key that a person has pressed is handled before the library is loaded.
    loading ??= new Promise(setImmediate)
      .then(() => import('./streams.ts'))
      .then(module => module.createUndiciStreams(route, env, surroundings));
    return loading;
  };
  return {
    // The caller that opens a stream gets the error.
    prepare: () => void load().catch(() => {}),
    open: async (request, signal) => {
      checkAddress(request.url, policy);
      return (await load())(request, signal);
    },
  };
};

export type NetworkPolicy = {
  /** Hosts that the person allowed to be called without TLS, besides loopback. */
  readonly allowHttp: readonly string[];
};

/** Returns the hosts allowed for every deployment, and those allowed for the deployment of a route. */
export const policyOf = ({allowHttp}: NetworkPolicy, {settings}: Pick<Route, 'settings'>): NetworkPolicy => ({
  allowHttp: [...allowHttp, ...(settings.allowHttp ?? [])],
});

/**
 * Refuses an address that no call may go to: one with a scheme other than http and https, one with user information,
 * plain http to anything but loopback and hosts that the person allowed (RFC 6749 3.2, RFC 6750 5.3), and a port that
 * browsers and most assistants refuse.
 *
 * @throws SetupError `input-invalid`, `network-insecure`, `network-bad-port`
 */
export const checkAddress = (url: URL, {allowHttp}: NetworkPolicy): void => {
  const about = {server: url.origin};
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SetupError('input-invalid', `${url.protocol}// is not an address of a web service (${url.hostname}).`);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `The address of ${url.host} contains a username or password. Leave them out.`;
    throw new SetupError('input-invalid', message);
  }
  if (badPorts.has(Number(url.port))) {
    const message = `Port ${url.port} of ${url.origin} is one that web clients refuse.`;
    throw new SetupError('network-bad-port', message, {about});
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp.includes(url.hostname)) {
    throw new SetupError('network-insecure', `${url.origin} is not encrypted, so no token is sent there.`, {
      remedy: {
        do: 'Use the server’s https address if it has one. If not, allow plain http for this host.',
        flag: `To allow it, pass --allow-http ${url.hostname}.`,
      },
      about: {...about, flag: 'allow-http'},
    });
  }
};

/** Ports to which browsers and other web clients refuse to speak HTTP (Fetch 2.9, "port blocking"). */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Throws if an answer is the page with which nginx, and what is based on it (Kong, the ingress of Kubernetes), refuses
 * a missing or unacceptable client certificate: it lets every client through TLS first (`ngx_http_special_response.c`).
 */
const checkCertificatePage = (status: number, body: Buffer, url: URL): void => {
  if (status !== 400) return;
  const complaint = /No required SSL certificate was sent|The SSL certificate error/.exec(body.toString('latin1'))?.[0];
  if (complaint === undefined) return;
  const got = complaint.startsWith('No') ? 'none' : 'none that it accepts';
  const message = `${url.origin} requires a client certificate, but got ${got} (400 ${complaint}).`;
  throw new SetupError('network-client-certificate', message, {about: {url: showUrl(url)}});
};
