import {expect, test} from 'vitest';
import {healthText, requireHealth} from '../../src/flows/http-answers.ts';
import type {HttpReply} from '../../src/ports/ports.ts';

const url = new URL('http://observer.acme.example:11080/health');

const reply = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  ...{status, body, ms: 1, header: name => headers[name]},
});

test.each([
  ['control-plane', reply(200, 'OK')],
  ['control-plane', reply(200, '')],
  ['observer', reply(200, '{"status":"healthy"}')],
] as const)('%s: one that is well is let through (%#)', (service, answer) => {
  expect(() => requireHealth(service, answer, url)).not.toThrow();
});

const html = {'content-type': 'text/html'};
const page = '<!doctype html><html><body>Welcome</body></html>';

test.each([
  ['control-plane', 'is not well', reply(503, 'database is away'), 'platform-unhealthy', /database is away/],
  ['control-plane', 'is not well and says nothing', reply(503, ''), 'platform-unhealthy', /\(503\)\.$/],
  ['control-plane', 'asks for patience', reply(503, '', {'retry-after': '60'}), 'platform-busy', /too busy \(503\)/],
  ['control-plane', 'fails', reply(500, ''), 'platform-error', /500/],
  ['control-plane', 'lets nobody through', reply(401, ''), 'platform-error', /requires its own sign-in/],
  ['control-plane', 'is a web page', reply(200, page, html), 'network-portal', /observer\.acme\.example/],
  ['observer', 'says something else', reply(200, '{"name":"x"}'), 'platform-no-such-endpoint', /is not an observer/],
  ['observer', 'says it in plain text', reply(200, 'OK'), 'platform-not-json', /returned text/],
] as const)('%s: one that %s is refused by name', (service, _what, answer, code, message) => {
  const check = () => requireHealth(service, answer, url);
  expect(check).toThrow(expect.objectContaining({code, message: expect.stringMatching(message)}));
});

test('what is said of health is a few words', () => {
  expect(healthText(reply(200, 'a '.repeat(100)))).toHaveLength(60);
});
