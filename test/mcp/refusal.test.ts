import {describe, expect, test} from 'vitest';
import {challengeIn, refusalError, refusedTokenText} from '../../src/mcp/refusal.ts';

const url = new URL('http://api.acme.localhost:8080/mcp');
const refused = (status: number, text: string, type = 'application/json', headers: Record<string, string> = {}) =>
  refusalError({status, type, text, header: name => headers[name]}, url);

describe('what a refusal of an MCP server means', () => {
  test('a permission that is missing is told in the server’s words', () => {
    const error = refused(403, '{"code":"FORBIDDEN","error":"You do not have permission to perform this operation"}');
    expect(error).toMatchObject({
      code: 'auth-permission-missing',
      message: expect.stringContaining('You do not have permission to perform this operation'),
    });
  });

  test('a permission that is missing names the scope that the server asks for, made safe to show', () => {
    const challenge =
      'Bearer realm="x", error="insufficient_scope", scope="deploy:write\u001b[31m read", error_description=Denied';
    expect(refused(403, '', 'text/plain', {'www-authenticate': challenge}).message).toBe(
      `${url.href} answered 403. The server says: Denied. It requires the scope: deploy:write [31m read.`,
    );
  });

  test.each([
    ['Bearer scope="openid profile"', ''],
    ['Bearer error="invalid_token", error_description="Revoked", scope="openid"', ' The server says: Revoked.'],
    ['Bearer error="insufficient_scope", scope="deploy"', ' It requires the scope: deploy.'],
  ])('a token that is refused lacks no scope, unless the server says so: %s', (challenge, said) => {
    expect(refusedTokenText(challengeIn(challenge))).toBe(said);
  });

  test('a host name that the server does not take is no permission', () => {
    const error = refused(403, 'Forbidden: invalid Host header "api.acme.localhost"', 'text/plain');
    expect(error).toMatchObject({
      code: 'platform-rejected',
      message: expect.stringContaining('invalid Host header'),
      remedy: expect.stringContaining('host name'),
    });
  });

  test.each([
    [404, 'platform-no-such-endpoint'],
    [405, 'platform-no-such-endpoint'],
    [429, 'platform-busy'],
    [410, 'platform-no-such-endpoint'],
    [500, 'platform-error'],
    [503, 'platform-unhealthy'],
    [418, 'platform-rejected'],
  ] as const)('%d', (status, code) => {
    expect(refused(status, '{"error":"no"}')).toMatchObject({code, message: expect.stringContaining(url.href)});
  });

  test('a server that has too much to do says when to come again', () => {
    expect(refused(503, '{"error":"busy"}', 'application/json', {'retry-after': '90'})).toMatchObject({
      code: 'platform-busy',
      about: {retryAfter: 90_000},
      remedy: 'Wait 2 min, as the server asks. Then try again.',
    });
  });

  test('a page is not quoted, and a redirect is not followed', () => {
    expect(refused(500, '<html>Sorry</html>', 'text/html').message).not.toContain('Sorry');
    const moved = refused(302, '', '', {location: 'https://elsewhere.example/x'});
    expect(moved).toMatchObject({
      code: 'network-redirected',
      message: expect.stringContaining('https://elsewhere.example'),
    });
  });
});
