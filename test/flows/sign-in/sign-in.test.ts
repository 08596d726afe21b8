import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {ClientMethod} from '../../../src/domain/sign-in/sign-in-method.ts';
import {createClient} from '../../../src/flows/sign-in/clients/create-client.ts';
import {obtainToken} from '../../../src/flows/sign-in/obtain-token.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import type {SandboxReady} from '../../../src/sandbox/sandbox.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {clientOf, sandboxPlatform} from '../../support/platform.ts';
import {createsClients} from '../../support/release.ts';
import {type Handler, json, serve, text} from '../../support/server.ts';

const obtain = async (issuer: string, clientId: string, secret: string, method: ClientMethod) => {
  const ports = await temporaryPorts();
  const request = {issuer, clientId, method, secret: new Secret(secret)};
  const {result, events} = await collect(obtainToken(request, ports, noSignal));
  return {result, events, token: result.access.reveal()};
};

describe('a token by client credentials', () => {
  test.each([
    ['mcp-client', 'client_secret_basic'],
    ['service-account', 'client_secret_post'],
  ] as const)('%s', async (method, authentication) => {
    const ready = await sandboxPlatform();
    const {clientId, secret} = clientOf(ready, authentication);
    const {result, events, token} = await obtain(ready.authUrl, clientId, secret, method);

    expect(token.split('.')).toHaveLength(3);
    expect(result.account).toBe(clientId);
    expect(Math.abs((result.expiresAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const told = JSON.stringify([result, events]);
    expect(told).not.toContain(token);
    expect(told).not.toContain(secret);
  });

  test('a wrong secret names the client and not the secret', async () => {
    const ready = await sandboxPlatform();
    const {clientId} = clientOf(ready, 'client_secret_basic');
    const error = await obtain(ready.authUrl, clientId, 'canary', 'mcp-client').catch(caught => caught);
    expect(error).toMatchObject({code: 'auth-client-refused', message: expect.stringContaining(clientId)});
    expect(error.about).toEqual({url: ready.authUrl, server: ready.authUrl});
    expect(JSON.stringify([error.message, error.remedy])).not.toContain('canary');
  });

  test('credentials sent in the way of the other kind of client', async () => {
    const ready = await sandboxPlatform();
    const {clientId, secret} = clientOf(ready, 'client_secret_basic');
    await expect(obtain(ready.authUrl, clientId, secret, 'service-account')).rejects.toMatchObject({
      code: 'auth-method-refused',
      remedy: expect.stringContaining('--sign-in mcp-client'),
    });
  });

  test.each([
    ['decodes', '1.2', 'odd:client %+/'],
    // One that does not decode takes the first colon for the end of the ID.
    ['compares what was sent', '0.14', 'odd client %+/'],
  ] as const)(
    'a name with characters that Basic has to encode, at a server that %s',
    async (_what, release, clientId) => {
      const ready = await sandboxPlatform('single', {release});
      const ports = await temporaryPorts();
      const {secret} = (await createWith(ready, ports, {clientId})).result;
      const {token} = await obtain(ready.authUrl, clientId, secret.reveal(), 'mcp-client');
      expect(token).not.toBe('');
    },
  );
});

describe('an identity provider that is not well', () => {
  /** Discovery as it should be, and a token endpoint that answers as the test says. */
  const provider = async (token: Handler) => {
    const issuer: string = await serve((request, response) => {
      if (request.url === '/oauth2/token') token(request, response);
      else json({issuer, token_endpoint: `${issuer}/oauth2/token`})(request, response);
    });
    return issuer;
  };

  test.each([
    ['HTML with 200', text('<html>', 200, 'text/html'), 'network-portal'],
    ['HTML with 502', text('<html>', 502, 'text/html'), 'platform-error'],
    ['a truncated answer', text('{"access_token":', 200, 'application/json'), 'platform-invalid-answer'],
    ['an answer without a token', json({token_type: 'Bearer'}), 'platform-invalid-answer'],
    ['a foreign token type', json({access_token: 'x', token_type: 'mac'}), 'platform-invalid-answer'],
    [
      'a grant that is not allowed',
      json({error: 'unauthorized_client', error_description: 'no'}, 400),
      'auth-method-refused',
    ],
    [
      'an error in the platform’s own words',
      json({error: 'server_error', error_description: 'a\u001B[2Jb'}, 500),
      'platform-error',
    ],
  ])('%s', async (_name, handler, code) => {
    const issuer = await provider(handler);
    const error = await obtain(issuer, 'mcp_client', 'canary', 'mcp-client').catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(issuer)});
    expect(error.message).not.toMatch(/canary|\u001B/);
  });

  test('a token endpoint that redirects gets no secret sent on', async () => {
    let arrived = 0;
    const thief = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const issuer = await provider((_request, response) => response.writeHead(307, {Location: `${thief}/`}).end());
    await expect(obtain(issuer, 'mcp_client', 'canary', 'service-account')).rejects.toMatchObject({
      code: expect.any(String),
    });
    expect(arrived).toBe(0);
  });

  test('a token endpoint without TLS on another machine gets no secret at all', async () => {
    const issuer: string = await serve((request, response) => {
      json({issuer, token_endpoint: 'http://10.255.255.1/oauth2/token'})(request, response);
    });
    await expect(obtain(issuer, 'mcp_client', 'canary', 'mcp-client')).rejects.toMatchObject({
      code: 'auth-endpoint-foreign',
    });
  });
});

type Overrides = {
  readonly clientId?: string;
  readonly username?: string;
  readonly password?: string;
  readonly applicationId?: string;
  readonly existing?: 'refuse' | 'reset-secret';
};

const createWith = (
  ready: SandboxReady,
  ports: Awaited<ReturnType<typeof temporaryPorts>>,
  overrides: Overrides = {},
) => {
  const {
    username = ready.admin.username,
    password = ready.admin.password,
    clientId = 'mcp_client',
    existing = 'refuse',
  } = overrides;
  const application = overrides.applicationId ? {applicationId: overrides.applicationId} : {};
  const input = {
    platform: bundled,
    authUrl: ready.authUrl,
    issuer: ready.authUrl,
    username,
    password: new Secret(password),
    clientId,
    existing,
    ...application,
  };
  return collect(createClient(input, ports, noSignal));
};

describe.runIf(createsClients)('an MCP client', () => {
  test('is created, and its secret is used at once', async () => {
    const ready = await sandboxPlatform();
    const ports = await temporaryPorts();
    const {result, events} = await createWith(ready, ports);
    expect(result.clientId).toBe('mcp_client');
    expect(events.map(({type}) => type).filter(type => !type.startsWith('call-'))).toEqual([
      'application-found',
      'admin-signed-in',
      'client-created',
    ]);
    expect(events).toContainEqual({
      type: 'application-found',
      applicationId: ready.applicationId,
      by: 'authorization-redirect',
    });
    const secret = result.secret.reveal();
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(JSON.stringify(events)).not.toContain(`"password":"${ready.admin.password}"`);
    expect((await obtain(ready.authUrl, 'mcp_client', secret, 'mcp-client')).token).not.toBe('');
  });

  test('that exists is refused, then given a new secret when that is wanted', async () => {
    const ready = await sandboxPlatform();
    const ports = await temporaryPorts();
    const first = (await createWith(ready, ports)).result.secret.reveal();
    await expect(createWith(ready, ports)).rejects.toMatchObject({code: 'auth-client-exists'});

    const {result} = await createWith(ready, ports, {existing: 'reset-secret'});
    const second = result.secret.reveal();
    expect(second).not.toBe(first);
    await obtain(ready.authUrl, 'mcp_client', second, 'mcp-client');
    await expect(obtain(ready.authUrl, 'mcp_client', first, 'mcp-client')).rejects.toMatchObject({
      code: 'auth-client-refused',
    });
  });

  test.each([
    ['a wrong password', {password: 'wrong'}, 'auth-admin-refused'],
    ['an unknown user', {username: 'nobody'}, 'auth-admin-refused'],
    ['a person who is no administrator', {username: 'developer', password: 'developer'}, 'auth-permission-missing'],
    [
      'an application that is unknown',
      {applicationId: '00000000-0000-4000-8000-000000000000'},
      'auth-application-unknown',
    ],
  ])('%s', async (_name, overrides, code) => {
    const ready = await sandboxPlatform();
    const error = await createWith(ready, await temporaryPorts(), overrides).catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(ready.authUrl), remedy: expect.any(String)});
    expect(error.message).not.toContain('wrong');
  });

  test('where the identity provider does not tell the application, the portal is the remedy', async () => {
    const authUrl = await serve(text('404 page not found', 404));
    const ready = {...(await sandboxPlatform()), authUrl};
    await expect(createWith(ready, await temporaryPorts())).rejects.toMatchObject({
      code: 'auth-application-unknown',
      remedy: expect.stringContaining(`${authUrl}/develop`),
    });
  });

  test('a flow that takes its inputs in a second step', async () => {
    const ready = await sandboxPlatform();
    const bodies: unknown[] = [];
    const authUrl = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = (body: unknown, status = 200) => json(body, status)(request, response);
      if (request.url !== '/flow/execute') return answer({}, 201);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      bodies.push(body);
      return body.flowId
        ? answer({flowId: 'f1', flowStatus: 'COMPLETE', assertion: 'a.b.c'})
        : answer({flowId: 'f1', flowStatus: 'INCOMPLETE', type: 'VIEW', data: {actions: [{ref: 'action_001'}]}});
    });
    await createWith({...ready, authUrl}, await temporaryPorts(), {applicationId: ready.applicationId});
    expect(bodies[1]).toEqual({
      flowId: 'f1',
      action: 'action_001',
      inputs: expect.objectContaining({username: 'admin'}),
    });
  });
});
