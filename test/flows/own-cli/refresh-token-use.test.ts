import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {knownRefreshTokenUse, refreshTokenUse} from '../../../src/flows/own-cli/compose-cli.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const same = {body: {access_token: 'access-1', refresh_token: 'refresh-0', token_type: 'Bearer', expires_in: 3600}};
const silent = {body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}};
const refused = {status: 400, body: {error: 'invalid_target', error_description: 'no such resource'}};

/** Sets up a person whose sign-in is saved. */
const person = async (answer: Parameters<typeof tokenServer>[0], more: Partial<Credentials> = {}) => {
  const {issuer, asked} = await tokenServer(answer);
  const ports = portsIn(await temporaryDirectory());
  const context = {...contextAt(issuer), resource: `${issuer}/mcp`};
  const {clientId} = context;
  const saved = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', obtainedAt: Date.now()};
  await ports.credentials.replace(context, {...saved, expiresAt: Date.now() + 3_600_000, ...more});
  return {
    ...{asked, ports, context},
    use: () => collect(refreshTokenUse, context, ports),
    saved: () => ports.credentials.get(context),
  };
};

describe('a saved sign-in is renewed once to find out', () => {
  test('that the refresh token comes back', async () => {
    const {use, saved, asked, context} = await person(() => same);
    expect((await use()).result).toBe('stays');
    expect(await saved()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-0'});
    expect((await use()).result).toBe('stays');
    expect(asked.map(form => form.get('resource'))).toEqual([context.resource]);
  });

  test('that no other refresh token comes', async () => {
    const {use, saved} = await person(() => silent);
    expect((await use()).result).toBe('stays');
    expect(await saved()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('that each refresh token is used once, and the next one is saved', async () => {
    const {use, saved, asked} = await person(rotating);
    const {result, events} = await use();
    expect(result).toBe('used-once');
    expect(await saved()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
    expect(events.map(({type}) => type)).toContain('call-answered');
    expect((await use()).result).toBe('used-once');
    expect(asked).toHaveLength(1);
  });

  test('and it stays unknown if the renewal is refused', async () => {
    const {use, saved} = await person(() => refused);
    expect((await use()).result).toBe('unknown');
    expect(await saved()).toMatchObject({refreshToken: 'refresh-0'});
  });
});

describe('no renewal is needed', () => {
  test.each([
    [true, 'used-once'],
    [false, 'stays'],
  ])('if an earlier one has shown it: rotates %s', async (rotates, expected) => {
    const {use, asked} = await person(rotating, {rotates});
    expect((await use()).result).toBe(expected);
    expect(asked).toEqual([]);
  });

  test('for a client, which has no refresh token', async () => {
    const {ports, context, asked} = await person(rotating);
    const client = {...context, signIn: 'service-account'} as const;
    expect((await collect(refreshTokenUse, client, ports)).result).toBe('none');
    expect(asked).toEqual([]);
  });

  test('if there is no refresh token', async () => {
    const {ports, context} = await person(rotating);
    await ports.credentials.replace(context, {...context, accessToken: 'access-0'});
    expect((await collect(refreshTokenUse, context, ports)).result).toBe('none');
  });
});

describe('a sign-in that is not saved yet', () => {
  const context = contextAt('http://idp.acme.localhost');
  const access = new Secret('access-0');

  test('is unknown, unless it has no refresh token', async () => {
    const ports = portsIn(await temporaryDirectory());
    const known = (unsaved: {access: Secret; refresh?: Secret}) => knownRefreshTokenUse({context, unsaved}, ports);
    expect(await known({access, refresh: new Secret('refresh-0')})).toBe('unknown');
    expect(await known({access})).toBe('none');
  });

  test('is known from the sign-in before it, to the same client', async () => {
    const {ports, context} = await person(rotating, {rotates: true});
    const unsaved = {access, refresh: new Secret('refresh-0')};
    expect(await knownRefreshTokenUse({context, unsaved}, ports)).toBe('used-once');
  });
});

test('a bug is not taken for an identity provider that cannot be asked', async () => {
  const {ports, context} = await person(rotating);
  const broken = {...ports, credentials: {...ports.credentials, get: () => Promise.reject(new Error('A bug.'))}};
  await expect(collect(refreshTokenUse, context, broken)).rejects.toThrow('A bug.');
});
