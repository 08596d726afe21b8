import {expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {SaidRequest} from '../../../src/domain/sign-in/token-request.ts';
import {signInClient} from '../../../src/flows/sign-in/sign-in-client.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';
import {tokenServer} from '../../support/token-server.ts';

const good = {body: {access_token: 'access', token_type: 'Bearer', expires_in: 3600}};
const refusal = (error: string) => ({status: 400, body: {error}});

type Answer = {readonly status?: number; readonly body: object};

/** A service account at a control plane that names itself and a scope, and a provider that answers so. */
const signIn = async (answers: readonly Answer[], said?: SaidRequest) => {
  const controlPlaneUrl: string = await serve((request, response) =>
    json({
      resource: `${controlPlaneUrl}/mcp`,
      [bundled.externalClientsKey]: [{name: 'cli', client_id: 'cli', scopes: ['openid', 'platform:use']}],
    })(request, response),
  );
  let count = 0;
  const {issuer, asked} = await tokenServer(() => answers[count++] ?? good);
  const client = {clientId: 'ci', method: 'service-account', secret: new Secret('secret')} as const;
  const input = {platform: bundled, controlPlaneUrl, issuer, ...client, said};
  const run = collect(signInClient(input, await temporaryPorts(), noSignal));
  const forms = () => asked.map(form => [form.get('scope'), form.get('resource'), form.get('audience')]);
  return {run, forms, resource: `${controlPlaneUrl}/mcp`};
};

test('a client asks for what people ask for, without the scopes about a person', async () => {
  const {run, forms, resource} = await signIn([good]);
  const {result} = await run;
  expect(result.client).toEqual({clientId: 'ci', scopes: ['platform:use'], resource});
  expect(forms()).toEqual([['platform:use', resource, null]]);
});

test('it asks for what the person says', async () => {
  const {run, forms} = await signIn([good], {scopes: ['a', 'b'], audience: 'api', resource: 'none'});
  expect((await run).result.client).toEqual({clientId: 'ci', scopes: ['a', 'b'], resource: 'none'});
  expect(forms()).toEqual([['a b', null, 'api']]);
});

test('what nobody has said is left out where it is refused', async () => {
  const {run, forms, resource} = await signIn([refusal('invalid_target'), refusal('invalid_scope'), good]);
  expect((await run).result.client).toEqual({clientId: 'ci', scopes: [], resource: 'none'});
  expect(forms()).toEqual([
    ['platform:use', resource, null],
    ['platform:use', null, null],
    [null, null, null],
  ]);
});

test.each([
  [{resource: 'https://said'}, 'invalid_target', 'auth-resource-refused'],
  [{audience: 'said'}, 'invalid_target', 'auth-resource-refused'],
  [{scopes: ['said']}, 'invalid_scope', 'auth-scope-refused'],
])('what the person has said is not left out: %j', async (said, error, code) => {
  const {run, forms} = await signIn([refusal(error), good], said);
  await expect(run).rejects.toMatchObject({code});
  expect(forms()).toHaveLength(1);
});

test.each([
  ['invalid_target', 'auth-resource-refused', 2],
  ['invalid_scope', 'auth-scope-refused', 2],
])('who refuses all the same is not asked for ever: %s', async (error, code, times) => {
  const {run, forms} = await signIn(Array.from({length: 9}, () => refusal(error)));
  await expect(run).rejects.toMatchObject({code});
  expect(forms()).toHaveLength(times);
});
