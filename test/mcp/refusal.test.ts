import {describe, expect, test} from 'vitest';
import {refusalError} from '../../src/mcp/refusal.ts';

const url = new URL('http://api.acme.localhost:8080/mcp');
const refused = (status: number, text: string, type = 'application/json') => refusalError({status, type, text}, url);

describe('what a refusal of an MCP server means', () => {
  test('a permission that is missing is told in the server’s words', () => {
    const error = refused(403, '{"code":"FORBIDDEN","error":"You do not have permission to perform this operation"}');
    expect(error).toMatchObject({
      code: 'auth-permission-missing',
      message: expect.stringContaining('You do not have permission to perform this operation'),
    });
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
    [429, 'platform-error'],
    [503, 'platform-error'],
    [418, 'platform-rejected'],
  ] as const)('%d', (status, code) => {
    expect(refused(status, '{"error":"no"}')).toMatchObject({code, message: expect.stringContaining(url.href)});
  });

  test('a page is not quoted, and a redirect is not followed', () => {
    expect(refused(500, '<html>Sorry</html>', 'text/html').message).not.toContain('Sorry');
    const moved = refusalError({status: 302, type: '', text: '', location: 'https://elsewhere.example/x'}, url);
    expect(moved).toMatchObject({
      code: 'network-portal',
      message: expect.stringContaining('https://elsewhere.example'),
    });
  });
});
