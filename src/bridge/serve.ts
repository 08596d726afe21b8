import type {Readable, Writable} from 'node:stream';
import type {Era} from '../mcp/discover.ts';
import {createRelay} from '../mcp/relay.ts';
import {OtherEraError} from '../mcp/session.ts';
import {onAbort} from '../on-abort.ts';
import type {Clock} from '../ports/ports.ts';
import type {EraStore} from '../ports/storage.ts';
import type {AccessSource} from './access.ts';
import {createOutput} from './client-output.ts';
import type {Consent, ConsentOptions} from './consent.ts';
import {createEras} from './eras/eras.ts';
import {createLines} from './lines.ts';
import {createLocalServer, type LocalServerOptions} from './local-server/local-server.ts';
import {createTokenChannel} from './token-channel.ts';
import {createToolFilter, type ToolFilterOptions} from './tool-filter.ts';

export type ServePorts = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly access: AccessSource;
  readonly clock: Clock;
  readonly eras: EraStore;
  /** Logs one sentence for people, on standard error. */
  readonly log: (sentence: string) => void;
  /** Called when the first message has been handled. Work that could wait may be done then. */
  readonly started: () => void;
  /** The text by which a check recognises the failures of the bridge that it started. */
  readonly seal?: string | undefined;
  /** The options of the local server, which answers while the platform cannot. */
  readonly localServer: LocalServerOptions;
  readonly filter?: FilterOptions | undefined;
  readonly consent?: ConsentOptions | undefined;
};

/** The tools that the assistant sees and can call. */
type FilterOptions = Omit<ToolFilterOptions, 'output'> & {
  /** Calls the listener after each change of `isOn`, until the signal aborts. */
  readonly watch?: (changed: () => void, signal: AbortSignal) => Promise<void>;
};

/** How many of the assistant's first lines are kept for `createConsent`, and the largest of them, in bytes. */
const OPENING = {lines: 4, bytes: 64 * 1024};

/**
 * How long the bridge waits for answers after the assistant has closed standard input, in milliseconds; then it ends.
 * Longer than the retries of a request to a server that refuses connections, so that their answer arrives reliably.
 */
const GRACE = 3_000;

/**
 * Serves the platform's MCP server on standard input and output, with a sign-in that is kept valid. Ends without an
 * error when the assistant closes either stream, or when `signal` aborts. Nothing else ends it: a failure is the answer
 * to a request, and the next request may succeed. The local server answers while the platform cannot.
 */
export const serve = async (ports: ServePorts, signal: AbortSignal): Promise<void> => {
  const {stdin, stdout, access, clock, log, started, seal, eras: store, localServer: options} = ports;
  let hasStarted = false;
  let hasConsent = false;
  const onIdle = () => {
    if (!hasStarted) started();
    hasStarted = true;
    // Here, because the assistants may get an account of their own while a bridge runs.
    if (!hasConsent && ports.consent?.context() !== undefined) {
      hasConsent = true;
      void listenForConsent(ports.consent);
    }
  };
  const channel = createTokenChannel(access, clock);
  const over = new AbortController();
  const toClient = createOutput(stdout);
  /** The first lines of the assistant, which say what it can do. */
  let opening: Buffer[] = [];
  let consent: Consent | undefined;
  const listenForConsent = async (own: ConsentOptions) => {
    const {createConsent} = await import('./consent.ts');
    consent = createConsent({...own, opening}, {output: toClient, clock}, over.signal);
    opening = [];
    await consent.listen();
  };
  const filter = ports.filter && createToolFilter({...ports.filter, output: toClient});
  const stream = filter?.output ?? toClient;
  const eraOf = async (line: Buffer) => {
    const discover = await import('../mcp/discover.ts');
    return discover.eraOf(line, channel, over.signal);
  };
  const known = {
    isEmpty: store.isEmpty,
    // Both need a valid sign-in, as every request to the server does.
    get: async () => store.get((await access.current()).url.href),
    put: async (era: Era | undefined) => store.put((await access.current()).url.href, era),
  };
  const eras = createEras({output: stream, relay: () => relay, clock, log, eraOf, known});
  const {output} = eras;
  const reach = async (isUnknown: boolean) => {
    await access.current();
    if (isUnknown) return eras.beginWhereLegacy();
    const begun = [relay.initialize, relay.initialized].flatMap(line => line ?? []);
    try {
      await relay.reach();
    } catch (error) {
      if (!(error instanceof OtherEraError)) throw error;
      await eras.begin(begun);
      localServer.arrived();
    }
  };
  const initialize = () => (eras.isTranslating ? undefined : relay.initialize);
  const hearsNews = () => eras.isTranslating || relay.initialize !== undefined;
  const shared = {
    output,
    clock,
    reach,
    seal,
    initialize,
    hearsNews,
    tellSubscriber: eras.tellSubscriber,
    hand: eras.takeAnswered,
  };
  const localServer = createLocalServer(options, shared, over.signal);
  const relay = createRelay({
    ...{channel, output, clock, log, onIdle, localServer, seal, listens: true},
    failed: ({message, remedy}, {questions, method}) => {
      // Some assistants show only that a handshake failed, but they keep standard error.
      if (questions.length === 0 || method === 'initialize') log(`${message} ${remedy}`);
    },
  });
  access.noticed(async found => {
    const {message, remedy} = await options.explain(found);
    relay.warn(`${message} ${remedy}`.trim());
  });
  const lines = createLines(line => {
    if (!consent && opening.length < OPENING.lines && line.length < OPENING.bytes) opening.push(line);
    const own = consent ? consent.take(line) : line;
    const passed = own && filter ? filter.take(own) : own;
    if (passed) eras.take(passed);
  });

  const isGone = new Promise<'gone'>(resolve => {
    const gone = () => resolve('gone');
    // Standard output is closed: the client has gone, so stop serving.
    stdout.on('error', gone).on('close', gone);
    onAbort(signal, gone);
  });
  const isClosed = new Promise<'closed'>(resolve => {
    const closed = () => resolve('closed');
    stdin.on('end', closed).on('close', closed).on('error', closed);
  });

  stdin.on('data', lines.push);
  void ports.filter?.watch?.(() => localServer.toolsChanged(), over.signal);

  const how = await Promise.race([isGone, isClosed]);
  if (how === 'closed') {
    lines.end();
    const waited = new AbortController();
    const isLate = clock.sleep(GRACE, waited.signal).catch(() => {});
    await Promise.race([relay.idle(), isLate, isGone]);
    waited.abort();
  }
  over.abort();
  await eras.close();
  await relay.close();
};
