import {describe, expect, test} from 'vitest';
import {type Call, claimsOf, pkce, runningSandbox, send} from '../../support.ts';
import {authorizationUrl, cli} from '../browser.ts';

const {ready} = await runningSandbox();
const url = `${ready.authUrl}/flow/execute`;
const {applicationId} = ready;
const begin = {applicationId, flowType: 'AUTHENTICATION'};
const execute = (json: unknown) => send(url, {json});

const problem = (code: string, message: string, description: string) => ({code, message, description});
const badApplication = problem('FES-1003', 'Invalid request', 'Invalid app ID provided in the request');
const badPayload = problem('FES-1001', 'Invalid request payload', 'Failed to decode request payload');
const badType = problem('FES-1005', 'Invalid request', 'Invalid flow type provided in the request');
const badFlow = problem('FES-1004', 'Invalid request', 'Invalid flow ID provided in the request');

const refusals: readonly [name: string, call: Call, body: object][] = [
  ['an unknown application', {json: {...begin, applicationId: crypto.randomUUID()}}, badApplication],
  ['an empty application', {json: {...begin, applicationId: ''}}, badApplication],
  ['no application', {json: {flowType: 'AUTHENTICATION'}}, badApplication],
  ['an unknown flow type', {json: {...begin, flowType: 'BAD'}}, badType],
  ['an unknown flow', {json: {flowId: 'nope'}}, badFlow],
  ['bad JSON', {body: '{"applicationId":'}, badPayload],
  ['an empty body', {method: 'POST'}, badPayload],
  ['JSON null', {body: 'null'}, badPayload],
  ['a JSON array', {body: '[]'}, badPayload],
  ['inputs that are no texts', {json: {...begin, inputs: {username: 1}}}, badPayload],
];

test.each(refusals)('refuses %s', async (_, call, body) => {
  const answer = await send(url, call);
  expect(answer).toMatchObject({status: 400, json: body});
  expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('other methods and paths are not there', async () => {
  expect(await send(url)).toMatchObject({status: 405, text: 'Method Not Allowed\n', headers: {allow: 'OPTIONS, POST'}});
  expect(await send(`${url}/`, {json: begin})).toMatchObject({status: 404, text: '404 page not found\n'});
});

test('a body over the limit is refused without being read to its end', async () => {
  const answer = await send(url, {body: 'x'.repeat(300 * 1024)});
  expect(answer).toMatchObject({status: 413, json: {error: 'payload_too_large'}});
});

describe('signing in', () => {
  test.each([
    ['wrong password', {username: 'admin', password: 'x'}, 'The provided credentials are invalid'],
    ['unknown user', {username: 'nobody', password: 'x'}, 'No user found with the provided attributes'],
  ])('%s is an ERROR with status 200', async (_, inputs, reason) => {
    expect(await execute({...begin, inputs})).toMatchObject({
      status: 200,
      json: {flowStatus: 'ERROR', data: {}, failureReason: `Failed to authenticate user: ${reason}`},
    });
  });

  test('without inputs shows what it needs', async () => {
    const answer = await execute(begin);
    expect(answer).toMatchObject({status: 200});
    expect(answer.json).toEqual({
      flowId: expect.any(String),
      flowStatus: 'INCOMPLETE',
      type: 'VIEW',
      data: {
        inputs: [
          {ref: 'input_001', identifier: 'username', type: 'TEXT_INPUT', required: true},
          {ref: 'input_002', identifier: 'password', type: 'PASSWORD_INPUT', required: true},
        ],
        actions: [{ref: 'action_001', nextNode: 'basic_auth'}],
      },
    });
  });

  test('goes on where it stopped', async () => {
    const inputs = {username: 'admin', requested_permissions: 'system'};
    const first = await execute({...begin, inputs});
    expect(first.json.data.inputs.map((input: {identifier: string}) => input.identifier)).toEqual(['password']);

    const wrong = await execute({flowId: first.json.flowId, action: 'action_001', inputs: {password: 'x'}});
    expect(wrong.json).toMatchObject({flowId: first.json.flowId, flowStatus: 'ERROR'});

    const credentials = {...inputs, password: 'admin'};
    const done = await execute({flowId: first.json.flowId, action: 'action_001', inputs: credentials});
    expect(done.json).toMatchObject({flowId: first.json.flowId, flowStatus: 'COMPLETE', data: {}});
    expect(claimsOf(done.json.assertion).authorized_permissions).toBe('system');

    expect(await execute({flowId: first.json.flowId})).toMatchObject({status: 400, json: badFlow});
  });

  test('works for the flow of an authorization request too', async () => {
    const {challenge} = pkce();
    const {headers} = await send(authorizationUrl(ready, {...cli, code_challenge: challenge}));
    const query = new URL(headers.location ?? '').searchParams;
    const flowId = query.get('flowId');
    expect(await execute({flowId})).toMatchObject({status: 200, json: {flowId, flowStatus: 'INCOMPLETE'}});
    const done = await execute({flowId, action: 'action_001', inputs: {username: 'admin', password: 'admin'}});
    expect(claimsOf(done.json.assertion).aud).toBe(query.get('applicationId'));
  });

  test('the permission is there only for who has it and asks for it', async () => {
    const permissionsOf = async (inputs: object) =>
      claimsOf((await execute({...begin, inputs})).json.assertion).authorized_permissions;
    const admin = {username: 'admin', password: 'admin'};
    const developer = {username: 'developer', password: 'developer'};
    expect(await permissionsOf({...admin, requested_permissions: 'system'})).toBe('system');
    expect(await permissionsOf({...admin, requested_permissions: 'other'})).toBeUndefined();
    expect(await permissionsOf(admin)).toBeUndefined();
    expect(await permissionsOf({...developer, requested_permissions: 'system'})).toBeUndefined();
  });
});
