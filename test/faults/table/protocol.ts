import {IncomingMessage} from 'node:http';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {answers, changed, json} from '../support/answers.ts';
import type {Ending, Fault} from '../support/fault.ts';

type Rpc = {readonly id?: unknown; readonly method?: string};

/** Answers requests of some methods instead of the server. The handshake and other requests pass through. */
const instead =
  (wanted: RegExp, answer: (message: Rpc) => Wrap): Wrap =>
  handler =>
  async (request, response) => {
    if (request.method !== 'POST' || request.headers.authorization === undefined) return handler(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const message: Rpc = JSON.parse(body.toString());
    if (wanted.test(message.method ?? '')) return answer(message)(handler)(request, response);
    return handler(readAgain(request, body), response);
  };

/** Returns a request whose body was read already, for the next handler. */
const readAgain = (request: IncomingMessage, body: Buffer): IncomingMessage => {
  const again = new IncomingMessage(request.socket);
  const {method = '', url = '', rawHeaders} = request;
  // A complete request does not destroy its connection when it ends.
  Object.assign(again, {method, url, rawHeaders, complete: true});
  again.headers = request.headers;
  again.push(body);
  again.push(null);
  return again;
};

const rpc =
  (more: object): ((message: Rpc) => Wrap) =>
  ({id}) =>
    json({jsonrpc: '2.0', id, ...more});
const result = (value: unknown) => rpc({result: value});
const error = (value: unknown) => rpc({error: value});
const events = (text: string) => () => answers(200, text, {'Content-Type': 'text/event-stream'});
const never = /^$/;

/**
 * Answers to the request for the list of tools, with a name, the code of the failure, and the end of `mcp serve`,
 * which passes the answer on.
 */
const lists: readonly (readonly [name: string, answer: (message: Rpc) => Wrap, Ending, served: Ending])[] = [
  ['an error', error({code: -32_603, message: 'Internal error'}), 'platform-mcp-failed', 'server-error'],
  ['an error whose code is absurd', error({code: 9e99, message: 'x'}), 'platform-mcp-failed', 'server-error'],
  [
    'an error that calls itself cancelled',
    error({code: 1, message: 'x', data: {code: 'cancelled'}}),
    'platform-mcp-failed',
    'server-error',
  ],
  [
    'an error that calls itself a bug',
    error({code: 1, message: 'x', data: {code: 'bug'}}),
    'platform-mcp-failed',
    'server-error',
  ],
  [
    'an error that speaks as our bridge',
    error({code: -32_010, message: 'x', data: {code: 'input-usage'}}),
    'platform-mcp-failed',
    'server-error',
  ],
  ['an error that is null', error(null), 'platform-mcp-failed', 'server-error'],
  ['an error without a message', error({code: -1}), 'platform-mcp-failed', 'server-error'],
  ['a result that is a number', result(5), 'platform-mcp-failed', 'ok'],
  ['no tools', result({}), 'platform-mcp-failed', 'ok'],
  ['tools that are a text', result({tools: 'all'}), 'platform-mcp-failed', 'ok'],
  ['a tool without a name', result({tools: [{inputSchema: {}}]}), 'platform-mcp-failed', 'ok'],
  ['a tool without a schema', result({tools: [{name: 'a'}]}), 'platform-mcp-failed', 'ok'],
  ['a tool that is null', result({tools: [null]}), 'platform-mcp-failed', 'ok'],
  ['events that are garbage', events('data: {{{\n\n'), 'platform-mcp-failed', 'platform-mcp-failed'],
  ['events that break off', events('data: {"jsonrpc":"2.0","id":'), 'platform-mcp-failed', 'platform-mcp-failed'],
  [
    'events of other things',
    events('event: ping\ndata: {}\n\n: hello\n\n'),
    'platform-mcp-failed',
    'platform-mcp-failed',
  ],
  ['no events', events(''), 'platform-mcp-failed', 'platform-mcp-failed'],
  [
    'the answer to another request',
    () => json({jsonrpc: '2.0', id: 4711, result: {tools: []}}),
    'platform-mcp-failed',
    'platform-mcp-failed',
  ],
];

export const protocol: readonly Fault[] = [
  ...lists.map(
    ([name, answer, means, served]): Fault => ({
      ...{name: `mcp: a list that is ${name}`, at: 'mcp', means, but: {'mcp serve': served}},
      answers: instead(/^tools\/list$/, answer),
    }),
  ),
  {
    name: 'mcp: a handshake that speaks as our bridge',
    at: 'mcp',
    means: 'platform-mcp-failed',
    but: {'mcp serve': 'server-error'},
    answers: instead(/^initialize$/, result({_meta: {'platform-setup/failure': {code: 'bug', message: 'x'}}})),
  },
  {
    name: 'mcp: a handshake without a version',
    at: 'mcp',
    means: 'platform-mcp-failed',
    but: {'mcp serve': 'server-error'},
    answers: instead(/^initialize$/, result({capabilities: {}, serverInfo: {name: 'x', version: '1'}})),
  },
  {
    name: 'mcp: a session that is forgotten at once',
    at: 'mcp',
    means: 'platform-mcp-failed',
    but: {'mcp serve': 'server-error'},
    answers: instead(/^tools\/list$/, () =>
      json({jsonrpc: '2.0', id: null, error: {code: -32_001, message: 'Session not found'}}, 404),
    ),
  },
  {
    name: 'mcp: every word in upper case',
    at: 'mcp',
    means: 'platform-mcp-failed',
    answers: changed(({headers, ...rest}) => ({...rest, headers: {...headers, 'content-type': 'TEXT/WHATEVER'}})),
  },
  {name: 'mcp: nothing wrong', at: 'mcp', means: 'ok', answers: instead(never, () => handler => handler)},
];
