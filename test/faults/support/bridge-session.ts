import {failureKey} from '../../../src/mcp/client.ts';
import {BRIDGE_FAILED} from '../../../src/mcp/message.ts';
import type {Running, Said} from './run-line.ts';

type Answer = {
  readonly id?: number;
  readonly result?: Result;
  readonly error?: null | {code?: unknown; data?: {code?: unknown; seal?: unknown}};
};
type Result = {readonly _meta?: Record<string, {code?: unknown; seal?: unknown}>; readonly tools?: readonly unknown[]};

/** The secret with which a check starts the bridge. No server knows it. */
export const seal = 'seal-of-a-check';

/**
 * Talks to a bridge as an assistant does: a handshake, then requests for everything that it offers. Returns the
 * result in the form of other commands, with the code of the failure on the last line.
 */
export const bridgeSession = async ({stdin, line, ended}: Running): Promise<Said> => {
  const ask = async (id: number, method: string, params: object): Promise<Answer> => {
    stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
    const found = await line(text => {
      const message: Answer = JSON.parse(text);
      return message.id === id && ('result' in message || 'error' in message) ? message : undefined;
    });
    return found ?? {error: {code: 'ended'}};
  };
  const hello = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'test', version: '1'}};
  let answer = await ask(1, 'initialize', hello);
  if (failureOf(answer) === undefined) {
    stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    answer = await ask(2, 'tools/list', {});
  }
  stdin.end();
  const said = await ended;
  const code = failureOf(answer);
  return code === undefined ? said : {...said, stdout: `${said.stdout}${JSON.stringify({type: 'failed', code})}\n`};
};

/** Returns the failure that our own bridge reports, or that the server sent an error of its own. */
const failureOf = ({result, error}: Answer): unknown => {
  const told =
    error === undefined ? result?._meta?.[failureKey] : error?.code === BRIDGE_FAILED ? error.data : undefined;
  if (told?.seal === seal) return told.code;
  return error === undefined ? undefined : 'server-error';
};
