import {parseJson} from '../../json.ts';
import type {Output} from '../../mcp/exchange.ts';
import {
  BRIDGE_FAILED,
  isObject,
  type JsonObject,
  parseMessage,
  UNSUPPORTED_VERSION,
  versionOf,
} from '../../mcp/message.ts';
import type {Clock} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import {ACKNOWLEDGED, SUBSCRIPTION_ID} from '../stand-in/subscriptions.ts';
import {clientIn, fallsBack} from './falls-back.ts';
import type {Translation} from './translation.ts';

/** The relay between the assistant and the server. */
type Passing = {
  take(line: Buffer): void;
  /** Forgets the session that the assistant has begun, and gives the messages that wait for it. */
  leaveSession(): readonly Buffer[];
};

export type ErasPorts = {
  readonly output: Output;
  readonly relay: () => Passing;
  readonly clock: Clock;
  readonly log: (sentence: string) => void;
};

/** Whether the answer to the opening is still to come, or a translation begins. */
type Phase = 'asked' | 'beginning' | 'settled';

/** How the assistant has begun: by a handshake, or in the stateless era. */
type Opening = {readonly line: Buffer; readonly id: string; readonly isModern: boolean; readonly client: string};

/**
 * Stands between an assistant and the relay. Where the server speaks the era in which the assistant begins, everything
 * passes as it is; where it does not, both are translated from then on.
 */
export const createEras = ({output, relay, clock, log}: ErasPorts) => {
  let opening: Opening | undefined;
  let phase: Phase = 'settled';
  let translation: Translation | undefined;
  /** What the assistant has sent since it began in the stateless era, until it is known how that is answered. */
  let held: Buffer[] = [];
  /** Messages to the assistant that it has had already, from whoever answered in the server’s place. */
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

  /** @throws Error where the server does not speak the other era either */
  const begin = async (by: Opening): Promise<void> => {
    held.unshift(...relay().leaveSession());
    phase = 'beginning';
    const {translate} = await import('./translation.ts');
    const own = translate(by.line, {tell, log, send: relay().take, sleep: clock.sleep});
    translation = own;
    try {
      await own.ready;
    } catch (error) {
      translation = undefined;
      throw error;
    } finally {
      phase = 'settled';
    }
  };

  /** Translates instead of an answer that says that the server does not speak the assistant’s era. */
  const beginInstead = async (answer: Buffer, by: Opening) => {
    try {
      await begin(by);
      translation?.take(by.line);
    } catch (error) {
      log(
        `The server supports neither the assistant’s version of MCP nor one that this program can translate: ${reason(error)}`,
      );
      await output.write(answer);
    }
    release();
  };

  const take = (line: Buffer): void => {
    if (phase === 'beginning' || (phase === 'asked' && opening?.isModern)) held.push(line);
    else if (translation) translation.take(line);
    else {
      if (!opening) note(line);
      relay().take(line);
    }
  };

  /** Takes a line whose answer, if any is due, the assistant has had from whoever answered in the server’s place. */
  const takeAnswered = (line: Buffer): void => {
    const message = readObject(line);
    if (message.id !== undefined) spoken.add(answerKeyOf(message));
    take(line);
  };

  const note = (line: Buffer) => {
    const message = parseMessage(line);
    if ('code' in message) return;
    const {method, questions} = message;
    const [question] = questions;
    const isModern = versionOf(message) !== undefined;
    if (!question || (method !== 'initialize' && !isModern)) return;
    opening = {line, id: question.id, isModern, client: clientIn(message)};
    if (method === 'initialize' || method === 'server/discover') phase = 'asked';
  };

  const write = (message: Buffer): Promise<void> | undefined => {
    if (translation) return void translation.hear(message);
    if (phase !== 'asked' || !opening) return tell(message);
    const {id, error, method} = readObject(message);
    if (method !== undefined || JSON.stringify(id) !== opening.id) return tell(message);
    if (isObject(error) && isOtherEra(error, opening)) return void beginInstead(message, opening);
    phase = 'settled';
    const told = tell(message);
    release();
    return told;
  };

  return {
    /** One line from the assistant. */
    take,
    /** Where the messages for the assistant go. */
    output: {write} satisfies Output,
    /** Whether the assistant began in the stateless era. */
    get isModern() {
      return opening?.isModern === true;
    },
    /** What the assistant began by. */
    get opening() {
      return opening?.line;
    },
    get isTranslating() {
      return translation !== undefined;
    },
    /**
     * Translates from now on, where somebody else has answered in the server’s place until now.
     *
     * @param since what the assistant has sent since then that the server is to hear; it has had the answers
     * @throws Error where the server does not speak the other era either
     */
    begin: async (since: readonly Buffer[]): Promise<void> => {
      if (!opening || translation) return;
      await begin(opening);
      for (const line of since) takeAnswered(line);
      release();
    },
    takeAnswered,
    /** Gives a message to whoever has subscribed: the assistant in the stateless era, else the translation. */
    tellSubscriber: (message: Buffer) => (opening?.isModern ? tell(message) : write(message)),
    close: async (): Promise<void> => translation?.close(),
  };
};

/** Whether an answer to an opening says that the server does not speak its era. */
const isOtherEra = ({code}: JsonObject, {isModern, client}: Opening): boolean =>
  isModern
    ? code !== BRIDGE_FAILED && code !== UNSUPPORTED_VERSION && !fallsBack(client)
    : code === UNSUPPORTED_VERSION;

/** What a message is the answer to; a subscription is answered by a notification (MCP 2026-07-28, subscriptions). */
const keyOf = ({id, method, params}: JsonObject): string => {
  if (method === undefined) return `answer ${JSON.stringify(id)}`;
  const meta = method === ACKNOWLEDGED && isObject(params) ? params._meta : undefined;
  return isObject(meta) ? `subscription ${JSON.stringify(meta[SUBSCRIPTION_ID])}` : '';
};

const answerKeyOf = ({id, method}: JsonObject): string =>
  `${method === 'subscriptions/listen' ? 'subscription' : 'answer'} ${JSON.stringify(id)}`;

const readObject = (message: Buffer): JsonObject => {
  try {
    const value = parseJson(message.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const reason = (error: unknown) => cleanText(error instanceof Error ? error.message : String(error));
