import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {recorded} from '../../src/ports/recorded.ts';
import {createRecorder} from '../../src/ports/recorder.ts';
import {createRedactor} from '../../src/ports/redact.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl-_';

describe('redaction', () => {
  const redactor = createRedactor();
  redactor.learn('p&ss word/1');
  redactor.learn('quo"te\\d secret');

  test.each([
    ['a known secret', 'it is p&ss word/1 here', 'it is <secret> here'],
    ['one in a URL', 'x?p=p%26ss%20word%2F1', 'x?p=<secret>'],
    ['one in a form', 'p=p%26ss+word%2F1', 'p=<secret>'],
    ['one in JSON', JSON.stringify({a: 'quo"te\\d secret'}), '{"a":"<secret>"}'],
    ['a JWT that nobody told of', `token ${jwt}.`, 'token <token>.'],
    ['an opaque bearer token', 'Authorization: Bearer abc.def-123', 'Authorization: Bearer <token>'],
    ['the code of a sign-in', 'http://127.0.0.1/cb?code=abc&state=xyz', 'http://127.0.0.1/cb?code=<once>&state=<once>'],
    ['a challenge, which is none', 'Bearer resource_metadata="http://x"', 'Bearer resource_metadata="http://x"'],
    ['a sentence without any', 'the bearer of news', 'the bearer of news'],
  ])('%s', (_name, text, shown) => {
    expect(redactor.redact(text)).toBe(shown);
    expect(redactor.holdsSecret(text)).toBe(text !== shown);
  });

  test('a secret that is a part of another leaves no end of it', () => {
    const both = createRedactor();
    both.learn('secret-1');
    both.learn('secret-1-and-more');
    expect(both.redact('secret-1-and-more secret-1')).toBe('<secret> <secret>');
  });

  test('a word too short to be a secret takes nothing else away', () => {
    const short = createRedactor();
    short.learn('a');
    short.learn(undefined);
    expect(short.redact('a banana')).toBe('a banana');
  });
});

onUnix('a record is one JSON object a line, for its owner only, with errors in full and secrets replaced', async () => {
  const path = join(await temporaryDirectory(), 'records', 'one.jsonl');
  const {record, redactor} = createRecorder(path);
  redactor.learn('hunter2-hunter2');
  record('started', {words: ['login']});
  record('failed', {error: new Error('no hunter2-hunter2', {cause: new TypeError(jwt)})});
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line))).toEqual([
    {since: expect.any(Number), what: 'started', words: ['login']},
    {
      since: expect.any(Number),
      what: 'failed',
      error: {
        name: 'Error',
        message: 'no <secret>',
        stack: expect.stringContaining('recorder.test'),
        cause: {name: 'TypeError', message: '<token>', stack: expect.any(String)},
      },
    },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a record masks every secret of a sign-in that was stored or read', async () => {
  const home = await temporaryDirectory();
  const path = join(home, 'records', 'one.jsonl');
  const recorder = createRecorder(path);
  const ports = recorded(portsIn(home), recorder);
  const key = {issuer: 'https://idp.example', clientId: 'acme'};
  const secrets = {clientSecret: 'secret-of-acme', refreshToken: 'refresh-of-acme', createdSecret: 'created-for-acme'};
  await ports.credentials.replace(key, {...key, ...secrets});
  recorder.record('said', {text: Object.values(secrets).join(' ')});
  expect(readFileSync(path, 'utf8')).toContain('<secret> <secret> <secret>');
});

test('a record that cannot be kept is no reason to fail', async () => {
  const file = join(await temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(() => createRecorder(join(file, 'records', 'one.jsonl')).record('started')).not.toThrow();
});
