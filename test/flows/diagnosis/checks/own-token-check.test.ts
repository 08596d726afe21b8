import {describe, expect, test} from 'vitest';
import type {Learned} from '../../../../src/flows/diagnosis/check.ts';
import {hasOwnToken, ownToken} from '../../../../src/flows/diagnosis/checks/sign-in-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {tokenServer} from '../../../support/token-server.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const audience = 'http://observer.acme.localhost/mcp';
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedBy = (kid: string, claims: object = {}) => `${part({kid})}.${part(claims)}.c2ln`;

test('it is looked at where the observability server has one', () => {
  const addresses = {controlPlaneUrl: 'http://x', authUrl: 'http://x', issuer: 'http://x'};
  const has = (resources?: {observability?: string}) =>
    hasOwnToken({
      platform: bundled,
      ...addresses,
      context: {...contextAt('http://x'), ...(resources ? {resources} : {})},
    });
  expect([has({observability: audience}), has({}), has()]).toEqual([true, false, false]);
  expect(hasOwnToken({platform: bundled, ...addresses})).toBe(false);
});

describe('the token of the observability server', () => {
  /** Sets up a person's own token, beside a sign-in whose token is signed by the key `new`. */
  const having = async (kid: string, claims: object = {aud: audience}) => {
    const {issuer, asked} = await tokenServer(() => ({
      body: {access_token: signedBy('new', {iss: issuer, aud: audience}), token_type: 'Bearer', expires_in: 3600},
    }));
    const ports = await temporaryPorts();
    const context = {resources: {observability: audience}};
    const key = {issuer, clientId: 'platform-cli', audience};
    const accessToken = signedBy(kid, {iss: issuer, ...claims});
    await ports.credentials.replace(key, {...key, accessToken, refreshToken: 'r', expiresAt: Date.now() + 3_600_000});
    const learned: Learned = {token: {accessToken: signedBy('new')}};
    const told: {readonly type: string}[] = [];
    const found = look(ownToken, {origin: issuer, context, ports, learned, told: told as never});
    return {found, learned, asked, told};
  };

  test('that is good is taken as it is', async () => {
    const {found, asked, learned} = await having('new');
    expect(await found).toEqual({verdict: 'pass', saw: `for ${audience}`});
    expect(asked).toEqual([]);
    expect(learned.ownToken?.accessToken).toBeDefined();
    expect((await (await having('new', {})).found).saw).toBe('no audience');
  });

  test('that is signed by a key of before is renewed', async () => {
    const {found, asked, told, learned} = await having('old');
    expect(await found).toEqual({verdict: 'pass', saw: `for ${audience}`});
    expect(asked).toHaveLength(1);
    expect(learned.ownToken?.accessToken).toMatch(new RegExp(`^${part({kid: 'new'})}`));
    expect(told.map(({type}) => type)).toContain('call-answered');
  });

  test('that says something odd is a failure', async () => {
    await expect(worded((await having('new', {iss: 'http://other'})).found)).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringContaining('http://other'),
      remedy: 'Sign in again: npx setup login --context acme.',
    });
  });

  test('is nobody’s where nobody has signed in', async () => {
    expect((await look(ownToken)).verdict).toBe('skipped');
  });
});
