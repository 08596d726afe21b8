import type {WordedError} from '../errors/errors.ts';
import {parseJson} from '../json.ts';

/** A JSON-RPC ID as JSON text, so that 1 and "1" remain different. */
export type IdText = string;

export type Question = {readonly id: IdText; readonly method: string};

/** A message of an assistant: its bytes, which are passed on unchanged, and the parts that are needed to send it. */
export type Message = {
  readonly raw: Buffer;
  /** The requests in it: one, none in a notification or an answer, possibly several in a batch. */
  readonly questions: readonly Question[];
  /** Undefined in an answer and in a batch. */
  readonly method?: string | undefined;
  /** Also absent in a large message of the eras with sessions. */
  readonly params?: JsonObject;
  /** The malformed members of a batch. They are answered here, and the batch is sent without them. */
  readonly malformed?: Malformed;
};

export type MessageHead = Pick<Message, 'method' | 'questions'>;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Input that is not JSON, or not a message (JSON-RPC 2.0 5.1). Each of `ids` gets an error; an unknown ID is `null`.
 */
export type Malformed = {readonly code: -32700 | -32600; readonly message: string; readonly ids: readonly IdText[]};

/**
 * The size from which a message of the era with sessions is kept without its parsed parameters, in bytes: they take
 * several times the memory of their text, and only the stateless era repeats them in headers.
 */
const LARGE = 64 * 1024;

/** Parses one line of standard input, without its line end. Malformed members of a batch are removed from its bytes. */
export const parseMessage = (raw: Buffer): Message | Malformed => {
  let value: unknown;
  try {
    value = JSON.parse(raw.toString('utf8'));
  } catch {
    return {code: -32700, message: 'Parse error: this line is not JSON.', ids: ['null']};
  }
  if (Array.isArray(value)) return parseBatch(raw, value);
  const fault = faultOf(value);
  if (fault !== undefined || !isObject(value)) return notAMessage(fault, [value]);
  const {method, params} = value;
  const isModern = isObject(params) && isObject(params._meta) && VERSION_KEY in params._meta;
  return {
    ...{raw, questions: questionsIn(value)},
    ...(typeof method === 'string' ? {method} : {}),
    ...(isObject(params) && (isModern || raw.length < LARGE) ? {params} : {}),
  };
};

const parseBatch = (raw: Buffer, members: readonly unknown[]): Message | Malformed => {
  if (members.length === 0) return notAMessage('this batch is empty', [undefined]);
  const good = members.filter(one => faultOf(one) === undefined);
  const questions = good.flatMap(questionsIn);
  if (good.length === members.length) return {raw, questions};
  const bad = members.filter(one => faultOf(one) !== undefined);
  const malformed = notAMessage('a member of this batch is not a JSON-RPC message', bad);
  return good.length === 0 ? malformed : {raw: Buffer.from(JSON.stringify(good)), questions, malformed};
};

const notAMessage = (fault: string | undefined, values: readonly unknown[]): Malformed => ({
  code: -32600,
  message: `Invalid request: ${fault}.`,
  ids: values.map(value => (isObject(value) && isId(value.id) ? JSON.stringify(value.id) : 'null')),
});

/** Returns why a value is not a message, as half a sentence; undefined for a message. */
const faultOf = (value: unknown): string | undefined => {
  if (!isObject(value)) return 'this line is not a JSON-RPC message';
  const {jsonrpc = '2.0', id, method, params} = value;
  if (jsonrpc !== '2.0') return 'its jsonrpc is not 2.0';
  if (method === undefined) return 'result' in value || 'error' in value ? undefined : 'it has no method';
  if (typeof method !== 'string') return 'its method is not a string';
  // A notification has no ID at all (MCP 2025-11-25, requests).
  if ('id' in value && !isId(id)) return 'its id is neither a string nor a number';
  return 'params' in value && !isObject(params) ? 'its params are not an object' : undefined;
};

const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const questionsIn = (value: unknown): readonly Question[] => {
  if (!isObject(value) || typeof value.method !== 'string' || value.id === undefined) return [];
  return [{id: JSON.stringify(value.id), method: value.method}];
};

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Returns the protocol version that a message of the stateless era (2026-07-28) names; undefined in the earlier eras.
 */
export const versionOf = ({params}: Pick<Message, 'params'>): string | undefined => {
  const meta = params?._meta;
  const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === 'string' ? version : undefined;
};

/** Returns the ID of the request that a `notifications/cancelled` ends. */
export const cancelledId = ({method, params}: Message): IdText | undefined =>
  method === 'notifications/cancelled' && params?.requestId !== undefined
    ? JSON.stringify(params.requestId)
    : undefined;

/**
 * From the range that JSON-RPC leaves to implementations (5.1), of which MCP and its SDKs use -32000 to -32004, and
 * everything from -32020 on. The code of the failure is in `data.code`.
 */
export const BRIDGE_FAILED = -32_010;
export const METHOD_NOT_FOUND = -32_601;
/** The server does not speak the version of a request, and possibly not its era (MCP 2026-07-28, versioning). */
export const UNSUPPORTED_VERSION = -32_022;

/** Parses a message; an empty object if it is not one. */
export const readObject = (message: Buffer | string): JsonObject => {
  try {
    const value: unknown = parseJson(message.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** The first revision without a handshake. */
const STATELESS = '2026-07-28';

/**
 * Whether a server names the versions that it speaks, and all of them have a handshake. It names them in the answer to
 * `server/discover`, or in the error for a version that it does not speak.
 */
export const namesLegacyAlone = ({error, result}: JsonObject): boolean => {
  const refused = isObject(error) && error.code === UNSUPPORTED_VERSION && isObject(error.data) ? error.data : {};
  const supported = isObject(result) ? result.supportedVersions : refused.supported;
  return Array.isArray(supported) && supported.length > 0 && supported.every(one => String(one) < STATELESS);
};

/** The headers of a call do not match its body (MCP 2026-07-28, Streamable HTTP, server validation). */
export const HEADER_MISMATCH = -32_020;
/** The parameters of a request are wrong (JSON-RPC 2.0 5.1). */
export const INVALID_PARAMS = -32_602;

/**
 * Builds a JSON-RPC error for one request: what happened, at which address, and what to do.
 *
 * @param seal the text with which a check has started the bridge, and which no server knows
 */
export const failureAnswer = (id: IdText, failure: WordedError, seal?: string): Buffer =>
  errorAnswer(id, {
    code: BRIDGE_FAILED,
    message: `${failure.message} ${failure.remedy}`,
    data: {code: failure.code, ...sealed(failure, seal)},
  });

/** Returns the members for a check that has started the bridge: its seal, and the failure in parts. Else none. */
export const sealed = ({message, remedy}: WordedError, seal: string | undefined): JsonObject =>
  seal === undefined ? {} : {seal, reason: message, remedy};

/** Builds a JSON-RPC error for the request that it belongs to. `error` may come from a server. */
export const errorAnswer = (id: IdText, error: object): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);

/** Builds an answer that makes an assistant take the server for one of an earlier era, and start with a handshake. */
export const unknownMethodAnswer = (id: IdText, method: string): Buffer =>
  errorAnswer(id, {code: METHOD_NOT_FOUND, message: `The server does not know ${method}.`});

/** More pages than any list has, so that reading ends at a server that always names a next page. */
export const MOST_PAGES = 100;

/**
 * The lists that the local server promises besides the tools, by the method that requests them (MCP 2025-11-25,
 * prompts, resources).
 */
const lists: Readonly<Record<string, string>> = {
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** Answers a request for one of `lists` with an empty list. Returns undefined for any other request. */
export const emptyListAnswer = ({id, method}: Question, isModern = false): Buffer | undefined => {
  const list = Object.hasOwn(lists, method) ? lists[method] : undefined;
  return list === undefined ? undefined : resultAnswer(id, {[list]: [], ...(isModern ? modernListing : {})});
};

/** Members that a list has in the stateless era only: it is complete, and must not be cached. */
export const modernListing = {resultType: 'complete', ttlMs: 0, cacheScope: 'private'} as const;

export const resultAnswer = (id: IdText, result: object): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);

export const notification = (method: string, params?: object): Buffer =>
  Buffer.from(JSON.stringify({jsonrpc: '2.0', method, params}));

/**
 * Returns the members of a batch as separate messages, for a client that did not send a batch: MCP has had none since
 * 2025-06-18, and a client with one request does not expect an array. Undefined for everything else, including an empty
 * batch.
 */
export const membersOf = (bytes: Buffer): readonly Buffer[] | undefined => {
  if (!/^\s*\[/.test(bytes.toString('latin1', 0, 64))) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const isBatch = Array.isArray(value) && value.length > 0;
    return isBatch ? value.map(one => Buffer.from(JSON.stringify(one))) : undefined;
  } catch {
    return undefined;
  }
};

type ServerMessage = {readonly answers: readonly IdText[]};

/**
 * Returns the IDs of the requests that a server's message answers: an empty list if it is not an answer, the ID `null`
 * if it does not name its request. Returns undefined if it is neither a JSON-RPC message nor a batch of such messages.
 */
export const inspect = (bytes: Buffer): ServerMessage | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const found = [value].flat().map(answersIn);
    const answers = found.flatMap(one => one ?? []);
    return found.length === 0 || found.includes(undefined) ? undefined : {answers};
  } catch {
    return undefined;
  }
};

const answersIn = (value: unknown): readonly IdText[] | undefined => {
  if (!isObject(value)) return undefined;
  if ('method' in value) return [];
  return 'result' in value || 'error' in value ? [JSON.stringify(value.id ?? null)] : undefined;
};
