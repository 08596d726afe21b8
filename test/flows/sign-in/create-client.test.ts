import type {IncomingMessage} from 'node:http';
import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {createClient, findSavedClient} from '../../../src/flows/sign-in/create-client.ts';
import {openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';
import {sandboxPlatform} from '../../support/platform.ts';
import {createsClients} from '../../support/release.ts';
import {json, serve, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {createWith, obtain} from './support/obtain.ts';

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

type Behaviour = {
  /** True if the connection is cut after a client was created, or how else its answer is lost. */
  readonly losesAnswer?: boolean | 'by a gateway';
  /** An answer that replaces the flow's own, or that of the creation of a client. */
  readonly flow?: {readonly status: number; readonly body: unknown};
  readonly creation?: {readonly status: number; readonly body: unknown};
};

/** Starts an identity provider with the documented recipe, except where the behaviour says otherwise. */
const provider = async ({losesAnswer = false, flow, creation}: Behaviour = {}) => {
  const clients = new Map<string, string>();
  const posts: string[] = [];
  const issuer: string = await serve(async (request, response) => {
    const body = await bodyOf(request);
    const answer = (value: unknown, status = 200) => json(value, status)(request, response);
    if (request.url === '/flow/execute') return flow ? answer(flow.body, flow.status) : answer({assertion: 'a.b.c'});
    if (request.url === '/token') {
      const [id = '', secret] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
        .toString()
        .split(':');
      if (secret === undefined || clients.get(id) !== secret) return answer({error: 'invalid_client'}, 401);
      return answer({access_token: 'x', token_type: 'Bearer', expires_in: 60});
    }
    if (request.url !== '/applications') return answer({issuer, token_endpoint: `${issuer}/token`});
    if (creation) return answer(creation.body, creation.status);
    const {client_id: id, client_secret: secret} = JSON.parse(body).inbound_auth_config[0].config;
    posts.push(secret);
    if (clients.has(id)) return answer({code: 'APP-1021', message: 'Application with client ID already exists'}, 400);
    clients.set(id, secret);
    if (losesAnswer === 'by a gateway') return answer({message: 'upstream timed out'}, 504);
    if (losesAnswer) return request.socket.destroy();
    return answer({}, 201);
  });
  return {issuer, clients, posts};
};

const create = (
  issuer: string,
  ports: Ports,
  more: {readonly version?: string; readonly withoutRecipe?: true; readonly password?: undefined} = {},
) => {
  const input = {
    platform: openchoreo,
    ...{
      authUrl: issuer,
      issuer,
      username: 'admin',
      password: new Secret('admin'),
      clientId: 'mcp_client',
      existing: 'refuse' as const,
    },
    applicationId: '00000000-0000-4000-8000-000000000000',
    ...more,
  };
  return collect(createClient, input, ports);
};

const failed = (run: Promise<unknown>) => run.then(() => undefined).catch(error => error);

describe('a client that was created', () => {
  test('replaces a client of the same name whose secret was refused', async () => {
    const {issuer, clients} = await provider();
    const ports = portsIn(await temporaryDirectory());
    const key = {issuer, clientId: 'mcp_client'};
    const refused = {at: 1, reason: 'The identity provider refused to renew the sign-in.'};
    await ports.credentials.replace(key, {...key, clientSecret: 'former', accessToken: 'former', refused});
    expect((await collect(findSavedClient, key, ports)).result).toBeUndefined();
    await create(issuer, ports);
    const {result} = await collect(findSavedClient, key, ports);
    expect(result?.secret.reveal()).toBe(clients.get('mcp_client'));
    expect(await ports.credentials.get(key)).not.toHaveProperty('accessToken');
  });

  test('has its secret on disk before anything is done with it', async () => {
    const {issuer, clients} = await provider();
    const home = await temporaryDirectory();
    await create(issuer, portsIn(home));
    // The ports of a later run, which knows only what is on disk.
    const later = portsIn(home);
    const {result} = await collect(findSavedClient, {issuer, clientId: 'mcp_client'}, later);
    expect(result?.clientId).toBe('mcp_client');
    expect(result?.secret.reveal()).toBe(clients.get('mcp_client'));
  });

  test.each([
    [true, 'network-reset'],
    ['by a gateway', 'platform-error'],
  ] as const)('whose answer was lost is gone on with, by the secret of that time: %s', async (losesAnswer, code) => {
    const {issuer, clients, posts} = await provider({losesAnswer});
    const home = await temporaryDirectory();
    expect(await failed(create(issuer, portsIn(home)))).toMatchObject({code});
    expect(clients.size).toBe(1);

    const later = portsIn(home);
    const {result} = await create(issuer, later);
    expect(result.clientId).toBe('mcp_client');
    expect(posts[1]).toBe(posts[0]);
    expect(result.secret.reveal()).toBe(clients.get('mcp_client'));
  });

  test('whose secret could not be settled is gone on with too', async () => {
    const {issuer, clients} = await provider();
    const home = await temporaryDirectory();
    const ports = portsIn(home);
    let updates = 0;
    const update: typeof ports.credentials.update = async (key, change) => {
      updates += 1;
      // The first update stores the secret before the request, the second one settles it.
      if (updates === 2) throw new SetupError('local-write-failed', 'The disk is full.');
      return ports.credentials.update(key, change);
    };
    const full = {...ports, credentials: {...ports.credentials, update}};
    expect(await failed(create(issuer, full))).toMatchObject({code: 'local-write-failed'});
    const {result} = await create(issuer, portsIn(home));
    expect(result.secret.reveal()).toBe(clients.get('mcp_client'));
  });

  test('by somebody else is never taken for ours', async () => {
    const {issuer, clients} = await provider();
    clients.set('mcp_client', 'of-somebody-else');
    const ports = await temporaryPorts();
    expect(await failed(create(issuer, ports))).toMatchObject({code: 'auth-client-exists'});
    // The same after a run that never learned the result of its request.
    await ports.credentials.replace(
      {issuer, clientId: 'mcp_client'},
      {issuer, clientId: 'mcp_client', createdSecret: 'ours'},
    );
    expect(await failed(create(issuer, ports))).toMatchObject({code: 'auth-client-exists'});
    expect(await ports.credentials.get({issuer, clientId: 'mcp_client'})).toBeUndefined();
  });

  test('is not there where the identity provider refused: nothing is kept of it', async () => {
    const {issuer} = await provider({creation: {status: 403, body: {error: 'forbidden'}}});
    const ports = await temporaryPorts();
    expect(await failed(create(issuer, ports))).toMatchObject({code: 'auth-permission-missing'});
    expect(await ports.credentials.get({issuer, clientId: 'mcp_client'})).toBeUndefined();
  });

  test.each([{clientSecret: 'known'}, {accessToken: 'known'}])('%o survives a refusal', async known => {
    const {issuer, clients} = await provider();
    clients.set('mcp_client', 'known');
    const ports = await temporaryPorts();
    const key = {issuer, clientId: 'mcp_client'};
    await ports.credentials.replace(key, {...key, ...known});
    expect(await failed(create(issuer, ports))).toMatchObject({code: 'auth-client-exists'});
    expect(await ports.credentials.get(key)).toEqual({...key, ...known});
  });
});

test('a client that is not kept, or whose secret cannot be read, is yet to be created', async () => {
  const ports = await temporaryPorts();
  const key = {issuer: 'https://idp.example', clientId: 'mcp_client'};
  const find = async (through: Ports) => (await collect(findSavedClient, key, through)).result;
  expect(await find(ports)).toBeUndefined();
  await ports.credentials.replace(key, {...key, accessToken: 'access'});
  expect(await find(ports)).toBeUndefined();
  const get = () => Promise.reject(new Error('It is locked.'));
  expect(await find({...ports, credentials: {...ports.credentials, get}})).toBeUndefined();
});

test('a client is not created without the administrator’s password', async () => {
  const {issuer, posts} = await provider();
  expect(await failed(create(issuer, await temporaryPorts(), {password: undefined}))).toMatchObject({
    code: 'input-required',
    about: {flag: 'admin-password-stdin'},
  });
  expect(posts).toEqual([]);
});

describe('an identity provider that has closed the documented way', () => {
  const words = (key: string, defaultValue: string) => ({key, defaultValue});
  const refusal = (code: string, message: string, description: string) => ({
    code,
    message: words('error.message', message),
    description: words('error.description', description),
  });

  test.each([
    [
      'a flow of this kind of application',
      {
        flow: {
          status: 403,
          body: refusal(
            'FES-1010',
            'Direct flow initiation not permitted',
            'Direct flow initiation is not permitted for this application type',
          ),
        },
      },
      'Direct flow initiation is not permitted for this application type',
    ],
    [
      'a flow without attestation',
      {
        flow: {
          status: 400,
          body: refusal(
            'FES-1016',
            'Attestation not configured',
            'Mobile applications must configure platform attestation to initiate a flow',
          ),
        },
      },
      'Mobile applications must configure platform attestation',
    ],
    [
      'an application in the old shape',
      {
        creation: {
          status: 400,
          body: refusal('APP-1018', 'Invalid request format', 'The request body is malformed or contains invalid data'),
        },
      },
      'The request body is malformed or contains invalid data',
    ],
  ])('%s: its words, and what there is instead', async (_what, behaviour, said) => {
    const {issuer} = await provider(behaviour);
    expect(worded(await failed(create(issuer, await temporaryPorts(), {version: '1.3.0'})))).toMatchObject({
      code: 'auth-recipe-closed',
      message: expect.stringContaining(said),
      remedy: expect.stringContaining('service_mcp_client'),
    });
  });

  test('is not asked at all where that is known', async () => {
    const {issuer, posts} = await provider();
    const error = await failed(create(issuer, await temporaryPorts(), {withoutRecipe: true, version: '1.3.0'}));
    expect(error).toMatchObject({code: 'auth-recipe-closed'});
    expect(posts).toEqual([]);
  });

  test('names no client of the installation where that release makes none', async () => {
    const {issuer} = await provider({flow: {status: 403, body: {code: 'FES-1010', message: 'no'}}});
    const error = await failed(create(issuer, await temporaryPorts(), {version: '0.14.0'}));
    expect(worded(error).remedy).not.toMatch(/service_mcp_client|undefined/);
  });
});

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

    const {result, events} = await createWith(ready, ports, {existing: 'reset-secret'});
    expect(result).toHaveProperty('isReset', true);
    expect(events).toContainEqual({type: 'client-created', clientId: result.clientId, isReset: true});
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
    expect(worded(error)).toMatchObject({
      code,
      message: expect.stringContaining(ready.authUrl),
      remedy: expect.any(String),
    });
    expect(error.message).not.toContain('wrong');
  });

  test('where the identity provider does not tell the application, the portal is the remedy', async () => {
    const authUrl = await serve(text('404 page not found', 404));
    const ready = {...(await sandboxPlatform()), authUrl};
    await expect(worded(createWith(ready, await temporaryPorts()))).rejects.toMatchObject({
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
