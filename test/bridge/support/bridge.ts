import {PassThrough} from 'node:stream';
import {expect, onTestFinished} from 'vitest';
import {createAccess, type FindContext} from '../../../src/bridge/access.ts';
import type {LocalServerOptions} from '../../../src/bridge/local-server/local-server.ts';
import {type ServePorts, serve} from '../../../src/bridge/serve.ts';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials} from '../../../src/domain/credentials.ts';
import type {McpServer} from '../../../src/domain/mcp-servers.ts';
import {inWords} from '../../../src/errors/describe-error.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {fileVersion} from '../../../src/ports/files/file-version.ts';
import type {Clock, Streams} from '../../../src/ports/ports.ts';
import type {CredentialsStore} from '../../../src/ports/storage.ts';
import {contextAt} from '../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {streamsBy} from '../../support/route.ts';
import {type Json, VERSION} from './mcp-server.ts';

const HOUR = 3_600_000;

type Options = {
  /** The identity provider. By default the server's address, which has none. */
  readonly issuer?: string;
  /** The saved credentials. `none` for no sign-in. */
  readonly kept?: Partial<Credentials> | 'none';
  readonly context?: Partial<Context>;
  readonly server?: McpServer;
  readonly allowHttp?: readonly string[];
  /** Wraps the network of the bridge. */
  readonly between?: (network: Streams) => Streams;
  /** The home of an earlier bridge, with its saved data. */
  readonly home?: string;
  /** The factor by which pauses are shortened. */
  readonly hurry?: number;
  /** Set if the assistant may only look. */
  readonly filter?: ServePorts['filter'];
  /** Set if commands may ask the person. */
  readonly consent?: ServePorts['consent'];
};

/** Starts a bridge in this process, between two streams of the test, in a home with a sign-in. */
export const bridgeTo = async (origin: string, options: Options = {}) => {
  const {
    issuer = origin,
    kept = {},
    server = 'control-plane',
    allowHttp = [],
    between = same => same,
    hurry = 1,
    filter,
    consent,
  } = options;
  const {home = await temporaryDirectory()} = options;
  // Each of them stands for a process of its own.
  const [own, others] = [portsIn(home), portsIn(home)];
  let reads = 0;
  const get: CredentialsStore['get'] = key => {
    reads += 1;
    return own.credentials.get(key);
  };
  const ports = {...own, credentials: {...own.credentials, get}};
  const context = {...contextAt(issuer), controlPlaneUrl: origin, ...options.context};
  await others.config.saveContext(context);
  const signIn = async (more: Partial<Credentials>) => {
    const {clientId} = context;
    const times = {obtainedAt: Date.now(), expiresAt: Date.now() + HOUR};
    const entry = {issuer: context.issuer, clientId, accessToken: 'access-0', ...times, ...more};
    await others.credentials.update(context, async () => entry);
  };
  if (kept !== 'none') await signIn(kept);

  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const logs: string[] = [];
  const streams = between(streamsBy({}, allowHttp));
  const findContext: FindContext = async own => {
    const found = (await ports.config.read()).contexts[0];
    if (!found) throw new SetupError('auth-sign-in-required', 'Nothing is set up yet.');
    return {context: found, ports: {...own, streams}};
  };
  const access = createAccess({server, findContext, fileVersion}, ports, stop.signal);
  const log = (sentence: string) => void logs.push(sentence);
  const localServer: LocalServerOptions = {
    product: {name: 'platform-setup', version: '0.0.0'},
    changes: () => `${fileVersion(ports.config.path)} ${fileVersion(ports.credentials.path)}`,
    explain: async failure => inWords(failure),
    signIn: {ports, findContext, command: async () => 'setup login'},
  };
  const clock: Clock = {
    ...ports.clock,
    monotonic: () => ports.clock.monotonic() * hurry,
    sleep: (ms, signal) => ports.clock.sleep(ms / hurry, signal),
  };
  let over = false;
  const {eras} = ports;
  const served = {stdin, stdout, access, clock, eras, log, started: () => {}, localServer, filter, consent};
  const ended = serve(served, stop.signal).then(() => {
    over = true;
  });
  const close = () => {
    stop.abort();
    return ended;
  };
  onTestFinished(close);
  return {
    ...assistantOn(stdin, stdout),
    stdin,
    stdout,
    logs,
    context,
    others,
    signIn,
    close,
    ended,
    isOver: () => over,
    reads: () => reads,
  };
};

/** The assistant's end of the two streams. */
export const assistantOn = (stdin: NodeJS.WritableStream, stdout: NodeJS.ReadableStream) => {
  const lines: string[] = [];
  const waiting = new Set<(message: Json) => void>();
  let parts: string[] = [];
  stdout.setEncoding('utf8').on('data', (text: string) => {
    parts.push(text);
    // Long lines are joined only once.
    if (!text.includes('\n')) return;
    const found = parts.join('').split('\n');
    parts = [found.pop() ?? ''];
    for (const line of found) {
      lines.push(line);
      const message = JSON.parse(line);
      for (const look of waiting) look(message);
    }
  });
  const messages = (): readonly Json[] => lines.map(line => JSON.parse(line));
  /** Resolves with the first matching message, past or future. */
  const until = (fits: (message: Json) => boolean): Promise<Json> =>
    new Promise(resolve => {
      const known = messages().find(fits);
      if (known) return resolve(known);
      const look = (message: Json) => {
        if (!fits(message)) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
    });
  const send = (message: object | string) =>
    void stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  let ids = 0;
  const request = (method: string, params?: object): Promise<Json> => {
    ids += 1;
    const id = ids;
    const answer = new Promise<Json>(resolve => {
      const look = (message: Json) => {
        if (message.id !== id || message.method !== undefined) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
    });
    send({jsonrpc: '2.0', id, method, ...(params ? {params} : {})});
    return answer;
  };
  const notify = (method: string, params?: object) => send({jsonrpc: '2.0', method, ...(params ? {params} : {})});
  /** Performs the handshake of the 2025 era. */
  const initialize = async () => {
    const clientInfo = {name: 'test', version: '1'};
    const answer = await request('initialize', {protocolVersion: VERSION, capabilities: {}, clientInfo});
    notify('notifications/initialized');
    return answer;
  };
  return {lines, messages, until, send, request, notify, initialize};
};

/** Matches the answer that the bridge gives to a handshake when the server is away, and its reason. */
export const away = (code: string, message: unknown = expect.any(String)) => ({
  result: {
    serverInfo: {name: 'platform-setup', version: expect.any(String)},
    capabilities: {tools: {listChanged: true}},
    _meta: {'platform-setup/failure': {code, message}},
  },
});

/** Returns parameters of the 2026 era. */
export const modern = (params: object = {}, name = 'test') => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': {name, version: '1'},
    'io.modelcontextprotocol/clientCapabilities': {},
  },
});
