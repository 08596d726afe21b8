import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {signInRequired} from '../../../src/flows/sign-in/access-token.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';

const NOW = 1_000_000_000;
const context = contextAt('http://idp.acme.localhost');
const ports = {
  clock: {now: () => NOW},
  config: {read: async () => ({contexts: []})},
  providers: {get: async () => ({})},
} as unknown as Ports;

const required = (kept: Partial<Credentials>, refused?: string) => {
  const {issuer, clientId} = context;
  return signInRequired({context, refused}, {issuer, clientId, ...kept}, ports);
};

const saying = async (kept: Partial<Credentials>, refused?: string) => (await required(kept, refused)).message;

describe('a sign-in that nothing can renew', () => {
  const kept = {accessToken: 'theirs', expiresAt: NOW + 3_600_000};

  test('is there while its token is good and a server has refused that', async () => {
    expect(await saying(kept, 'theirs')).toMatch(/^The server refused the access token of your sign-in to acme,/);
  });

  test.each<[string, Partial<Credentials>, string | undefined]>([
    ['its token has expired', {...kept, expiresAt: NOW}, 'theirs'],
    ['it was another token that a server refused', kept, 'another'],
    ['no token was refused', kept, undefined],
  ])('is over where %s', async (_, found, refused) => {
    expect(await saying(found, refused)).toMatch(/^You are signed out of acme: the sign-in cannot be renewed/);
  });
});

test.each([
  [59_999, 'refused to renew the sign-in.'],
  [60_000, 'refused to renew the sign-in 1 min ago.'],
])('says when a renewal was refused, from a minute on: %i', async (since, words) => {
  expect(await saying({refused: {at: NOW - since, reason: ''}})).toBe(
    `You are signed out of acme: ${context.issuer} ${words}`,
  );
});

test('has the reason apart where nobody answered, for who says the rest in words of its own', async () => {
  const reason = `${context.issuer} did not answer two attempts to renew the sign-in, the last one 2 min ago, and may no longer accept the refresh token.`;
  const refused = {at: NOW - 120_000, reason: '', isUnanswered: true} as const;
  const {message, about} = await required({refused});
  expect(message).toBe(`Your sign-in to acme is no longer renewed: ${reason}`);
  expect(about).toMatchObject({reason});
});
