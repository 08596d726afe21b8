import {expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {fingerprintOf} from '../../../src/domain/fingerprint.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {contextFor} from '../../../src/domain/tokens.ts';
import {lookAtSignIn, renewSignIn, resumeSignIn, takeTokens} from '../../../src/flows/sign-in/resume-sign-in.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const END = 4_000_000_000;
const jwt = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`;

/** Sets up a sign-in with these saved credentials. */
const kept = async (credentials: object, changes: Partial<Context> = {}) => {
  const ports = await temporaryPorts();
  const context: Context = {...contextAt('https://idp.acme.example'), ...changes};
  const {issuer, clientId} = context;
  await ports.credentials.replace(context, {issuer, clientId, accessToken: 'access', ...credentials});
  return {ports, context};
};

test('a person has one taken up again that is not renewed by itself any more', async () => {
  const {issuer} = await tokenServer(rotating);
  const refused = {at: 1, reason: '', isUnanswered: true};
  const {ports, context} = await kept({expiresAt: 1, refreshToken: 'refresh-0', unanswered: 2, refused}, {issuer});
  await expect(collect(lookAtSignIn, context, ports)).rejects.toMatchObject({code: 'auth-sign-in-required'});
  const {result} = await collect(resumeSignIn, context, ports);
  expect(result.token.access.reveal()).toBe('access-1');
});

test.each([
  [
    'all that is kept',
    {account: 'ann', expiresAt: END * 1000, refreshToken: jwt({exp: END})},
    {account: 'ann', renewable: true, expiresAt: END * 1000, signInEndsAt: END * 1000},
  ],
  ['the client where no account is known', {refreshToken: 'opaque'}, {account: 'platform-cli', renewable: true}],
  ['no renewal where there is nothing to renew with', {account: 'ann'}, {account: 'ann', renewable: false}],
  [
    'no renewal by a refresh token that has ended',
    {account: 'ann', refreshToken: jwt({exp: 1})},
    {account: 'ann', renewable: false, signInEndsAt: 1000},
  ],
])('a saved sign-in is taken up with %s', async (_what, credentials, facts) => {
  const {ports, context} = await kept(credentials);
  const {result, events} = await collect(resumeSignIn, context, ports);
  const {access, ...told} = result.token;
  expect(access.reveal()).toBe('access');
  expect(told).toStrictEqual({...facts, fingerprint: fingerprintOf('access')});
  expect(events).toStrictEqual([{type: 'token-obtained', ...told}]);
  expect(result.serverTokens).toEqual({});
});

test('the tokens of a run are those that are kept, with the end of the sign-in’s', async () => {
  const resources = {observability: 'https://observer.example/mcp'};
  const {ports, context} = await kept({expiresAt: END * 1000}, {resources});
  const own = contextFor(context, 'observability');
  const {issuer, clientId} = context;
  const audience = resources.observability;
  await ports.credentials.replace(own, {issuer, clientId, audience, accessToken: 'own', expiresAt: END * 2000});
  const {result} = await collect(takeTokens, context, ports);
  expect([result.signIn.reveal(), result.serverTokens.observability?.reveal()]).toEqual(['access', 'own']);
  expect(result.expiresAt).toBe(END * 1000);
});

test('only the sign-in’s is renewed where a server has none of its own', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const times = {obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  const {ports, context} = await kept({refreshToken: 'refresh', ...times}, {issuer});
  const tokens = {signIn: new Secret('access')};
  const {result} = await collect(renewSignIn, {context, tokens}, ports);
  expect(result.signIn.reveal()).toBe('access-1');
  expect(result).not.toHaveProperty('observability');
  expect(asked).toHaveLength(1);
});

test('one that another process has renewed since is not renewed again', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const times = {obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  const {ports, context} = await kept({refreshToken: 'refresh', ...times}, {issuer});
  const tokens = {signIn: new Secret('access-of-before')};
  const {result} = await collect(renewSignIn, {context, tokens}, ports);
  expect(result.signIn.reveal()).toBe('access');
  expect(asked).toEqual([]);
});
