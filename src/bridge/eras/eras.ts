import type {Era} from '../../mcp/discover.ts';
import type {MessageOutput} from '../../mcp/exchange.ts';
import {
  BRIDGE_FAILED,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  isObject,
  type JsonObject,
  namesLegacyAlone,
  parseMessage,
  readObject,
  UNSUPPORTED_VERSION,
  versionOf,
} from '../../mcp/message.ts';
import type {Clock} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import {ACKNOWLEDGED, SUBSCRIPTION_ID} from '../local-server/subscriptions.ts';
import {clientIn, fallsBack} from './falls-back.ts';
import type {Translation} from './translation.ts';

/** The relay between the assistant and the server. */
type Passing = {
  take(line: Buffer): void;
  /** Forgets the session that the assistant has begun, and returns the messages that wait for it. */
  leaveSession(): readonly Buffer[];
};

export type ErasPorts = {
  readonly output: MessageOutput;
  readonly relay: () => Passing;
  readonly clock: Clock;
  readonly log: (sentence: string) => void;
  /** Asks the server which era it speaks, on behalf of an assistant that has sent this line. */
  readonly eraOf: (line: Buffer) => Promise<Era>;
  /** The only era that the server was found to speak, as kept for the next session. */
  readonly known: {
    readonly isEmpty: () => boolean;
    readonly get: () => Promise<Era | undefined>;
    readonly put: (era: Era | undefined) => Promise<void>;
  };
};

/**
 * `asked` if the answer to the opening is pending, `beginning` while a translation starts. `unsure` if an assistant of
 * the stateless era began with a request that any server may refuse: the first answer decides.
 */
type Phase = 'asked' | 'unsure' | 'beginning' | 'settled';

/** The most requests of an assistant that are kept until the era is known, and the largest of them, in bytes. */
const KEPT = {requests: 64, bytes: 64 * 1024};

/** How long to wait for the server to refuse the other pending requests as well, in milliseconds. */
const REFUSALS = 2_000;

/** The first message of the assistant: a handshake, or a request of the stateless era. */
type Opening = {readonly line: Buffer; readonly id: string; readonly isModern: boolean; readonly client: string};

/**
 * Creates the layer between an assistant and the relay. If the server speaks the era in which the assistant begins,
 * messages pass unchanged; otherwise both sides are translated from then on.
 */
export const createEras = ({output, relay, clock, log, eraOf, known}: ErasPorts) => {
  let opening: Opening | undefined;
  let phase: Phase = 'settled';
  let translation: Translation | undefined;
  /** Messages that the assistant sent after its opening, until it is known how they will be answered. */
  let held: Buffer[] = [];
  /** Requests whose answers would reveal the era, by their IDs, and the IDs of those without an answer. */
  const undecided = new Map<string, Buffer>();
  const unanswered = new Set<string>();
  /** Refusals that are held until it is known whether they are about the era. */
  const refusals: Buffer[] = [];
  let onAllAnswered = () => {};
  /** Resolves when the era is kept for the next session. */
  let keeping = Promise.resolve();
  /** Keys of messages that the local server has already given to the assistant. */
  const spoken = new Set<string>();

  const tell = (message: Buffer) => {
    if (spoken.size > 0 && spoken.delete(keyOf(readObject(message)))) return undefined;
    return output.write(message);
  };

  const release = () => {
    const lines = held;
    held = [];
    for (const line of lines) take(line);
  };

  /**
   * Starts the translation.
   *
   * @throws Error if the server does not speak the other era either
   */
  const begin = async (by: Opening): Promise<void> => {
    held.unshift(...relay().leaveSession());
    phase = 'beginning';
    const {translate} = await import('./translation.ts');
    const own = translate(by.line, {tell, log, send: relay().take, sleep: clock.sleep});
    translation = own;
    try {
      await own.ready;
      keeping = known.put(by.isModern ? 'legacy' : 'modern').catch(() => {});
    } catch (error) {
      translation = undefined;
      throw error;
    } finally {
      phase = 'settled';
    }
  };

  /**
   * Begins with the era that is kept for the server. If that is no longer right, it is forgotten, and the server is
   * asked.
   */
  const beginAsKnown = async (by: Opening, usual: Phase) => {
    phase = 'beginning';
    const era = await known.get().catch(() => undefined);
    const isOther = era !== undefined && era !== (by.isModern ? 'modern' : 'legacy');
    if (isOther && !(by.isModern && fallsBack(by.client))) {
      try {
        await begin(by);
        translation?.take(by.line);
        release();
        return;
      } catch {
        await known.put(undefined).catch(() => {});
      }
    }
    phase = usual;
    pass(by.line);
    release();
  };

  /**
   * Starts the translation instead of passing on an answer that says that the server does not speak the assistant's
   * era.
   */
  const beginInstead = async (answer: Buffer, by: Opening) => {
    try {
      await begin(by);
      translation?.take(by.line);
    } catch (error) {
      log(cannotTranslate(error));
      await output.write(answer);
    }
    release();
  };

  const take = (line: Buffer): void => {
    if (phase === 'beginning' || (phase === 'asked' && opening?.isModern)) held.push(line);
    else if (translation) translation.take(line);
    else {
      const begun = opening ? undefined : openingIn(line);
      if (begun) ({opening, phase} = begun);
      if (begun && !known.isEmpty()) void beginAsKnown(begun.opening, begun.phase);
      else pass(line);
    }
  };

  const pass = (line: Buffer) => {
    if (phase === 'unsure') keep(line);
    relay().take(line);
  };

  const keep = (line: Buffer) => {
    if (line.length > KEPT.bytes || undecided.size >= KEPT.requests) return;
    const {id, method} = readObject(line);
    if (id === undefined || method === undefined) return;
    undecided.set(JSON.stringify(id), line);
    unanswered.add(JSON.stringify(id));
  };

  /** Handles a message of the server while the era is unknown. */
  const hearUnsure = (message: Buffer, by: Opening): Promise<void> | undefined => {
    const answer = readObject(message);
    const {id, error, method} = answer;
    const key = JSON.stringify(id);
    if (method !== undefined || !undecided.has(key)) return tell(message);
    unanswered.delete(key);
    if (unanswered.size === 0) onAllAnswered();
    if (isObject(error) && isOtherEra(answer, by) && !ofModern.has(error.code)) {
      refusals.push(message);
      // The first refusal makes the bridge ask the server for its era. Further refusals wait for the result.
      if (phase === 'unsure') void decide(by);
      return undefined;
    }
    undecided.delete(key);
    // A result settles the era. If the bridge is already asking the server for its era, that answer decides instead.
    if (!isObject(error) && phase === 'unsure') settle();
    return tell(message);
  };

  const settle = () => {
    if (phase === 'unsure') phase = 'settled';
    undecided.clear();
    unanswered.clear();
  };

  /** Asks the server for its era after it has refused a request, and translates if the server speaks the other era. */
  const decide = async (by: Opening) => {
    phase = 'beginning';
    const era = await eraOf(by.line).catch(() => 'modern' as const);
    if (era === 'modern') {
      phase = 'settled';
      settle();
      await tellRefusals();
      release();
      return;
    }
    // The translation numbers its own requests, and an unanswered request may have the same number. So the answers to
    // those are awaited first: a later one would be taken for an answer to the translation.
    const over = new AbortController();
    onAllAnswered = () => over.abort();
    if (unanswered.size > 0) await clock.sleep(REFUSALS, over.signal).catch(() => {});
    // A request without an answer may be in progress: it is never sent twice.
    const lines = [...undecided].flatMap(([key, line]) => (unanswered.has(key) ? [] : [line]));
    settle();
    try {
      await begin(by);
      for (const line of lines) translation?.take(line);
    } catch (error) {
      log(cannotTranslate(error));
      await tellRefusals();
    }
    refusals.length = 0;
    release();
  };

  const tellRefusals = async () => {
    for (const refusal of refusals.splice(0)) await tell(refusal);
  };

  /**
   * Starts the translation after the local server has answered instead of the server.
   *
   * @param since messages of the assistant in that time that the server has to receive; they are already answered
   * @throws Error if the server does not speak the other era either
   */
  const beginSince = async (since: readonly Buffer[]): Promise<void> => {
    if (!opening || translation) return;
    await begin(opening);
    for (const line of since) takeAnswered(line);
    release();
  };

  /** Takes a line whose answer, if it needs one, the local server has already given to the assistant. */
  const takeAnswered = (line: Buffer): void => {
    const message = readObject(line);
    if (message.id !== undefined) spoken.add(answerKeyOf(message));
    take(line);
  };

  /** Returns the assistant's opening, the message with which it begins, if this line is one. */
  const openingIn = (line: Buffer): {readonly opening: Opening; readonly phase: Phase} | undefined => {
    const message = parseMessage(line);
    if ('code' in message) return undefined;
    const {method, questions} = message;
    const [question] = questions;
    const isModern = versionOf(message) !== undefined;
    if (!question || (method !== 'initialize' && !isModern)) return undefined;
    return {
      opening: {line, id: question.id, isModern, client: clientIn(message)},
      phase: method === 'initialize' || method === 'server/discover' ? 'asked' : 'unsure',
    };
  };

  const write = (message: Buffer): Promise<void> | undefined => {
    if (translation) return void translation.hear(message);
    if (opening && (phase === 'unsure' || undecided.size > 0)) return hearUnsure(message, opening);
    if (phase !== 'asked' || !opening) return tell(message);
    const answer = readObject(message);
    const {id, method} = answer;
    if (method !== undefined || JSON.stringify(id) !== opening.id) return tell(message);
    if (isOtherEra(answer, opening)) return void beginInstead(message, opening);
    phase = 'settled';
    const result = tell(message);
    release();
    return result;
  };

  return {
    /** Takes one line from the assistant. */
    take,
    /** Takes the messages for the assistant. */
    output: {write} satisfies MessageOutput,
    get isTranslating() {
      return translation !== undefined;
    },
    begin: beginSince,
    /**
     * Asks the server for its era, and translates for an assistant of the stateless era if the server has a handshake.
     *
     * @throws SetupError if the server cannot be asked
     */
    beginWhereLegacy: async (): Promise<void> => {
      if (opening && (await eraOf(opening.line)) === 'legacy') await beginSince([]);
    },
    takeAnswered,
    /** Passes a message to the subscriber: the assistant in the stateless era, otherwise the translation. */
    tellSubscriber: (message: Buffer) => (opening?.isModern ? tell(message) : write(message)),
    close: async (): Promise<void> => {
      await Promise.all([translation?.close(), keeping]);
    },
  };
};

/**
 * Error codes that only a server that has read the request returns: a server of the stateless era, or one without
 * sessions.
 */
const ofModern: ReadonlySet<unknown> = new Set([HEADER_MISMATCH, INVALID_PARAMS]);

const cannotTranslate = (error: unknown): string =>
  `The server supports neither the assistant’s version of MCP nor one that this program can translate: ${reason(error)}`;

/** Whether an answer to an opening says that the server does not speak the era of the opening. */
const isOtherEra = (answer: JsonObject, {isModern, client}: Opening): boolean => {
  const {error} = answer;
  const code = isObject(error) ? error.code : undefined;
  if (!isModern) return code === UNSUPPORTED_VERSION;
  const isRefused = code !== undefined && code !== BRIDGE_FAILED && code !== UNSUPPORTED_VERSION;
  return (isRefused || namesLegacyAlone(answer)) && !fallsBack(client);
};

/**
 * Returns a key for the request that a message answers. A subscription is answered by a notification (MCP 2026-07-28,
 * subscriptions).
 */
const keyOf = ({id, method, params}: JsonObject): string => {
  if (method === undefined) return `answer ${JSON.stringify(id)}`;
  const meta = method === ACKNOWLEDGED && isObject(params) ? params._meta : undefined;
  return isObject(meta) ? `subscription ${JSON.stringify(meta[SUBSCRIPTION_ID])}` : '';
};

const answerKeyOf = ({id, method}: JsonObject): string =>
  `${method === 'subscriptions/listen' ? 'subscription' : 'answer'} ${JSON.stringify(id)}`;

const reason = (error: unknown) => cleanText(error instanceof Error ? error.message : String(error));
