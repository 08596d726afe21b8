import {once} from 'node:events';
import {createServer} from 'node:http';
import type {Client} from '@modelcontextprotocol/client';
import {describe, expect, onTestFinished, test} from 'vitest';
import {beginSignIn} from '../../../src/bridge/local-server/sign-in-attempt.ts';
import type {Context} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {type Platform, platformForTest} from '../../e2e/support/platform.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {developer, navigate, signInAt} from '../../support/browser.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {clientOf} from '../../support/platform.ts';
import {json, serve} from '../../support/server.ts';
import {clientThat} from '../eras/support.ts';
import {away, bridgeTo} from '../support/bridge.ts';
import {type Json, mcpServer, VERSION} from '../support/mcp-server.ts';

const clientInfo = {name: 'test', version: '1'};
const listChanged = ({method}: Json) => method === 'notifications/tools/list_changed';
const asksToOpen = ({method, params}: Json) => method === 'elicitation/create' && params.mode === 'url';
const textIn = ({result}: Json): string => result.content[0].text;
const addressIn = (answer: Json): string => /^https?:\/\/\S+\/oauth2\/authorize\?\S+$/m.exec(textIn(answer))?.[0] ?? '';
const openAndSignIn = async (url: string) => navigate(await signInAt(url, developer));

const contextOf = ({ready, redirectUri}: Platform): Partial<Context> => ({
  name: 'acme',
  baseDomain: ready.baseDomain,
  controlPlaneUrl: ready.controlPlaneUrl,
  observerUrl: ready.observerUrl,
  authUrl: ready.authUrl,
  issuer: ready.authUrl,
  redirectUri,
});

/** Gets a token of the sandbox's service account. */
const tokenOf = async ({ready}: Platform, ports: Ports): Promise<string> => {
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const request = {issuer: ready.authUrl, clientId, method: 'service-account', secret: new Secret(secret)} as const;
  return (await collect(obtainToken, request, ports)).result.access.reveal();
};

/** Listens at a port for a moment. Rejects if the port is taken. */
const listenAt = async (port: number): Promise<number> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  return port;
};

/** Starts a bridge to a sandbox without a sign-in, and completes the handshake with these client capabilities. */
const signedOut = async (
  {more = {}, ...options}: Partial<SandboxOptions> & {more?: Partial<Context>} = {},
  capabilities: object = {},
) => {
  const platform = await platformForTest(options);
  const context = {...contextOf(platform), ...more};
  const bridge = await bridgeTo(platform.ready.controlPlaneUrl, {context, kept: 'none'});
  await bridge.request('initialize', {protocolVersion: VERSION, capabilities, clientInfo});
  bridge.notify('notifications/initialized');
  const call = (params: object = {}) => bridge.request('tools/call', {name: 'sign_in', arguments: {}, ...params});
  const names = async () => (await bridge.request('tools/list')).result.tools.map(({name}: Json) => name);
  return {...bridge, platform, call, names};
};

describe('for a client that shows text', () => {
  test('gives an address at once, and the tools come when the person has signed in there', async () => {
    const {call, names, until, others, context} = await signedOut();
    const first = await call();
    expect(first.result.isError).toBe(false);
    expect(addressIn(first)).toContain('code_challenge_method=S256');
    const second = await call();
    expect(textIn(second)).toContain('still waiting');
    expect(addressIn(second)).toBe(addressIn(first));
    expect(await names()).toEqual(['sign_in']);

    expect(await openAndSignIn(addressIn(first))).toMatchObject({status: 200});
    await until(listChanged);
    expect((await names()).length).toBeGreaterThan(5);
    const kept = await others.credentials.get(context);
    expect(kept).toMatchObject({account: expect.stringContaining('developer'), refreshToken: expect.any(String)});
    // The bridge sees the new token before the context is saved.
    await expect
      .poll(async () => (await others.config.read()).contexts)
      .toMatchObject([{name: 'acme', scopes: expect.any(Array)}]);
    const third = await call();
    expect(third.result.isError).toBe(false);
    expect(textIn(third)).toMatch(/^Signed in to acme as \S*developer\S*\. The platform’s tools are available now\.$/);
    expect(textIn(await call())).toBe(textIn(third));
  });

  test('says that the account has no role where that is why there are no tools', async () => {
    const {call, names, until} = await signedOut({release: '1.2'});
    const address = addressIn(await call());
    expect(await openAndSignIn(address)).toMatchObject({status: 200});
    await until(listChanged);
    expect(await names()).toEqual([]);
    const {result} = await call();
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(
      /^Signed in to acme as \S*developer\S*\. The platform offers this account no tools: it may have no role\. Ask an administrator/,
    );
  });

  test('asks for one token after the other where each server takes only its own', async () => {
    const {platform} = {platform: await platformForTest({resources: 'each'})};
    const observability = `${platform.ready.observerUrl}/mcp`;
    const context = {...contextOf(platform), resources: {observability}};
    const bridge = await bridgeTo(platform.ready.controlPlaneUrl, {context, kept: 'none'});
    await bridge.initialize();
    const call = () => bridge.request('tools/call', {name: 'sign_in'});
    const asked = await call();
    const first = addressIn(asked);
    const why = `${observability} accepts only tokens issued for it.`;
    expect(textIn(asked)).toContain(`Then call sign_in again: the user has to sign in a second time, because ${why}`);
    expect(textIn(asked)).not.toContain('appear by themselves');
    await openAndSignIn(first);
    await expect.poll(async () => addressIn(await call())).not.toBe(first);
    const askedAgain = textIn(await call());
    expect(askedAgain).toMatch(/^The first sign-in is complete\. The user has to sign in a second time: /);
    expect(askedAgain).toContain('The platform’s tools appear by themselves after that');
    const second = addressIn(await call());
    expect(new URL(second).searchParams.get('resource')).toBe(observability);
    await openAndSignIn(second);
    await bridge.until(listChanged);
    const [own] = (await bridge.others.config.read()).contexts;
    expect(own?.resources).toEqual({observability});
    expect(await bridge.others.credentials.get({...bridge.context, audience: observability})).toMatchObject({
      accessToken: expect.any(String),
    });
  });
});

test.each(['from the start', 'in a session'])(
  'a token that the server refuses for good, %s, leads to another sign-in',
  async when => {
    let isRefused = when === 'from the start';
    let count = 0;
    const provider: string = await serve(async (request, response) => {
      const {pathname} = new URL(request.url ?? '/', provider);
      count += pathname === '/token' ? 1 : 0;
      const renewed = {access_token: `a-${count}`, refresh_token: 'r', token_type: 'Bearer', expires_in: 3600};
      const metadata = {
        ...{
          issuer: provider,
          authorization_endpoint: `${provider}/oauth2/authorize`,
          token_endpoint: `${provider}/token`,
        },
        ...{
          jwks_uri: `${provider}/jwks`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        },
      };
      json(pathname === '/token' ? renewed : metadata)(request, response);
    });
    const server = await mcpServer({accepts: () => !isRefused});
    const context = {redirectUri: `http://127.0.0.1:${await reservedPort()}/auth-callback`};
    const {initialize, request} = await bridgeTo(server.origin, {issuer: provider, context, kept: {refreshToken: 'r'}});
    if (isRefused) expect(await initialize()).toMatchObject(away('auth-token-refused'));
    else {
      await initialize();
      isRefused = true;
      expect(await request('echo', {})).toMatchObject({error: {data: {code: 'auth-token-refused'}}});
    }
    expect(addressIn(await request('tools/call', {name: 'sign_in'}))).toContain(`${provider}/oauth2/authorize?`);
  },
);

test('who is signed out once more in a session gets an address at once', async () => {
  const {call, until, context, others, request} = await signedOut();
  await openAndSignIn(addressIn(await call()));
  await until(listChanged);
  await others.credentials.replace(context, undefined);
  expect(await request('tools/list')).toMatchObject({result: {tools: [{name: 'sign_in'}]}});
  const again = await call();
  expect(again.result.isError).toBe(false);
  expect(addressIn(again)).toContain('code_challenge_method=S256');
});

describe('another sign-in of the same person', () => {
  test('gets the port of the one that an assistant began', async () => {
    const bridge = await signedOut();
    await bridge.call();
    const other = beginSignIn(bridge.context, bridge.others, noSignal);
    const address = await other.nextAddress(0);
    expect(other.outcome).toBeUndefined();
    const {result} = await bridge.call();
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe(
      'The user started another sign-in on this machine, which needs the same port, so this sign-in was stopped. The platform’s tools appear by themselves when the other sign-in is finished.',
    );
    expect(await openAndSignIn(address ?? '')).toMatchObject({status: 200});
    expect(await other.ended).toMatchObject({account: expect.stringContaining('developer')});
    await bridge.until(listChanged);
  });

  test('ends that one, whose port is free then', async () => {
    const bridge = await signedOut();
    await bridge.call();
    const port = Number(new URL(bridge.context.redirectUri ?? '').port);
    await expect(listenAt(port)).rejects.toThrow('EADDRINUSE');
    await bridge.signIn({accessToken: await tokenOf(bridge.platform, bridge.others), account: 'developer'});
    await bridge.until(listChanged);
    await expect.poll(() => listenAt(port).catch(() => undefined)).toBe(port);
    expect(textIn(await bridge.call())).toMatch(/^Signed in to acme as developer\. The platform’s tools are/);
  });
});

describe('for a client that can ask its person to open an address', () => {
  const able = {elicitation: {form: {}, url: {}}};

  test('asks, waits for the sign-in, and says who is signed in', async () => {
    const {call, names, until, send, request, messages} = await signedOut({}, able);
    const listed = until(listChanged).then(() => request('tools/list'));
    const answer = call({_meta: {progressToken: 'p'}});
    const {id, params} = await until(asksToOpen);
    expect(params).toMatchObject({elicitationId: expect.any(String), message: expect.stringContaining('acme')});
    await until(({method, params}) => method === 'notifications/progress' && params.progressToken === 'p');
    send({jsonrpc: '2.0', id, result: {action: 'accept'}});
    await openAndSignIn(params.url);
    expect(textIn(await answer)).toMatch(
      /^Signed in to acme as \S*developer\S*\. The platform’s tools are available now\.$/,
    );
    const {elicitationId} = params;
    expect(messages()).toContainEqual(
      expect.objectContaining({method: 'notifications/elicitation/complete', params: {elicitationId}}),
    );
    // The client gets the new tools before its model learns of them.
    const answers = [(await listed).id, (await answer).id];
    expect(messages().flatMap(({id: one}) => (answers.includes(one) ? [one] : []))).toEqual(answers);
    expect((await names()).length).toBeGreaterThan(5);
  });

  test.each(['decline', 'cancel'])('ends the sign-in where the person says %s', async action => {
    const {call, until, send, messages} = await signedOut({}, able);
    const answer = call();
    const {id, params} = await until(asksToOpen);
    send({jsonrpc: '2.0', id, result: {action}});
    const {result} = await answer;
    expect(result).toMatchObject({
      isError: true,
      content: [{text: expect.stringContaining('chose not to open the address')}],
    });
    await expect(openAndSignIn(params.url)).rejects.toThrow();
    expect(messages().filter(({method}) => method === 'notifications/elicitation/complete')).toEqual([]);
  });

  test('shows the address where the client does not do what it said', async () => {
    const {call, until, send} = await signedOut({}, able);
    const answer = call();
    const {id, params} = await until(asksToOpen);
    send({jsonrpc: '2.0', id, error: {code: -32602, message: 'no'}});
    expect(addressIn(await answer)).toBe(params.url);
  });

  test('goes on where the call is given up, and does not answer it', async () => {
    const {send, notify, until, messages, request} = await signedOut({}, able);
    send({jsonrpc: '2.0', id: 'given-up', method: 'tools/call', params: {name: 'sign_in'}});
    const {id: question, params} = await until(asksToOpen);
    send({jsonrpc: '2.0', id: question, result: {action: 'accept'}});
    await request('ping');
    notify('notifications/cancelled', {requestId: 'given-up'});
    expect(addressIn(await request('tools/call', {name: 'sign_in'}))).toBe(params.url);
    await openAndSignIn(params.url);
    await until(listChanged);
    expect(messages().filter(({id}) => id === 'given-up')).toEqual([]);
    expect(messages().filter(({method}) => method === 'notifications/elicitation/complete')).toEqual([]);
  });
});

describe('for a client of the stateless era that can ask its person', () => {
  const connect = async (answer: (url: string) => Promise<'accept' | 'decline'>) => {
    const platform = await platformForTest();
    const bridge = await bridgeTo(platform.ready.controlPlaneUrl, {context: contextOf(platform), kept: 'none'});
    const {client, transport} = await clientThat('modern', bridge, {capabilities: {elicitation: {url: {}}}});
    client.setRequestHandler('elicitation/create', async ({params}) => {
      if (params.mode !== 'url') throw new Error('It was asked something else.');
      expect(params.message).toContain('acme');
      return {action: await answer(params.url)};
    });
    await client.connect(transport);
    return client;
  };
  const callOf = async (client: Client) => client.callTool({name: 'sign_in', arguments: {}});

  test('the call ends with the address, and goes on once it was opened', async () => {
    const client = await connect(async url => {
      await openAndSignIn(url);
      return 'accept';
    });
    expect(await callOf(client)).toMatchObject({
      isError: false,
      content: [{text: expect.stringMatching(/^Signed in to acme as \S*developer\S*\. The platform’s tools are/)}],
    });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  test('the sign-in ends where the person does not want it', async () => {
    let address = '';
    const client = await connect(async url => {
      address = url;
      return 'decline';
    });
    expect(await callOf(client)).toMatchObject({
      isError: true,
      content: [{text: expect.stringContaining('chose not to open the address')}],
    });
    await expect(openAndSignIn(address)).rejects.toThrow();
  });
});

describe('a sign-in that cannot be, for', () => {
  test('the port is taken says so, and works once it is free', async () => {
    const {platform, call} = await signedOut();
    const {promise, resolve} = Promise.withResolvers<void>();
    const other = createServer().listen(platform.port, '127.0.0.1', () => resolve());
    await promise;
    onTestFinished(() => void other.close());
    const taken = await call();
    expect(taken.result.isError).toBe(true);
    expect(textIn(taken)).toMatch(
      /Another sign-in, perhaps from another assistant, may be using the port.*`setup login`/,
    );
    await new Promise(closed => other.close(closed));
    expect(addressIn(await call())).not.toBe('');
  });

  test('the person says no to the identity provider is told by the next call, and the one after begins anew', async () => {
    const {call} = await signedOut();
    const url = addressIn(await call());
    const {searchParams} = new URL(url);
    const denied = new URL(searchParams.get('redirect_uri') ?? '');
    denied.search = new URLSearchParams({error: 'access_denied', state: searchParams.get('state') ?? ''}).toString();
    await navigate(denied);
    await expect.poll(async () => (await call()).result.isError).toBe(true);
    const again = addressIn(await call());
    expect(again).not.toBe('');
    expect(again).not.toBe(url);
  });

  test('it is a client that signs in, says what renews that', async () => {
    const platform = await platformForTest();
    const {clientId} = clientOf(platform.ready, 'client_secret_post');
    const context = {...contextOf(platform), signIn: 'service-account', clientId} as const;
    const kept = {clientSecret: 'an-old-one', obtainedAt: 1, expiresAt: 2};
    const {initialize, request} = await bridgeTo(platform.ready.controlPlaneUrl, {context, kept});
    await initialize();
    const {result} = await request('tools/call', {name: 'sign_in'});
    expect(result).toMatchObject({
      isError: true,
      content: [{text: expect.stringMatching(/secret of the client .* run `setup login`/)}],
    });
    expect(JSON.stringify(result)).not.toContain('an-old-one');
  });

  test('nothing is wrong with it, says what is', async () => {
    const server = await mcpServer({answers: {initialize: (_, response) => void response.writeHead(503).end()}});
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const {result} = await request('tools/call', {name: 'sign_in'});
    expect(result).toMatchObject({isError: true, content: [{text: expect.stringContaining('answered 503')}]});
  });
});

test('no secret of a sign-in is in what is said, but for the address that is of use to nobody else', async () => {
  const {call, until, lines, logs, others, context} = await signedOut();
  await openAndSignIn(addressIn(await call()));
  await until(listChanged);
  await call();
  const kept = await others.credentials.get(context);
  const said = [...lines, ...logs].join('\n');
  for (const secret of [kept?.accessToken, kept?.refreshToken]) expect(said).not.toContain(secret ?? 'nothing');
});

test('a model that calls the tool before it has come into the list gets its answer, and not the failure', async () => {
  const platform = await platformForTest();
  const context = contextOf(platform);
  const bridge = await bridgeTo(platform.ready.controlPlaneUrl, {context});
  await bridge.signIn({accessToken: await tokenOf(platform, bridge.others)});
  await bridge.initialize();
  expect(await bridge.request('ping')).toHaveProperty('result');
  await bridge.others.credentials.replace(bridge.context, undefined);
  const answer = await bridge.request('tools/call', {name: 'sign_in', arguments: {}});
  expect(addressIn(answer)).toContain(`${platform.ready.authUrl}/oauth2/authorize?`);
});
