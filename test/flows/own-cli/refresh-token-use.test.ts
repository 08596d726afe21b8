import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {refreshTokenUse} from '../../../src/flows/own-cli/compose-cli.ts';
import {contextAt} from '../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const same = {body: {access_token: 'access-1', refresh_token: 'refresh-0', token_type: 'Bearer', expires_in: 3600}};
const silent = {body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}};
const refused = {status: 400, body: {error: 'invalid_target', error_description: 'no such resource'}};

type Answer = Parameters<typeof tokenServer>[0];

/** Sets up a person who has just signed in, or whose sign-in is saved, and tests the use of the refresh token. */
const person = async (answer: Answer, isKept: boolean, told: FlowEvent[] = []) => {
  const {issuer, asked} = await tokenServer(answer);
  const ports = portsIn(await temporaryDirectory());
  const context = {...contextAt(issuer), resource: `${issuer}/mcp`};
  const {clientId} = context;
  const kept = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', obtainedAt: Date.now()};
  if (isKept) await ports.credentials.replace(context, {...kept, expiresAt: Date.now() + 3_600_000});
  const unsaved = isKept ? {} : {unsaved: {access: new Secret('access-0'), refresh: new Secret('refresh-0')}};
  const {use, renewed} = await refreshTokenUse({context, ...unsaved}, ports, event => told.push(event));
  const found = isKept ? await ports.credentials.get(context) : undefined;
  const refreshToken = isKept ? found?.refreshToken : (renewed?.refresh ?? unsaved.unsaved?.refresh)?.reveal();
  return {use, asked, resource: context.resource, token: renewed?.access.reveal(), refreshToken};
};

describe.each([
  ['that is kept', true],
  ['of now', false],
])('a sign-in %s', (_which, isKept) => {
  test('whose refresh token comes back stays good to be shared', async () => {
    const {use, token, asked, resource} = await person(() => same, isKept);
    expect([use, token]).toEqual(['stays', 'access-1']);
    expect(asked.map(form => form.get('resource'))).toEqual([resource]);
  });

  test('that brings no other refresh token stays good as well', async () => {
    expect(await person(() => silent, isKept)).toMatchObject({use: 'stays', refreshToken: 'refresh-0'});
  });

  test('whose refresh token is used once goes on with the next one', async () => {
    expect(await person(rotating, isKept)).toMatchObject({
      use: 'used-once',
      token: 'access-1',
      refreshToken: 'refresh-1',
    });
  });

  test('has its calls told', async () => {
    const told: FlowEvent[] = [];
    await person(() => same, isKept, told);
    expect(told.map(({type}) => type)).toContain('call-answered');
  });

  test('that cannot be renewed just now leaves it open', async () => {
    expect(await person(() => refused, isKept)).toMatchObject({use: 'unknown', refreshToken: 'refresh-0'});
  });
});

describe('nobody is asked', () => {
  const {issuer} = contextAt('http://idp.acme.localhost');
  const unsaved = {access: new Secret('access-0')};

  test('for a client, which has no refresh token to share', async () => {
    const ports = portsIn(await temporaryDirectory());
    const context = {...contextAt(issuer), signIn: 'service-account'} as const;
    const both = {...unsaved, refresh: new Secret('refresh-0')};
    expect(await refreshTokenUse({context, unsaved: both}, ports, () => undefined)).toEqual({use: 'none'});
  });

  test('where nothing can be renewed', async () => {
    const ports = portsIn(await temporaryDirectory());
    const context = contextAt(issuer);
    const use = (more = {}) => refreshTokenUse({context, ...more}, ports, () => undefined);
    expect(await use({unsaved})).toEqual({use: 'none'});
    expect(await use()).toEqual({use: 'none'});
    await ports.credentials.replace(context, {issuer, clientId: context.clientId, accessToken: 'access-0'});
    expect(await use()).toEqual({use: 'none'});
  });
});

test('a fault of ours is not taken for an identity provider that cannot be asked', async () => {
  const ports = portsIn(await temporaryDirectory());
  const broken = {...ports, credentials: {...ports.credentials, get: () => Promise.reject(new Error('A bug.'))}};
  const looking = refreshTokenUse({context: contextAt('http://idp.acme.localhost')}, broken, () => undefined);
  await expect(looking).rejects.toThrow('A bug.');
});
