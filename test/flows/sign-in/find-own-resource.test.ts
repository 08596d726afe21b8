import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import type {ClientMethod} from '../../../src/domain/token-request.ts';
import {contextFor, type TokenContext} from '../../../src/domain/tokens.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import {listTools} from '../../../src/flows/platform-tools/list-tools.ts';
import {accessToken, accessTokenInstead} from '../../../src/flows/sign-in/access-token.ts';
import {findOwnResource, readResource} from '../../../src/flows/sign-in/server-token.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {claimsOf} from '../../sandbox/support.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {mcpServer} from '../../support/mcp-server.ts';
import {temporaryPorts} from '../../support/place.ts';
import {clientOf, deploymentOf, sandboxPlatform} from '../../support/platform.ts';
import {type Handler, json, serveRoutes, text} from '../../support/server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

const context = {...contextAt('https://idp.acme.example'), resources: {observability: 'https://observer.example/mcp'}};

/** Creates a client that is known to need a token for each server, and of which only the secret is saved. */
const clientAt = async (release: '0.14' | '1.2' | 'next', signIn: ClientMethod) => {
  const ready = await sandboxPlatform('single', {release, resources: 'each'});
  const ports = await temporaryPorts();
  const method = signIn === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';
  const {clientId, secret: clientSecret} = clientOf(ready, method);
  const {evidence: _, ...deployment} = deploymentOf(ready);
  const [controlPlane, observability] = [`${ready.controlPlaneUrl}/mcp`, `${ready.observerUrl}/mcp`];
  const resources = {resource: controlPlane, resources: {observability}};
  const saved: Context = {...deployment, name: 'acme', platform: 'bundled', signIn, clientId, ...resources};
  await ports.credentials.replace(saved, {issuer: saved.issuer, clientId, clientSecret});
  const get = async (wanted: TokenContext) => (await collect(accessToken, wanted, ports)).result.accessToken;
  const list = (url: string, token: string) =>
    listTools({url, headers: {Authorization: `Bearer ${token}`}}, {ports, signal: noSignal, tell: () => {}});
  return {ports, saved, get, list, controlPlane, observability};
};

describe.each(['0.14', '1.2', 'next'] as const)('release %s, each server a resource of its own', release => {
  test.each(['service-account', 'mcp-client'] as const)('a %s gets and renews a token for each', async signIn => {
    const {ports, saved, get, list, controlPlane, observability} = await clientAt(release, signIn);
    const own = contextFor(saved, 'observability');
    const tokens = [await get(saved), await get(own)] as const;
    expect(tokens.map(token => claimsOf(token).aud)).toEqual([controlPlane, observability]);
    await Promise.all([list(controlPlane, tokens[0]), list(observability, tokens[1])]);
    await expect(list(observability, tokens[0])).rejects.toMatchObject({code: 'auth-token-refused'});

    // The secret is saved once, with the sign-in.
    expect(await ports.credentials.get(own)).not.toHaveProperty('clientSecret');
    const refused = {context: own, refused: tokens[1]};
    const {result} = await collect(accessTokenInstead, refused, ports);
    expect(result.accessToken).not.toBe(tokens[1]);
    expect(claimsOf(result.accessToken).aud).toBe(observability);
    expect(await get(saved)).toBe(tokens[0]);
  });
});

test('each refresh token is renewed for its own resource, and neither knows of the other', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const ports = await temporaryPorts();
  const saved: Context = {...context, issuer, resource: 'https://api.example/mcp'};
  const own = contextFor(saved, 'observability');
  const {clientId} = saved;
  await ports.credentials.replace(saved, {
    issuer,
    clientId,
    accessToken: 'a',
    refreshToken: 'of-sign-in',
    expiresAt: 1,
  });
  const {audience = ''} = own;
  await ports.credentials.replace(own, {
    issuer,
    clientId,
    audience,
    accessToken: 'b',
    refreshToken: 'own',
    expiresAt: 1,
  });
  expect((await collect(accessToken, own, ports)).result.accessToken).toBe('access-1');
  expect((await collect(accessToken, saved, ports)).result.accessToken).toBe('access-2');
  expect(asked.map(form => [form.get('refresh_token'), form.get('resource')])).toEqual([
    ['own', 'https://observer.example/mcp'],
    ['of-sign-in', 'https://api.example/mcp'],
  ]);
  expect(await ports.credentials.get(own)).toMatchObject({audience, refreshToken: 'refresh-1'});
});

test('a client that signed out meanwhile has no token for a server either', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const ports = await temporaryPorts();
  const saved: Context = {...context, issuer, signIn: 'service-account'};
  const getting = collect(accessToken, contextFor(saved, 'observability'), ports);
  await expect(getting).rejects.toMatchObject({code: 'auth-sign-in-required'});
  expect(asked).toEqual([]);
});

describe('the reason why a server refuses a token', () => {
  const issuer = 'https://idp.acme.example';
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenFor = (...aud: readonly string[]) =>
    new Secret(`${part({alg: 'RS256'})}.${part({iss: issuer, ...(aud.length > 0 ? {aud} : {})})}.c2ln`);
  const refusing = json({error: 'INVALID_TOKEN'}, 401);

  /** Starts two servers. The observability server refuses the token and identifies itself by its own address. */
  const scene = async (observer: Record<string, Handler> = {}) => {
    const ports = await temporaryPorts();
    const routes: Record<string, Handler> = {'/mcp': refusing};
    const observerUrl = await serveRoutes(routes);
    const controlPlaneUrl = await serveRoutes({});
    const metadata = '/.well-known/oauth-protected-resource';
    Object.assign(routes, {[metadata]: json({resource: `${observerUrl}/mcp`})}, observer);
    const deployment = {...contextAt(issuer), controlPlaneUrl, observerUrl, evidence: ''};
    const tokens = {signIn: tokenFor('platform-cli')};
    const input = {platform: bundled, deployment, tokens, among: ['observability']} as const;
    const find = async (more: Partial<Parameters<typeof findOwnResource>[0]> = {}, signal = noSignal) =>
      (await collect(findOwnResource, {...input, ...more}, ports, signal)).result;
    return {
      find,
      ports,
      deployment,
      observerUrl,
      controlPlaneUrl,
      own: {server: 'observability', resource: `${observerUrl}/mcp`},
    };
  };

  test('may be that it is a resource of its own, unless the identity provider has passed over one before', async () => {
    const {find, own, controlPlaneUrl} = await scene();
    expect(await find()).toEqual(own);
    expect(await find({asked: 'platform-cli'})).toEqual(own);
    expect(await find({asked: `${controlPlaneUrl}/mcp`})).toBeUndefined();
    expect(await find({tokens: {signIn: tokenFor()}})).toEqual(own);
  });

  test.each([
    ['has ended, or is somebody else’s', async () => ({tokens: {signIn: new Secret('opaque')}})],
    ['is of a server for which no other can be asked', async () => ({among: ['control-plane'] as const})],
    ['is for that server already', async (resource: string) => ({tokens: {signIn: tokenFor(resource)}})],
  ])('is none that another token helps against where the token %s', async (_what, change) => {
    const {find, own} = await scene();
    expect(await find(await change(own.resource))).toBeUndefined();
  });

  test.each([
    ['has no metadata', {'/.well-known/oauth-protected-resource': json({}, 404)}],
    ['answers with an error beside its metadata', {'/.well-known/oauth-protected-resource': json({}, 500)}],
    [
      'identifies itself otherwise',
      {'/.well-known/oauth-protected-resource': json({resource: 'https://other.example/mcp'})},
    ],
    ['has something else for metadata', {'/.well-known/oauth-protected-resource': text('[')}],
    ['fails for another reason', {'/mcp': json({error: 'INTERNAL'}, 500)}],
  ])('is none that another token helps against where the server %s', async (_what, observer) => {
    const {find} = await scene(observer);
    expect(await find()).toBeUndefined();
  });

  test('is that of the first that refuses', async () => {
    const {find, deployment, own} = await scene();
    const routes: Record<string, Handler> = {'/mcp': refusing};
    const controlPlaneUrl = await serveRoutes(routes);
    routes['/.well-known/oauth-protected-resource'] = json({resource: `${controlPlaneUrl}/mcp`});
    const both = {deployment: {...deployment, controlPlaneUrl}, among: ['control-plane', 'observability']} as const;
    expect(await find(both)).toEqual({server: 'control-plane', resource: `${controlPlaneUrl}/mcp`});
    expect(await find({...both, among: ['observability']})).toBeUndefined();
    expect(own.server).toBe('observability');
  });

  test.each([
    ['the server', '/mcp'],
    ['its metadata', '/.well-known/oauth-protected-resource'],
  ])('is not told to who stops while %s is asked', async (_what, path) => {
    const stop = new AbortController();
    const {find} = await scene({
      [path]: (request, response) => {
        stop.abort(cancelled());
        refusing(request, response);
      },
    });
    await expect(find({}, stop.signal)).rejects.toMatchObject({code: 'cancelled'});
  });

  test('is not looked for where each server takes its own token', async () => {
    const taking = (token: string) => mcpServer(({headers}) => headers.authorization === `Bearer ${token}`);
    const signIn = tokenFor('platform-cli');
    const {find, deployment} = await scene({'/mcp': taking('own')});
    const controlPlaneUrl = await serveRoutes({'/mcp': taking(signIn.reveal())});
    const both = {deployment: {...deployment, controlPlaneUrl}, among: ['control-plane', 'observability']} as const;
    expect(await find({...both, tokens: {signIn, observability: new Secret('own')}})).toBeUndefined();
    expect(await find({...both, tokens: {signIn}})).toMatchObject({server: 'observability'});
  });

  test('is not looked for where there is no such server', async () => {
    const {ports} = await scene();
    const run = {ports, signal: noSignal, tell: () => {}};
    const services = {platform: bundled, controlPlaneUrl: 'https://api.acme.example'};
    expect(await readResource('observability', services, run)).toBeUndefined();
  });
});
