import {ProtocolErrorCode} from '@modelcontextprotocol/client';
import {expect, test} from 'vitest';
import {wordedError} from '../../src/errors/errors.ts';
import {BRIDGE_FAILED, failureAnswer} from '../../src/mcp/message.ts';

test('a failure of the bridge’s own has a code that nobody else gives a meaning', () => {
  const answer = JSON.parse(failureAnswer('"a"', wordedError('network-lost', 'Gone.', {remedy: 'Wait.'})).toString());
  expect(answer).toMatchObject({id: 'a', error: {code: BRIDGE_FAILED, data: {code: 'network-lost'}}});
  const known = Object.values(ProtocolErrorCode).filter(code => typeof code === 'number');
  expect(known.length).toBeGreaterThan(5);
  // The SDK's ConnectionClosed and RequestTimeout in the 2025 era, and codes in drafts of 2026.
  expect([...known, -32_000, -32_001, -32_002, -32_003, -32_004]).not.toContain(BRIDGE_FAILED);
  // The part of the range for implementations. The rest belongs to the protocol.
  expect(BRIDGE_FAILED).toBeLessThanOrEqual(-32_000);
  expect(BRIDGE_FAILED).toBeGreaterThanOrEqual(-32_019);
});
