import {describe, expect, test} from 'vitest';
import type {Access, AccessSource} from '../../src/bridge/access.ts';
import {createTokenChannel} from '../../src/bridge/token-channel.ts';
import {type ErrorCode, SetupError} from '../../src/errors/errors.ts';
import type {StreamRequest} from '../../src/ports/network/streams.ts';
import {noSignal} from '../support/flows.ts';

const url = new URL('https://api.acme.example.com/mcp');

type Answer = number | ErrorCode | Error;

/** A channel whose server gives these answers in turn; what it was asked, and what was said of the tokens. */
const answering = (...answers: readonly Answer[]) => {
  const [asked, said]: [StreamRequest[], string[]] = [[], []];
  const access: AccessSource = {
    current: () => ({url, token: 'first'}),
    instead: async ({token}: Access) => {
      said.push(`${token} was refused`);
      return {url, token: 'second'};
    },
    taken: ({token}) => void said.push(`${token} was taken`),
  };
  const open = async (request: StreamRequest) => {
    const answer = answers[asked.length] ?? 200;
    asked.push(request);
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'string') throw new SetupError(answer, 'It failed.');
    const body = (async function* () {})();
    return {status: answer, header: () => undefined, headerNames: () => [], body, endWithin: () => {}};
  };
  const channel = createTokenChannel(access, {prepare: () => {}, open});
  const call = (change: object = {}) =>
    channel.call(
      {method: 'POST', headers: {accept: 'application/json'}, repeatable: true, ...change} as never,
      noSignal,
    );
  return {call, asked, said, tokens: () => asked.map(({headers}) => headers.authorization)};
};

describe('a request', () => {
  test('carries the token that is good now, and what was to be sent besides', async () => {
    const {call, asked, said} = answering(200);
    expect(await call({from: url})).toMatchObject({status: 200, url});
    expect(asked).toStrictEqual([
      {method: 'POST', url, headers: {accept: 'application/json', authorization: 'Bearer first'}},
    ]);
    expect(said).toEqual(['first was taken']);
  });

  test('that belongs to another address is not sent to this one', async () => {
    const {call, asked} = answering();
    await expect(call({from: new URL('https://before.example.com/mcp')})).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});

describe('a token that is refused', () => {
  test('is renewed, and the request sent once more', async () => {
    const {call, tokens, said} = answering(401, 200);
    expect(await call()).toMatchObject({status: 200});
    expect(tokens()).toEqual(['Bearer first', 'Bearer second']);
    expect(said).toEqual(['first was refused', 'second was taken']);
  });

  test('is renewed once', async () => {
    const {call, tokens} = answering(401, 401);
    await expect(call()).rejects.toMatchObject({code: 'auth-token-refused', about: {url: url.href}});
    expect(tokens()).toHaveLength(2);
  });

  test('is one for which the server says so: another refusal is an answer', async () => {
    const {call, tokens} = answering(403);
    expect(await call()).toMatchObject({status: 403});
    expect(tokens()).toHaveLength(1);
  });
});

describe('a connection that is gone', () => {
  test.each(['network-reset', 'network-lost'] as const)('is made again for what may be repeated (%s)', async code => {
    const {call, tokens} = answering(code, 200);
    expect(await call()).toMatchObject({status: 200});
    expect(tokens()).toEqual(['Bearer first', 'Bearer first']);
  });

  test('is made again once, and not for what may have had its effect', async () => {
    const twice = answering('network-reset', 'network-reset');
    await expect(twice.call()).rejects.toMatchObject({code: 'network-reset'});
    expect(twice.asked).toHaveLength(2);
    const once = answering('network-reset');
    await expect(once.call({repeatable: false})).rejects.toMatchObject({code: 'network-reset'});
    expect(once.asked).toHaveLength(1);
  });

  test.each<Answer>(['network-refused', new TypeError('bug')])('is not what %s is about', async answer => {
    const {call, asked} = answering(answer);
    await expect(call()).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });
});
