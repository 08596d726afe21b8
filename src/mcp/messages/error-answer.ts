import type {SetupError} from '../../errors/errors.ts';
import type {IdText, Malformed} from './message.ts';

/**
 * From the range that JSON-RPC leaves to implementations (5.1), and there from what neither MCP nor its SDKs use: they
 * have -32000 to -32004 for closed connections, times that are up, sessions and resources that are unknown, and from
 * -32020 on what the protocol itself defines. What failed is in `data.code`.
 */
export const BRIDGE_FAILED = -32_010;
export const METHOD_NOT_FOUND = -32_601;

/**
 * One JSON-RPC error for one request: what happened, to which address, and what to do.
 *
 * @param seal what a check of ours has started the bridge with, and no server knows: by it an error of the bridge is told
 *   from one that a server has made up
 */
export const failureAnswer = (id: IdText, {message, remedy, code}: SetupError, seal?: string): Buffer =>
  answer(id, {code: BRIDGE_FAILED, message: `${message} ${remedy}`, data: {code, ...sealed(seal)}});

/** The seal as a member of what is told with it. */
export const sealed = (seal: string | undefined): {readonly seal?: string} => (seal === undefined ? {} : {seal});

/** A server's own error, given to the request that it belongs to. */
export const errorAnswer = (id: IdText, error: object): Buffer => answer(id, error);

/** What an assistant takes for a server of the earlier era, and then begins anew by its handshake. */
export const unknownMethodAnswer = (id: IdText, method: string): Buffer =>
  answer(id, {code: METHOD_NOT_FOUND, message: `The server does not know ${method}.`});

/** One for each that is owed one. */
export const malformedAnswers = ({code, reason, ids}: Malformed): readonly Buffer[] =>
  ids.map(id => answer(id, {code, message: reason}));

const answer = (id: IdText, error: object): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);

/** One answer to one request. */
export const resultAnswer = (id: IdText, result: object): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);

/** One notification. */
export const notification = (method: string, params?: object): Buffer =>
  Buffer.from(JSON.stringify({jsonrpc: '2.0', method, ...(params ? {params} : {})}));
