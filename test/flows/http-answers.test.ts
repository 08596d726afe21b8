import {describe, expect, test} from 'vitest';
import {isSuccess, readJson, reasonIn, statusError, textAt} from '../../src/flows/http-answers.ts';
import type {HttpReply} from '../../src/ports/ports.ts';

const shown = 'http://api.acme.localhost:8080/version';
const url = new URL(shown);

const reply = (body: string, type?: string, status = 200): HttpReply => ({
  status,
  body,
  header: name => (name === 'content-type' ? type : undefined),
  ms: 1,
});

describe('an answer in JSON', () => {
  test('is an object', () => {
    expect(readJson(reply('{"version": "1.2.0"}'), url)).toEqual({version: '1.2.0'});
  });

  test.each([
    ['a web page of a network', reply('<html>', 'text/html'), 'network-portal', 'returned a web page'],
    [
      'a web page of the server',
      reply('<html>', 'text/html', 500),
      'platform-not-json',
      'returned a web page instead of JSON.',
    ],
    ['JSON that is cut off', reply('{"a"', 'application/json'), 'platform-invalid-answer', 'is cut off or malformed.'],
    ['text', reply('OK', 'text/plain'), 'platform-not-json', 'returned text instead of JSON.'],
    ['text of no type', reply(''), 'platform-not-json', 'returned text instead of JSON.'],
    ['a list', reply('[]'), 'platform-invalid-answer', 'JSON that is not an object.'],
    ['null', reply('null'), 'platform-invalid-answer', 'JSON that is not an object.'],
    ['a number', reply('7'), 'platform-invalid-answer', 'JSON that is not an object.'],
  ])('is not %s, which is said with the address', (_what, answer, code, words) => {
    const message = expect.stringMatching(new RegExp(`^${shown}.*${words}`));
    expect(() => readJson(answer, url)).toThrow(
      expect.objectContaining({code, message, about: expect.objectContaining({url: shown})}),
    );
  });

  test('has a text where there is one that says something', () => {
    const object = {name: 'cart', empty: '', count: 3};
    expect(['name', 'empty', 'count', 'none'].map(key => textAt(object, key))).toEqual([
      ...['cart', undefined, undefined, undefined],
    ]);
  });
});

describe('the reason of a refusal', () => {
  test.each([
    [{error: 'invalid_grant', error_description: 'It has ended.'}, 'invalid_grant: It has ended.'],
    [{error: 'invalid_grant'}, 'invalid_grant'],
    [{code: 'NOT_FOUND', message: 'No such project'}, 'NOT_FOUND: No such project'],
    [{code: 'SSE-1', description: 'Not yours'}, 'SSE-1: Not yours'],
    [{message: {key: 'error.x', defaultValue: 'In English'}}, 'In English'],
    [{code: 5, message: null, description: {defaultValue: 5}}, ''],
    ['a text', ''],
    [null, ''],
  ])('is read from %j', (body, reason) => {
    expect(reasonIn(reply(JSON.stringify(body), 'application/json'))).toBe(reason);
  });

  test('is a plain text as it stands, and nothing else that is no JSON', () => {
    expect(reasonIn(reply('no\tway\n', 'text/plain; charset=utf-8'))).toBe('no way');
    expect(reasonIn(reply('<b>no</b>', 'text/html'))).toBe('');
    expect(reasonIn(reply('no'))).toBe('');
  });
});

describe('a status', () => {
  test.each([
    [400, 'platform-rejected'],
    [401, 'auth-token-refused'],
    [403, 'auth-permission-missing'],
    [404, 'platform-no-such-endpoint'],
    [405, 'platform-no-such-endpoint'],
    [409, 'platform-rejected'],
    [421, 'platform-no-such-endpoint'],
    [499, 'platform-rejected'],
    [500, 'platform-error'],
    [503, 'platform-unhealthy'],
    [504, 'platform-error'],
  ])('%i is told with the reason and the address', (status, code) => {
    expect(statusError(reply('no', 'text/plain', status), url)).toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^${shown} answered ${status} \\(no\\)\\.$`)),
      about: {url: shown},
    });
    expect(statusError(reply('', undefined, status), url).message).toMatch(new RegExp(` answered ${status}\\.$`));
  });

  test('of a server that gets too many requests says so, and when to come again', () => {
    const busy = {
      ...reply('slow down', 'text/plain', 429),
      header: (name: string) => (name === 'retry-after' ? '7' : undefined),
    };
    expect(statusError(busy, url)).toMatchObject({
      code: 'platform-busy',
      message: expect.stringContaining('too many requests (429'),
      remedy: 'Wait 7 s, as the server asks. Then try again.',
      about: {url: shown, retryAfter: 7_000},
    });
  });

  test('of a page of the network is that network’s', () => {
    expect(statusError(reply('<html>', 'text/html', 403), url).code).toBe('network-portal');
  });

  test('of a server that does not take a host name is no permission that is missing', () => {
    const refused = statusError(reply('invalid Host header', 'text/plain', 403), url);
    expect(refused).toMatchObject({code: 'platform-rejected', remedy: expect.stringContaining('this host name')});
  });

  test('is a success from 200 to 299', () => {
    expect([199, 200, 299, 300].map(status => isSuccess(reply('', undefined, status)))).toEqual([
      ...[false, true, true, false],
    ]);
  });
});
