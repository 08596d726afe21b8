import {type WordedError, wordedError} from '../../errors/errors.ts';
import {failureKey} from '../../mcp/client.ts';
import {
  emptyListAnswer,
  errorAnswer,
  type IdText,
  isObject,
  type JsonObject,
  METHOD_NOT_FOUND,
  type Message,
  modernListing,
  resultAnswer,
  sealed,
  versionOf,
} from '../../mcp/message.ts';
import {isSignInOver} from './sign-in-over.ts';
import {SIGN_IN} from './tool-name.ts';

/** The protocol versions with a handshake, the newest first. This program can begin a session itself in any of them. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const signInTool = {
  name: SIGN_IN,
  title: 'Sign in to the platform',
  description:
    'Signs the user in to the platform, or says what else makes its tools unavailable. Takes no arguments. It returns an ' +
    'address to open in a browser: show the user the complete address. The platform’s tools appear by themselves once ' +
    'the user has signed in. Call it again to check the sign-in.',
  inputSchema: {type: 'object', properties: {}, additionalProperties: false},
  annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true},
} as const;

export type Product = {readonly name: string; readonly version: string};

/** Returns the result of a handshake that no server has answered (MCP 2025-11-25, lifecycle, initialization). */
export const initializeResult = ({params}: Message, failure: WordedError, who: Who): object => {
  const wanted = params?.protocolVersion;
  const {_meta, ...result} = described(failure, who);
  return {
    protocolVersion: versions.find(one => one === wanted) ?? versions[0],
    ...result,
    serverInfo: who.product,
    _meta,
  };
};

/** The revisions without a handshake in which this program can answer. */
export const modernVersions = ['2026-07-28'] as const;

/** Returns the result of a `server/discover` that no server has answered (MCP 2026-07-28, server/discover). */
export const discoverResult = (failure: WordedError, who: Who): object => {
  const {_meta, ...result} = described(failure, who);
  return {
    supportedVersions: modernVersions,
    ...result,
    ...modernListing,
    _meta: {..._meta, 'io.modelcontextprotocol/serverInfo': who.product},
  };
};

const SIGNS_IN = `The tool ${SIGN_IN} signs the user in.`;

type Who = {readonly product: Product; readonly seal?: string | undefined};

const described = (failure: WordedError, {seal}: Who) => ({
  // A client only asks for lists that were promised, and begins only once. So all lists are promised, and may be
  // empty.
  capabilities: {tools: {listChanged: true}, prompts: {listChanged: true}, resources: {listChanged: true}},
  instructions:
    `The platform’s tools are not available yet. ${sentences(failure)} ` +
    `They appear by themselves once that is fixed; nothing has to be restarted. ` +
    (canSignIn(failure) ? SIGNS_IN : `Call the tool ${SIGN_IN} to check whether it is fixed.`),
  // For this program's checks: an answer of the bridge does not mean that the platform works.
  _meta: {[failureKey]: {code: failure.code, message: sentences(failure), ...sealed(failure, seal)}},
});

/** Returns the list of tools instead of the server's, in the era of the message that requests it. */
export const toolsResult = (message: Message): object => ({
  tools: [signInTool],
  ...(versionOf(message) === undefined ? {} : modernListing),
});

/** Returns the result of a tool, in the era of the message that calls it. */
export const textResult = (message: Message, text: string, isError: boolean): object => ({
  content: [{type: 'text', text}],
  isError,
  ...(versionOf(message) === undefined ? {} : {resultType: 'complete'}),
});

/**
 * Answers a request of an assistant that only the local server has greeted. A list that was promised has the tool that
 * signs in, or is empty; `ping` succeeds, the call of a tool fails with the reason, and any other method is unknown
 * (JSON-RPC 2.0 5.1).
 */
export const awayAnswer = (id: IdText, method: string, message: Message, failure: WordedError): Buffer => {
  if (method === 'ping') return resultAnswer(id, {});
  if (method === 'tools/list') return resultAnswer(id, toolsResult(message));
  const empty = emptyListAnswer({id, method}, versionOf(message) !== undefined);
  if (empty) return empty;
  if (method === 'tools/call') {
    return resultAnswer(id, textResult(message, sentences(namingTool(failure)), true));
  }
  return errorAnswer(id, {
    code: METHOD_NOT_FOUND,
    message: `The server cannot be reached, so ${method} is not available. ${sentences(failure)}`,
  });
};

/** Returns the failure with a remedy that also names the tool that signs in, if a sign-in would help. */
export const namingTool = (failure: WordedError): WordedError => {
  if (!canSignIn(failure)) return failure;
  const {code, message, cause, about, remedy} = failure;
  return wordedError(code, message, {cause, about, remedy: `${remedy} ${SIGNS_IN}`.trim()});
};

/** Whether the tool can help. It can sign in a person, but not a client, because a client needs its secret. */
const canSignIn = (failure: WordedError): boolean => isSignInOver(failure) && failure.about.isByClient === undefined;

/** Joins the message and the remedy of a failure. */
export const sentences = ({message, remedy}: WordedError): string => `${message} ${remedy}`.trim();

/** The key of the question in a result that asks the client for input (stateless era). */
export const QUESTION = 'sign-in';

/** An address that the person is asked to open. Afterwards the client makes the same call again with `state`. */
export type SignInQuestion = {readonly url: string; readonly question: string; readonly state: string};

/**
 * Returns a result that asks the person to open an address (MCP 2026-07-28, multi round-trip requests; elicitation, URL
 * mode).
 */
export const askingResult = ({url, question, state}: SignInQuestion): object => ({
  resultType: 'input_required',
  inputRequests: {[QUESTION]: {method: 'elicitation/create', params: {mode: 'url', message: question, url}}},
  requestState: state,
});

/** Whether the client of a call in the stateless era can ask its person to open an address. */
export const canBeAsked = ({params}: Message): boolean => {
  const capabilities = memberOf(memberOf(params, '_meta'), 'io.modelcontextprotocol/clientCapabilities');
  return memberOf(memberOf(capabilities, 'elicitation'), 'url') !== undefined;
};

/** Whether the assistant can ask its person to open an address (MCP 2025-11-25, elicitation, capabilities). */
export const canBeSentTo = (initialize: Buffer | undefined): boolean => {
  const message: unknown = initialize && JSON.parse(initialize.toString('utf8'));
  const capabilities = memberOf(memberOf(message, 'params'), 'capabilities');
  return memberOf(memberOf(capabilities, 'elicitation'), 'url') !== undefined;
};

const memberOf = (value: unknown, key: string): JsonObject | undefined => {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : undefined;
};
