import type {Readable, Writable} from 'node:stream';
import type {Era} from '../mcp/discover.ts';
import {createRelay} from '../mcp/relay.ts';
import {OtherEraError} from '../mcp/session.ts';
import {onAbort} from '../on-abort.ts';
import type {Clock} from '../ports/ports.ts';
import type {EraStore} from '../ports/storage.ts';
import type {AccessSource} from './access.ts';
import {createEras} from './eras/eras.ts';
import {createLines} from './lines.ts';
import {createOutput} from './output.ts';
import {createStandIn, type StandInOptions} from './stand-in/stand-in.ts';
import {createTokenChannel} from './token-channel.ts';

export type ServePorts = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly access: AccessSource;
  readonly clock: Clock;
  readonly eras: EraStore;
  /** One sentence for people, on standard error. */
  readonly log: (sentence: string) => void;
  /** Called when the first message has been dealt with: there is time then for what could wait. */
  readonly started: () => void;
  /** What failures are told with, where a check of ours listens. */
  readonly seal?: string | undefined;
  /** Who answers while the platform cannot. */
  readonly standIn: StandInOptions;
};

/**
 * How long answers are waited for once the assistant has closed its end, in milliseconds. It ends us after that. Longer than
 * a request to a server that refuses connections is tried again, or its answer comes too late by chance.
 */
const GRACE = 3_000;

/**
 * An MCP server on standard input and output that is the platform's, seen through a sign-in that lasts. Ends, without an
 * error, when the assistant closes either stream, or when `signal` aborts. Nothing else ends it: what goes wrong is the
 * answer to a request, and the next request may find it mended; at the beginning of a session a stand-in answers.
 */
export const serve = async (ports: ServePorts, signal: AbortSignal): Promise<void> => {
  const {stdin, stdout, access, clock, log, started, seal, eras: store, standIn: options} = ports;
  let hasStarted = false;
  const onIdle = () => {
    if (!hasStarted) started();
    hasStarted = true;
  };
  const channel = createTokenChannel(access, clock);
  const over = new AbortController();
  const stream = createOutput(stdout);
  const eraOf = async (line: Buffer) => {
    const discover = await import('../mcp/discover.ts');
    return discover.eraOf(line, channel, over.signal);
  };
  const known = {
    isEmpty: store.isEmpty,
    // Only whoever is signed in gets as far as the server.
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
      standIn.arrived();
    }
  };
  const initialize = () => (eras.isTranslating ? undefined : relay.initialize);
  const hearsNews = () => eras.isTranslating || relay.initialize !== undefined;
  const told = {
    output,
    clock,
    reach,
    seal,
    initialize,
    hearsNews,
    tellSubscriber: eras.tellSubscriber,
    hand: eras.takeAnswered,
  };
  const standIn = createStandIn(options, told, over.signal);
  const relay = createRelay({
    ...{channel, output, clock, log, onIdle, standIn, seal, listens: true},
    failed: ({message, remedy}, {questions, method}) => {
      // Of a handshake that fails some assistants show no more than that; what they keep is standard error.
      if (questions.length === 0 || method === 'initialize') log(`${message} ${remedy}`);
    },
  });
  access.noticed(async found => {
    const {message, remedy} = await options.explain(found);
    relay.warn(`${message} ${remedy}`.trim());
  });
  const lines = createLines(eras.take);

  const isGone = new Promise<'gone'>(resolve => {
    const gone = () => resolve('gone');
    // Who reads no answers asks no questions.
    stdout.on('error', gone).on('close', gone);
    onAbort(signal, gone);
  });
  const isClosed = new Promise<'closed'>(resolve => {
    const closed = () => resolve('closed');
    stdin.on('end', closed).on('close', closed).on('error', closed);
  });

  stdin.on('data', lines.push);

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
