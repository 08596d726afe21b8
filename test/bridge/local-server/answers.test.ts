import {describe, expect, test} from 'vitest';
import {
  awayAnswer,
  canBeSentTo,
  initializeResult,
  sentences,
  textResult,
  toolsResult,
} from '../../../src/bridge/local-server/answers.ts';
import {isSignInOver} from '../../../src/bridge/local-server/sign-in-over.ts';
import {inWords} from '../../../src/errors/describe-error.ts';
import {errorCodes} from '../../../src/errors/error-table.ts';
import {SetupError, wordedError} from '../../../src/errors/errors.ts';
import {type Message, parseMessage} from '../../../src/mcp/message.ts';
import {modern} from '../support/bridge.ts';

const failure = wordedError('platform-error', 'It answered 503.', {remedy: 'Wait a moment.'});
const why = 'It answered 503. Wait a moment.';

const messageOf = (params: object = {}, method = 'tools/list') =>
  parseMessage(Buffer.from(JSON.stringify({jsonrpc: '2.0', id: 1, method, params}))) as Message;

describe('a handshake in the place of the server’s', () => {
  const product = {name: 'platform-setup', version: '1'};
  const begin = (protocolVersion?: string, seal?: string) =>
    initializeResult(messageOf({protocolVersion}, 'initialize'), failure, {product, seal});

  test('has tools, says why they are not there, and to checks of ours what failed', () => {
    expect(begin('2025-06-18')).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: {tools: {listChanged: true}, prompts: {listChanged: true}, resources: {listChanged: true}},
      serverInfo: product,
      instructions: expect.stringMatching(
        /not available yet\. It answered 503\. Wait a moment\. .* Call the tool sign_in to check/,
      ),
      _meta: {'platform-setup/failure': {code: 'platform-error', message: why}},
    });
    expect(begin('2025-06-18', 'its seal')).toMatchObject({
      _meta: {'platform-setup/failure': {code: 'platform-error', message: why, seal: 'its seal'}},
    });
  });

  test.each([
    ['auth-sign-in-required', 'The tool sign_in signs the user in.'],
    ['auth-audience-wrong', 'Call the tool sign_in to check whether it is fixed.'],
  ] as const)('says what sign_in does there: %s', (code, said) => {
    const {instructions} = initializeResult(messageOf({}, 'initialize'), inWords(new SetupError(code, 'No.')), {
      product,
    }) as {instructions: string};
    expect(instructions.endsWith(said)).toBe(true);
  });

  test('does not send to sign_in whoever signs in with a secret', () => {
    const ended = new SetupError('auth-sign-in-required', 'No.', {about: {isByClient: true}});
    const {instructions} = initializeResult(messageOf({}, 'initialize'), inWords(ended), {product}) as {
      instructions: string;
    };
    expect(instructions.endsWith('Call the tool sign_in to check whether it is fixed.')).toBe(true);
    const call = messageOf({name: 'list_projects'}, 'tools/call');
    const away = awayAnswer('1' as never, 'tools/call', call, inWords(ended)).toString();
    expect(away).not.toContain('sign_in');
  });

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('of version %s is of %s', (wanted, expected) => {
    expect(begin(wanted)).toMatchObject({protocolVersion: expected});
  });

  test('is one also for a client that says nothing of itself', () => {
    const bare = parseMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"initialize"}')) as Message;
    expect(initializeResult(bare, failure, {product})).toMatchObject({protocolVersion: '2025-11-25'});
  });
});

describe('an answer', () => {
  const tool = {
    name: 'sign_in',
    inputSchema: {type: 'object', properties: {}, additionalProperties: false},
    annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true},
  };

  test('is in the era of its message', () => {
    expect(toolsResult(messageOf())).toStrictEqual({tools: [expect.objectContaining(tool)]});
    expect(toolsResult(messageOf(modern()))).toStrictEqual({
      tools: [expect.objectContaining(tool)],
      ...{resultType: 'complete', ttlMs: 0, cacheScope: 'private'},
    });
    const said = {content: [{type: 'text', text: 'Hello.'}], isError: false};
    expect(textResult(messageOf(), 'Hello.', false)).toStrictEqual(said);
    expect(textResult(messageOf(modern()), 'Hello.', false)).toStrictEqual({...said, resultType: 'complete'});
  });

  test.each([
    ['ping', {result: {}}],
    ['tools/list', {result: {tools: [tool]}}],
    ['tools/call', {result: {content: [{type: 'text', text: why}], isError: true}}],
    [
      'prompts/get',
      {error: {code: -32601, message: `The server cannot be reached, so prompts/get is not available. ${why}`}},
    ],
  ])('to %s in a session that no server knows', (method, expected) => {
    const answer = JSON.parse(awayAnswer('7', method, messageOf({}, method), failure).toString('utf8'));
    expect(answer).toMatchObject({jsonrpc: '2.0', id: 7, ...expected});
  });

  test('to a call names the tool that signs in, where signing in helps', () => {
    const over = wordedError('auth-sign-in-required', 'You are signed out.', {remedy: 'Run `setup login`.'});
    const {result} = JSON.parse(awayAnswer('7', 'tools/call', messageOf({}, 'tools/call'), over).toString('utf8'));
    const text = 'You are signed out. Run `setup login`. The tool sign_in signs the user in.';
    expect(result).toMatchObject({isError: true, content: [{text}]});
  });

  test('says what happened, and what to do where there is something', () => {
    expect(sentences(failure)).toBe(why);
    expect(sentences(wordedError('platform-error', 'It is over.', {remedy: ''}))).toBe('It is over.');
  });
});

test.each<[string, unknown, boolean]>([
  ['can ask to open an address', {params: {capabilities: {elicitation: {url: {}}}}}, true],
  ['can ask for forms alone', {params: {capabilities: {elicitation: {form: {}}}}}, false],
  ['cannot ask', {params: {capabilities: {}}}, false],
  ['says something odd', {params: {capabilities: {elicitation: {url: true}}}}, false],
  ['says a list', {params: [{capabilities: {}}]}, false],
  ['says nothing of it', {}, false],
  ['says null', null, false],
])('a client that %s is sent to an address or not', (_what, initialize, expected) => {
  expect(canBeSentTo(Buffer.from(JSON.stringify(initialize)))).toBe(expected);
  expect(canBeSentTo(undefined)).toBe(false);
});

test('signing in helps where the sign-in is what failed', () => {
  const helped = errorCodes.filter(code => isSignInOver(new SetupError(code, 'It failed.')));
  const denied = ['auth-permission-missing', 'auth-scope-missing', 'auth-audience-wrong', 'auth-token-opaque'];
  const auth = errorCodes.filter(code => code.startsWith('auth-') && !denied.includes(code));
  expect(new Set(helped)).toEqual(new Set([...auth, 'local-credentials-invalid']));
  expect(auth).toContain('auth-token-refused');
});
