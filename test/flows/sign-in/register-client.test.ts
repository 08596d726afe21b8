import {describe, expect, test} from 'vitest';
import {registerClient} from '../../../src/flows/sign-in/register-client.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {serve} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

type Answer = {readonly status?: number; readonly body?: object};

const taken: Answer = {status: 409, body: {code: 'APP-1020', message: 'taken'}};

/** Registers a client; the requests get these answers one after the other. */
const register = async (answers: readonly Answer[], existing: 'refuse' | 'reset-secret' = 'reset-secret') => {
  const asked: {readonly request: string; readonly headers: object; readonly body: string}[] = [];
  const authUrl = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {authorization, 'content-type': type} = request.headers;
    const body = Buffer.concat(chunks).toString();
    asked.push({request: `${request.method} ${request.url}`, headers: {authorization, type}, body});
    const {status = 200, body: answer = {}} = answers[asked.length - 1] ?? {};
    response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(answer));
  });
  const input = {platform: bundled, authUrl, issuer: authUrl, clientId: 'mcp_client', secret: 'canary', existing};
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const registered = registerClient({...input, assertion: 'admin-token'}, run);
  return {asked, authUrl, registered};
};

const applications = (...list: readonly object[]): Answer => ({body: {applications: list}});

test('a client is registered for client credentials, by the header, for an hour at a time', async () => {
  const {asked, authUrl, registered} = await register([{status: 201}]);
  await registered;
  expect(asked.map(({request, headers}) => [request, headers])).toEqual([
    ['POST /applications', {authorization: 'Bearer admin-token', type: 'application/json'}],
  ]);
  expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
    name: 'mcp_client',
    inbound_auth_config: [
      {
        type: 'oauth2',
        config: {
          client_id: 'mcp_client',
          client_secret: 'canary',
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_basic',
          token: {issuer: authUrl, access_token: {validity_period: 3600}},
        },
      },
    ],
  });
});

describe('a client that is there already', () => {
  test.each([
    ['its status', taken],
    ['the name', {status: 400, body: {code: 'APP-1020'}}],
    ['the client ID', {status: 400, body: {code: 'APP-1021'}}],
  ])('is known by %s, and left alone unless somebody wants it otherwise', async (_what, answer) => {
    const {asked, authUrl, registered} = await register([answer], 'refuse');
    await expect(registered).rejects.toMatchObject({
      code: 'auth-client-exists',
      message: `${authUrl} already has a client called mcp_client.`,
      about: {url: authUrl, flag: 'client-id'},
    });
    expect(asked).toHaveLength(1);
  });

  test('is given the secret where that is wanted, and no other is', async () => {
    const others = [{id: 'other', client_id: 'other'}, null as never, {id: 'a/b', client_id: 'mcp_client'}];
    const {asked, registered} = await register([taken, applications(...others)]);
    await registered;
    expect(asked.map(({request}) => request)).toEqual([
      'POST /applications',
      'GET /applications',
      'PUT /applications/a%2Fb',
    ]);
    expect(asked[1]?.headers).toEqual({authorization: 'Bearer admin-token', type: undefined});
    expect(asked[2]?.body).toBe(asked[0]?.body);
  });

  test.each([
    ['its name is another client’s', applications({id: 'x', client_id: 'other'})],
    ['it has no ID', applications({client_id: 'mcp_client'})],
    ['there is no list', {body: {applications: 'none'}}],
  ])('has no secret to be set where %s', async (_what, list) => {
    const {asked, registered} = await register([taken, list]);
    await expect(worded(registered)).rejects.toMatchObject({
      code: 'auth-client-exists',
      message: 'An application called mcp_client exists, with another client ID.',
      remedy: 'Choose another client ID. Pass it with --client-id NAME.',
      about: {flag: 'client-id', isNameTaken: true},
    });
    expect(asked).toHaveLength(2);
  });
});

describe.each([
  ['the registration', []],
  ['the list', [taken]],
  ['the change', [taken, applications({id: 'x', client_id: 'mcp_client'})]],
])('%s that is refused', (_what, before) => {
  test.each([
    [401, {error: 'no'}, 'auth-permission-missing'],
    [403, {error: 'no'}, 'auth-permission-missing'],
    [400, {code: 'APP-1018', message: 'no'}, 'auth-recipe-closed'],
    [500, {error: 'no'}, 'platform-error'],
  ])('with %i says why', async (status, body, code) => {
    const {registered, authUrl} = await register([...before, {status, body}]);
    const error = await registered.catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining('no')});
    expect(error.about.url).toMatch(new RegExp(`^${authUrl}/applications`));
    expect(error.message).not.toMatch(/canary|admin-token/);
  });
});
