import {expect, test} from 'vitest';
import {describeEntryState} from '../../../src/command-line/output/entry-state.ts';

const entry = {
  assistant: 'Kiro',
  name: 'acme',
  path: '/mcp.json',
  scope: 'user',
  method: 'bridge',
  state: 'kept',
} as const;
const signIn = {state: 'signed-in', renewable: true} as unknown as Parameters<typeof describeEntryState>[2];

test('that an entry is switched off comes before how it is kept', () => {
  expect(describeEntryState(entry, 0, signIn)).toBe('auto-renewed (bridge)');
  expect(describeEntryState({...entry, isOff: true}, 0, signIn)).toBe('switched off in the assistant');
});

test('what an organisation has given waits for the sign-in as well', () => {
  const given = {...entry, state: 'given'} as const;
  expect(describeEntryState(given, 0, signIn)).toBe('connected by your organisation');
  const signedOut = {state: 'none'} as unknown as typeof signIn;
  expect(describeEntryState(given, 0, signedOut)).toBe('connected by your organisation, sign-in needed');
});

test('a token that has expired in a file is renewed by connecting again, once the person is signed in', () => {
  const header = {...entry, method: 'header', state: 'token', expiresAt: 1} as unknown as typeof entry;
  expect(describeEntryState(header, 60_000, signIn, ' --context acme')).toBe(
    'an expired token. Fix: npx setup mcp connect --context acme',
  );
  const signedOut = {state: 'none'} as unknown as typeof signIn;
  expect(describeEntryState(header, 60_000, signedOut)).toBe('an expired token, sign-in needed');
});
