import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {type SaidRequest, wantedOf} from '../../../src/domain/token-request.ts';
import {signInClient} from '../../../src/flows/sign-in/client-credentials.ts';
import {askedOf} from '../../../src/flows/sign-in/request-parameters.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';
import {tokenServer} from '../../support/token-server.ts';
import {worded} from '../../support/worded.ts';

const good = {body: {access_token: 'access', token_type: 'Bearer', expires_in: 3600}};
const refusal = (error: string) => ({status: 400, body: {error}});

type Answer = {readonly status?: number; readonly body: object};

/** Starts a control plane that names itself and a scope. */
const controlPlane = async (): Promise<string> => {
  const url: string = await serve((request, response) =>
    json({
      resource: `${url}/mcp`,
      [bundled.externalClientsKey]: [{name: 'cli', client_id: 'cli', scopes: ['openid', 'platform:use']}],
    })(request, response),
  );
  return url;
};

/** Signs a service account in at that control plane, at a provider with these answers. */
const signIn = async (answers: readonly Answer[], requested?: SaidRequest) => {
  const controlPlaneUrl = await controlPlane();
  let count = 0;
  const {issuer, asked} = await tokenServer(() => answers[count++] ?? good);
  const client = {clientId: 'ci', method: 'service-account', secret: new Secret('secret')} as const;
  const input = {platform: bundled, controlPlaneUrl, issuer, ...client, requested};
  const run = collect(signInClient, input, await temporaryPorts());
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

test('scopes that a person names are sent as they are, now and at each renewal', async () => {
  const {run, forms} = await signIn([good], {scopes: ['openid']});
  expect((await run).result.client).toMatchObject({scopes: ['openid']});
  expect(forms().map(([scope]) => scope)).toEqual(['openid']);
  const context = {scopes: ['openid'], asks: {scopes: ['openid']}};
  const provider = {provider: standard};
  expect(askedOf(wantedOf(context), provider, 'client').scopes).toEqual(['openid']);
  expect(askedOf(wantedOf({scopes: ['openid']}), provider, 'client').scopes).toEqual([]);
});

test('a provider that issues nothing without a scope is told as that', async () => {
  const {run} = await signIn(Array.from({length: 9}, () => refusal('invalid_scope')));
  await expect(worded(run)).rejects.toMatchObject({
    code: 'auth-scope-refused',
    message: expect.stringMatching(/ issues no token to ci without a scope \(invalid_scope\)\.$/),
    remedy: expect.stringMatching(/--scopes\.$/),
  });
});

test('an audience that a dialect asked for and that is refused is asked for as the standard has it', async () => {
  const asked: (string | null)[][] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.url !== '/oauth2/token') {
      const endpoints = {token_endpoint: `${issuer}/oauth2/token`, authorization_endpoint: `${issuer}/oauth2/auth`};
      return json({issuer, ...endpoints})(request, response);
    }
    const form = new URLSearchParams(await text(request));
    asked.push([form.get('audience'), form.get('resource')]);
    json(form.has('audience') ? {error: 'invalid_target'} : good.body, form.has('audience') ? 400 : 200)(
      request,
      response,
    );
  });
  const client = {clientId: 'ci', method: 'service-account', secret: new Secret('secret')} as const;
  const controlPlaneUrl = await controlPlane();
  const input = {platform: bundled, controlPlaneUrl, issuer, ...client};
  await collect(signInClient, input, await temporaryPorts());
  expect(asked).toEqual([
    [`${controlPlaneUrl}/mcp`, null],
    [null, `${controlPlaneUrl}/mcp`],
  ]);
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
