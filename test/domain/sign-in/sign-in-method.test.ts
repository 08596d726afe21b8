import {expect, test} from 'vitest';
import {isByHeader, otherMethodThan, secretMethodOf} from '../../../src/domain/sign-in/sign-in-method.ts';

test('an MCP client sends its secret in the header, a service account in the body', () => {
  expect(secretMethodOf('mcp-client')).toBe('client_secret_basic');
  expect(secretMethodOf('service-account')).toBe('client_secret_post');
  expect((['mcp-client', 'service-account', 'browser'] as const).map(isByHeader)).toEqual([true, false, false]);
});

test('where one way is refused, the other kind of client is the one to try', () => {
  expect(otherMethodThan('client_secret_basic')).toBe('service-account');
  expect(otherMethodThan('client_secret_post')).toBe('mcp-client');
});
