/** A JSON-RPC id as JSON text, so that 1 and "1" stay two. */
export type IdText = string;

/** A request that waits for an answer. */
export type Question = {readonly id: IdText; readonly method: string};

/** What an assistant sent: the bytes, which go on as they are, and as much as is needed to send them to the right place. */
export type Message = {
  readonly raw: Buffer;
  /** The requests in it: one, none in a notification or an answer, several perhaps in a batch. */
  readonly questions: readonly Question[];
  /** Undefined in an answer and in a batch. */
  readonly method?: string;
  readonly params?: JsonObject;
};

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON-RPC 2.0 5.1: what is no JSON, and what is no message. */
export type Malformed = {readonly code: -32700 | -32600; readonly reason: string};

/** One line of standard input, without its end. */
export const parseMessage = (raw: Buffer): Message | Malformed => {
  let value: unknown;
  try {
    value = JSON.parse(raw.toString('utf8'));
  } catch {
    return {code: -32700, reason: 'Parse error: this line is not JSON.'};
  }
  if (Array.isArray(value)) {
    const questions = value.flatMap(questionsIn);
    return value.length > 0 && value.every(isMessage) ? {raw, questions} : notAMessage;
  }
  if (!isObject(value) || !isMessage(value)) return notAMessage;
  const {method, params} = value;
  return {
    raw,
    questions: questionsIn(value),
    ...(typeof method === 'string' ? {method} : {}),
    ...(isObject(params) ? {params} : {}),
  };
};

const notAMessage: Malformed = {code: -32600, reason: 'Invalid request: this line is not a JSON-RPC message.'};

const isMessage = (value: unknown): boolean =>
  isObject(value) && (typeof value.method === 'string' || 'result' in value || 'error' in value);

const questionsIn = (value: unknown): readonly Question[] => {
  if (!isObject(value) || typeof value.method !== 'string' || value.id === undefined || value.id === null) return [];
  return [{id: JSON.stringify(value.id), method: value.method}];
};

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The protocol version that a message of the stateless era (2026-07-28) names for itself; undefined in the earlier one. */
export const versionOf = ({params}: Message): string | undefined => {
  const meta = params?._meta;
  const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === 'string' ? version : undefined;
};

/** The request that a `notifications/cancelled` ends. */
export const cancelledId = ({method, params}: Message): IdText | undefined =>
  method === 'notifications/cancelled' && params?.requestId !== undefined
    ? JSON.stringify(params.requestId)
    : undefined;
