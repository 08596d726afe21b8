import {ProtocolErrorCode} from '@modelcontextprotocol/client';
import {expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {BRIDGE_FAILED, failureAnswer} from '../../src/mcp/message.ts';

test('a failure of the bridge’s own has a code that nobody else gives a meaning', () => {
  const answer = JSON.parse(failureAnswer('"a"', new SetupError('network-lost', 'Gone.')).toString());
  expect(answer).toMatchObject({id: 'a', error: {code: BRIDGE_FAILED, data: {code: 'network-lost'}}});
  const known = Object.values(ProtocolErrorCode).filter(code => typeof code === 'number');
  expect(known.length).toBeGreaterThan(5);
  // What the SDK of the 2025 era calls ConnectionClosed and RequestTimeout, and what drafts of 2026 used.
  expect([...known, -32_000, -32_001, -32_002, -32_003, -32_004]).not.toContain(BRIDGE_FAILED);
  // What implementations may define: the rest of the range is the protocol's.
  expect(BRIDGE_FAILED).toBeLessThanOrEqual(-32_000);
  expect(BRIDGE_FAILED).toBeGreaterThanOrEqual(-32_019);
});
