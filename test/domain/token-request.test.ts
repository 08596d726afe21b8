import {expect, test} from 'vitest';
import {isByHeader, otherSecretMethod, secretMethodOf, secretMethods} from '../../src/domain/token-request.ts';

test('an MCP client sends its secret in the header, a service account in the body', () => {
  expect(secretMethodOf('mcp-client')).toBe('client_secret_basic');
  expect(secretMethodOf('service-account')).toBe('client_secret_post');
  expect((['mcp-client', 'service-account', 'browser'] as const).map(isByHeader)).toEqual([true, false, false]);
});

test('the other way to send a secret', () => {
  expect(secretMethods.map(otherSecretMethod)).toEqual(secretMethods.toReversed());
});
