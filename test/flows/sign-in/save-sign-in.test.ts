import {readFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import type {Token} from '../../../src/domain/tokens.ts';
import {renewSignIn, resumeSignIn} from '../../../src/flows/sign-in/resume-sign-in.ts';
import {saveSignIn, storeSignIn} from '../../../src/flows/sign-in/save-sign-in.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {revokingServer} from '../../support/revoking-server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const resources = {observability: 'https://observer.example/mcp'};
const facts = {account: 'ann@acme.example', fingerprint: '0', renewable: true};
const token: Token = {...facts, access: new Secret('of-both'), refresh: new Secret('refresh-of-both')};
const own = {...facts, access: new Secret('own'), refresh: new Secret('refresh-own')};
const ownTokens = {observability: {...own, expiresAt: 4_000_000_000_000}};

/** Sets up a person with a token for each of the two servers, as a sign-in leaves them. */
const signedIn = async (issuer: string, changes: Partial<Context> = {}) => {
  const ports = await temporaryPorts();
  const context: Context = {...contextAt(issuer), resources, ...changes};
  await storeSignIn({context, token, ownTokens}, ports);
  const {clientId} = context;
  const get = async () => [
    (await ports.credentials.get({issuer, clientId}))?.accessToken,
    (await ports.credentials.get({issuer, clientId, audience: resources.observability}))?.accessToken,
  ];
  return {ports, context, get};
};

const issuer = 'https://idp.acme.example';

test('both are kept, and both are taken up again', async () => {
  const {ports, context, get} = await signedIn(issuer);
  expect(await get()).toEqual(['of-both', 'own']);
  const audience = resources.observability;
  expect(await ports.credentials.get({issuer, clientId: context.clientId, audience})).toMatchObject({
    refreshToken: 'refresh-own',
    expiresAt: 4_000_000_000_000,
  });
  const {result} = await collect(resumeSignIn, context, ports);
  expect(result.token.access.reveal()).toBe('of-both');
  expect(result.serverTokens.observability?.reveal()).toBe('own');
});

test('the secret of a client is kept once', async () => {
  const {ports, context} = await signedIn(issuer, {signIn: 'mcp-client'});
  await storeSignIn({context, token, ownTokens, clientSecret: new Secret('canary')}, ports);
  const {clientId} = context;
  expect(await ports.credentials.get({issuer, clientId})).toMatchObject({clientSecret: 'canary'});
  const ownKept = await ports.credentials.get({issuer, clientId, audience: resources.observability});
  expect([ownKept?.accessToken, ownKept?.clientSecret, ownKept?.refreshToken]).toEqual(['own', undefined, undefined]);
});

test('a later sign-in that needs one token forgets the other one', async () => {
  const {ports, context, get} = await signedIn(issuer);
  const {resources: _, ...single} = context;
  await storeSignIn({context: single, token}, ports);
  expect(await get()).toEqual(['of-both', undefined]);
  expect((await ports.config.read()).contexts[0]).not.toHaveProperty('resources');
});

test('both are renewed where new keys have made both worthless', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const {ports, context, get} = await signedIn(issuer);
  const {result: resumed} = await collect(resumeSignIn, context, ports);
  const tokens = {signIn: resumed.token.access, ...resumed.serverTokens};
  const {result: renewed} = await collect(renewSignIn, {context, tokens}, ports);
  expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-of-both', 'refresh-own']);
  expect(renewed.observability?.reveal()).toBe('access-2');
  expect(await get()).toEqual(['access-1', 'access-2']);
});

test('signing out revokes and removes both', async () => {
  const {issuer, revoked} = await revokingServer();
  const {ports, context, get} = await signedIn(issuer);
  const place = {home: '/', project: '/', system: 'linux', env: {}} as const;
  const {result} = await collect(signOut, {context, assistants: [], place}, ports);
  expect(result.revocation).toBe('revoked');
  expect(revoked().toSorted()).toEqual(['refresh-of-both', 'refresh-own']);
  expect(await get()).toEqual([undefined, undefined]);
});

test('a client has its other token revoked by the secret that is kept once', async () => {
  const {issuer, revoked, authorizations} = await revokingServer();
  const {ports, context, get} = await signedIn(issuer, {signIn: 'mcp-client', clientId: 'client'});
  await storeSignIn({context, token, ownTokens, clientSecret: new Secret('secret')}, ports);
  const place = {home: '/', project: '/', system: 'linux', env: {}} as const;
  await collect(signOut, {context, assistants: [], place}, ports);
  expect(revoked().toSorted()).toEqual(['of-both', 'own']);
  const basic = `Basic ${Buffer.from('client:secret').toString('base64')}`;
  expect(authorizations).toEqual([basic, basic]);
  expect(await get()).toEqual([undefined, undefined]);
});

test('what another context has too is kept for that one', async () => {
  const {issuer, revoked} = await revokingServer();
  const {ports, context, get} = await signedIn(issuer);
  const {resources: _, ...other} = context;
  await ports.config.saveContext({...other, name: 'other'});
  const place = {home: '/', project: '/', system: 'linux', env: {}} as const;
  const {result} = await collect(signOut, {context, assistants: [], place}, ports);
  expect(result.revocation).toBe('shared');
  expect(revoked()).toEqual(['refresh-own']);
  expect(await get()).toEqual(['of-both', undefined]);
});

test('a sign-in that is kept already is not put back to what it was', async () => {
  const {ports, context, get} = await signedIn(issuer);
  const {clientId} = context;
  // Meanwhile another process has renewed it.
  await ports.credentials.replace({issuer, clientId}, {issuer, clientId, accessToken: 'newer', refreshToken: 'newer'});
  await storeSignIn({context, token, ownTokens, isKept: true}, ports);
  expect(await get()).toEqual(['newer', 'own']);
});

describe('a sign-in that takes the place of another', () => {
  const readiness = {service_status: []};
  const fresh: Token = {...facts, access: new Secret('fresh'), refresh: new Secret('refresh-fresh')};

  test('ends every one of those before, and keeps what the context has beside', async () => {
    const {issuer, revoked} = await revokingServer({readiness});
    const {ports, context, get} = await signedIn(issuer);
    const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/mcp.json', names: []};
    await ports.config.saveEntries(context.name, () => [{...entry, made: {kind: 'nothing'}} as never]);
    const cli = {path: '/home/ann/.openchoreo/config', name: 'acme', added: []};
    await ports.config.saveCli(context.name, cli);
    const {resources: _, ...single} = context;
    const {events} = await collect(saveSignIn, {context: single, token: fresh}, ports);
    expect(revoked().toSorted()).toEqual(['refresh-of-both', 'refresh-own']);
    expect(await get()).toEqual(['fresh', undefined]);
    const [saved] = (await ports.config.read()).contexts;
    expect(saved).toMatchObject({entries: [{assistant: 'cursor'}], cli});
    expect(events.filter(({type}) => type === 'file-written')).toEqual([
      {type: 'file-written', path: ports.credentials.path, change: 'changed'},
      {type: 'file-written', path: ports.config.path, change: 'changed'},
    ]);
  });

  test('ends none where it is the same one, to which a token for a server has come', async () => {
    const {issuer, revoked} = await revokingServer({readiness});
    const {ports, context, get} = await signedIn(issuer);
    const renewed = {observability: {...own, access: new Secret('newer')}};
    await collect(saveSignIn, {context, token, ownTokens: renewed, isKept: true}, ports);
    expect(revoked()).toEqual([]);
    expect(await get()).toEqual(['of-both', 'newer']);
  });

  test('is kept although the one before cannot be read, or cannot be revoked', async () => {
    const {issuer, revoked} = await revokingServer({readiness});
    const {ports, context, get} = await signedIn(issuer);
    let reads = 0;
    const credentials = {
      ...ports.credentials,
      get: (key: Parameters<typeof ports.credentials.get>[0]) => {
        reads += 1;
        return reads === 1 ? Promise.reject(new Error('It is locked.')) : ports.credentials.get(key);
      },
    };
    await collect(saveSignIn, {context, token: fresh, ownTokens}, {...ports, credentials});
    expect((await get())[0]).toBe('fresh');
    expect(revoked()).toEqual([]);

    const again: Token = {...facts, access: new Secret('again'), refresh: new Secret('refresh-again')};
    await collect(saveSignIn, {context, token: again, ownTokens}, ports, AbortSignal.abort());
    expect((await get())[0]).toBe('again');
  });
});

test('no refresh token is kept of a client, which has its secret', async () => {
  const {ports, context} = await signedIn(issuer, {signIn: 'mcp-client'});
  const {clientId} = context;
  const kept = await ports.credentials.get({issuer, clientId});
  expect(kept).toEqual({
    issuer,
    clientId,
    controlPlaneUrl: context.controlPlaneUrl,
    account: token.account,
    accessToken: 'of-both',
    obtainedAt: expect.any(Number),
  });
});

test('a person’s sign-in has no secret, whatever came with it', async () => {
  const {ports, context} = await signedIn(issuer);
  await storeSignIn({context, token, clientSecret: new Secret('secret')}, ports);
  const {clientId} = context;
  expect(await ports.credentials.get({issuer, clientId})).not.toHaveProperty('clientSecret');
});

test('a sign-in as another client leaves nothing of the one before, unless another context has it', async () => {
  const {ports, context, get} = await signedIn(issuer);
  await ports.config.saveContext({...context, name: 'other'});
  await storeSignIn({context: {...context, clientId: 'new'}, token, ownTokens}, ports);
  expect(await get()).toEqual(['of-both', 'own']);
  await storeSignIn({context: {...context, name: 'other', clientId: 'new'}, token, ownTokens}, ports);
  expect(await get()).toEqual([undefined, undefined]);
});

test('a new context takes nothing over from another one, and ends nothing of it', async () => {
  const {issuer, revoked} = await revokingServer({readiness: {service_status: []}});
  const {ports, context, get} = await signedIn(issuer);
  const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/mcp.json', names: []};
  await ports.config.saveEntries(context.name, () => [{...entry, made: {kind: 'nothing'}} as never]);
  await ports.config.saveCli(context.name, {path: '/home/ann/.openchoreo/config', name: 'acme', added: []});
  await collect(saveSignIn, {context: {...contextAt(issuer), name: 'beta', clientId: 'beta'}, token}, ports);
  const beta = (await ports.config.read()).contexts.find(({name}) => name === 'beta');
  expect(beta).not.toHaveProperty('entries');
  expect(beta).not.toHaveProperty('cli');
  expect(revoked()).toEqual([]);
  expect(await get()).toEqual(['of-both', 'own']);
});

test('a sign-in without a refresh token is kept as it is', async () => {
  const {ports, context} = await signedIn(issuer);
  await storeSignIn({context, token: {...facts, access: new Secret('alone')}}, ports);
  const {clientId} = context;
  const kept = await ports.credentials.get({issuer, clientId});
  expect(kept).toStrictEqual({
    issuer,
    clientId,
    controlPlaneUrl: context.controlPlaneUrl,
    account: facts.account,
    accessToken: 'alone',
    obtainedAt: expect.any(Number),
    signedInAt: expect.any(Number),
  });
});

describe('two deployments on one identity provider', () => {
  const one = contextAt(issuer);
  const other: Context = {...one, name: 'other', controlPlaneUrl: 'https://api.other.example'};
  const tokenOf = (access: string, account = facts.account): Token => ({
    ...facts,
    account,
    access: new Secret(access),
    refresh: new Secret(`refresh-of-${access}`),
  });

  const both = async () => {
    const ports = await temporaryPorts();
    await storeSignIn({context: one, token: tokenOf('one')}, ports);
    await storeSignIn({context: other, token: tokenOf('other')}, ports);
    return ports;
  };
  const tokensIn = async (ports: Ports) =>
    Promise.all([one, other].map(async context => (await ports.credentials.get(context))?.accessToken));

  test('each have a sign-in of their own', async () => {
    expect(await tokensIn(await both())).toEqual(['one', 'other']);
  });

  test('are signed out of one by one', async () => {
    const ports = await both();
    const place = {home: '/', project: '/', system: 'linux', env: {}} as const;
    const {result} = await collect(signOut, {context: one, assistants: [], place}, ports);
    expect(result.revocation).not.toBe('shared');
    expect(await tokensIn(ports)).toEqual([undefined, 'other']);
  });

  test('go on with the one sign-in that an earlier version kept for both', async () => {
    const ports = await temporaryPorts();
    for (const context of [one, other]) await ports.config.saveContext(context);
    const {clientId} = one;
    await ports.credentials.replace({issuer, clientId}, {issuer, clientId, accessToken: 'of-both', account: 'ann'});
    expect(await tokensIn(ports)).toEqual(['of-both', 'of-both']);
    const place = {home: '/', project: '/', system: 'linux', env: {}} as const;
    const {result} = await collect(signOut, {context: one, assistants: [], place}, ports);
    expect(result.revocation).toBe('shared');
    expect(await tokensIn(ports)).toEqual(['of-both', 'of-both']);
  });
});

describe('two accounts on one deployment', () => {
  const asAnn = contextAt(issuer);
  const asBob: Context = {...asAnn, name: 'as-bob'};

  test('are two sign-ins, each in its context', async () => {
    const ports = await temporaryPorts();
    await storeSignIn({context: asAnn, token: {...token, account: 'ann', access: new Secret('of-ann')}}, ports);
    await storeSignIn({context: asBob, token: {...token, account: 'bob', access: new Secret('of-bob')}}, ports);
    const {contexts} = await ports.config.read();
    const kept = await Promise.all(contexts.map(context => ports.credentials.get(context)));
    expect(kept.map(one => one?.accessToken).toSorted()).toEqual(['of-ann', 'of-bob']);
  });

  test('of which one is of an earlier version leave nothing of that one', async () => {
    const ports = await temporaryPorts();
    await ports.config.saveContext(asAnn);
    const {clientId} = asAnn;
    await ports.credentials.replace({issuer, clientId}, {issuer, clientId, account: 'ann', accessToken: 'of-ann'});
    await storeSignIn({context: asAnn, token: {...token, account: 'bob', access: new Secret('of-bob')}}, ports);
    expect(await readFile(ports.credentials.path, 'utf8')).not.toContain('of-ann');
  });

  test('of which one takes the place of the other in a context leave nothing of that one', async () => {
    const ports = await temporaryPorts();
    await storeSignIn({context: asAnn, token: {...token, account: 'ann', access: new Secret('of-ann')}}, ports);
    await storeSignIn({context: asAnn, token: {...token, account: 'bob', access: new Secret('of-bob')}}, ports);
    expect(await readFile(ports.credentials.path, 'utf8')).not.toContain('of-ann');
    const [context] = (await ports.config.read()).contexts;
    expect(context?.account).toBe('bob');
  });
});

test('what the sign-ins before have taught is carried over', async () => {
  const ports = await temporaryPorts();
  const context = contextAt(issuer);
  await storeSignIn({context, token}, ports);
  await ports.credentials.update(context, async kept => kept && {...kept, lasted: [5], rotates: true});
  await storeSignIn({context, token: {...token, access: new Secret('of-a-new-sign-in')}}, ports);
  expect(await ports.credentials.get(context)).toMatchObject({lasted: [5], rotates: true});
});

test('a sign-in that is stored again does not replace what a renewal has stored since', async () => {
  const ports = await temporaryPorts();
  const context = contextAt(issuer);
  await storeSignIn({context, token}, ports);
  await ports.credentials.update(context, async kept => kept && {...kept, refreshToken: 'of-the-renewal'});
  await storeSignIn({context, token}, ports);
  expect(await ports.credentials.get(context)).toMatchObject({refreshToken: 'of-the-renewal'});
  await ports.credentials.replace(context, undefined);
  await storeSignIn({context, token}, ports);
  expect(await ports.credentials.get(context)).toMatchObject({refreshToken: 'refresh-of-both'});
});
