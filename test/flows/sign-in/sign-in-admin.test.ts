import {describe, expect, test} from 'vitest';
import {signInAdmin} from '../../../src/flows/sign-in/register-client.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {serve} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

type Answer = {readonly status?: number; readonly body: object};

/** Signs an administrator in; the steps of the flow get these answers. */
const signIn = async (...answers: readonly Answer[]) => {
  const asked: unknown[] = [];
  const authUrl = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    const {status = 200, body} = answers[Math.min(asked.length, answers.length) - 1] ?? {body: {}};
    response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
  });
  const input = {platform: bundled, authUrl, applicationId: 'app', username: 'admin', password: 'canary'};
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  return {asked, authUrl, url: `${authUrl}/flow/execute`, assertion: signInAdmin(input, run)};
};

const inputs = {username: 'admin', password: 'canary', requested_permissions: 'system'};
const done: Answer = {body: {flowStatus: 'COMPLETE', assertion: 'a.b.c'}};

describe('a flow', () => {
  test('ends in one step where that is enough', async () => {
    const {asked, assertion} = await signIn(done);
    expect(await assertion).toBe('a.b.c');
    expect(asked).toEqual([{applicationId: 'app', flowType: 'AUTHENTICATION', inputs}]);
  });

  test.each([
    ['by the action that it names', {data: {actions: [{ref: 'action_001'}]}}, {action: 'action_001'}],
    ['without one where it names none', {data: {}}, {}],
    ['without one where it has no data', {}, {}],
  ])('takes the inputs in a second step, %s', async (_how, more, action) => {
    const {asked, assertion} = await signIn({body: {flowId: 'f1', flowStatus: 'INCOMPLETE', ...more}}, done);
    expect(await assertion).toBe('a.b.c');
    expect(asked[1]).toEqual({flowId: 'f1', inputs, ...action});
  });

  test.each([
    ['it has no ID', {flowStatus: 'INCOMPLETE'}],
    ['it is complete', {flowId: 'f1', flowStatus: 'COMPLETE'}],
  ])('that wants something else ends after the first step where %s', async (_what, body) => {
    const {asked, assertion, authUrl} = await signIn({body});
    await expect(worded(assertion)).rejects.toMatchObject({
      code: 'auth-admin-refused',
      message: `${authUrl} asks for more than a username and a password.`,
      remedy: expect.stringContaining('existing MCP client'),
      about: {url: authUrl},
    });
    expect(asked).toHaveLength(1);
  });

  test('that has an assertion already is not gone on with', async () => {
    const {asked, assertion} = await signIn({body: {flowId: 'f1', flowStatus: 'INCOMPLETE', assertion: 'a.b.c'}});
    expect(await assertion).toBe('a.b.c');
    expect(asked).toHaveLength(1);
  });
});

test.each([
  ['a sentence', {flowId: 'f1', flowStatus: 'INCOMPLETE', failureReason: 'Wrong password'}],
  ['an error', {error: {message: 'Wrong password'}}],
  ['an error with a key for translation', {error: {message: {key: 'error.password', defaultValue: 'Wrong password'}}}],
])('a refusal with 200 is told by its own words: %s', async (_what, body) => {
  const {asked, assertion, authUrl} = await signIn({body});
  await expect(assertion).rejects.toMatchObject({
    code: 'auth-admin-refused',
    message: `${authUrl} refused to sign in admin: Wrong password.`,
    about: {url: authUrl},
  });
  // The password is sent only once.
  expect(asked).toHaveLength(1);
});

test.each([{error: {message: null}}, {error: {message: 7}}, {error: {message: {defaultValue: 7}}}])(
  'a refusal without words is one nevertheless: %o',
  async body => {
    const {assertion} = await signIn({body});
    await expect(assertion).rejects.toMatchObject({code: 'auth-admin-refused'});
  },
);

describe('an error', () => {
  test.each([
    [400, {code: 'FES-1003', message: 'no'}, 'auth-application-unknown', {flag: 'application-id'}],
    [500, {code: 'FES-1003', message: 'no'}, 'platform-error', {}],
    [403, {code: 'FES-1', message: 'no'}, 'auth-admin-refused', {}],
    [400, {code: 'FES-1', message: 'no'}, 'platform-rejected', {}],
  ])('of status %i with %o says whose it is', async (status, body, code, about) => {
    const {assertion, url} = await signIn({status, body});
    const error = await assertion.catch(caught => caught);
    expect(error).toMatchObject({code, about: {url, ...about}});
    expect(error.message).toContain(url);
    expect(error.message).not.toContain('canary');
  });

  test.each(['1010', '1011', '1012', '1016', '1017'])('FES-%s says that the documented way is closed', async number => {
    const {assertion, url} = await signIn({status: 400, body: {code: `FES-${number}`, message: 'no'}});
    await expect(assertion).rejects.toMatchObject({
      code: 'auth-recipe-closed',
      message: `${url} doesn’t allow the documented way to create a client (FES-${number}: no).`,
      about: {url},
    });
  });

  test.each(['1013', '1015', '1018', '10100'])('FES-%s is another one', async number => {
    const {assertion} = await signIn({status: 400, body: {code: `FES-${number}`, message: 'no'}});
    await expect(assertion).rejects.not.toMatchObject({code: 'auth-recipe-closed'});
  });
});
