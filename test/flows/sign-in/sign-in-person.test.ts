import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {keyOf} from '../../../src/domain/credentials.ts';
import type {SaidRequest} from '../../../src/domain/token-request.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import {signInBy, signInPerson} from '../../../src/flows/sign-in/sign-in-person.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {contextAt} from '../../support/context.ts';
import {deviceServer, type Poll, pending, token} from '../../support/device-server.ts';
import {collect} from '../../support/flows.ts';
import {hurried, temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const refused: Poll = {status: 400, body: {error: 'invalid_target'}};

/** Signs in with a code at a control plane that names itself as a resource, or does not. */
const signIn = async (
  polls: readonly Poll[],
  {
    named = true,
    saved = undefined as Partial<Context> | undefined,
    claims = '',
    scopes = [] as readonly string[],
    told = undefined as readonly string[] | undefined,
    requested = undefined as SaidRequest | undefined,
  } = {},
) => {
  const controlPlaneUrl: string = await serve((request, response) =>
    json({
      ...(named ? {resource: `${controlPlaneUrl}/mcp`} : {}),
      ...(told ? {[bundled.externalClientsKey]: [{...bundled.cliClient, client_id: 'cli', scopes: told}]} : {}),
    })(request, response),
  );
  const {issuer, forms} = await deviceServer(polls, scopes.length > 0 ? {metadata: {scopes_supported: scopes}} : {});
  const ports = hurried(await temporaryPorts());
  const context = {...contextAt(issuer), controlPlaneUrl, ...saved};
  const refused = {at: 0, reason: 'It was refused.', claims};
  if (claims !== '') await ports.credentials.replace(context, {...keyOf(context), refused});
  const again = saved ? {again: context} : {};
  const way = {by: 'device', redirectUri: 'http://127.0.0.1:1/', open: false} as const;
  const input = {
    platform: bundled,
    controlPlaneUrl,
    issuer,
    ...way,
    clientId: bundled.cliClient.clientId,
    ...again,
    requested,
  };
  const run = collect(signInPerson, input, ports);
  const asked = () => forms.authorization.map(form => form.get('resource'));
  return {run, asked, forms, resource: `${controlPlaneUrl}/mcp`};
};

const client = {clientId: bundled.cliClient.clientId, scopes: bundled.cliClient.scopes};

test('a person signs in with the client that the control plane tells, for what it is', async () => {
  const {run, asked, forms, resource} = await signIn([token]);
  const {result, events} = await run;
  expect(result.client).toEqual({...client, resource});
  expect(result.token.access.reveal()).toBe('access-1');
  expect(asked()).toEqual([resource]);
  expect(forms.authorization[0]?.get('scope')).toBe(client.scopes.join(' '));
  expect(events).toContainEqual({type: 'cli-client-found', ...client});
});

test('nothing is asked for where the control plane names nothing', async () => {
  const {run, asked} = await signIn([token], {named: false});
  expect((await run).result.client).toStrictEqual(client);
  expect(asked()).toEqual([null]);
});

test('a resource that the identity provider refuses is left out, and that is said', async () => {
  const {run, asked, resource} = await signIn([refused, token]);
  const {result, events} = await run;
  expect(result.client).toEqual({...client, resource: 'none'});
  expect(asked()).toEqual([resource, null]);
  expect(events).toContainEqual({
    type: 'warning',
    message: expect.stringContaining('Signing in without this resource'),
  });
});

test('one that was refused the last time is not asked for again', async () => {
  const {run, asked} = await signIn([token], {saved: {resource: 'none'}});
  expect((await run).result.client).toEqual({...client, resource: 'none'});
  expect(asked()).toEqual([null]);
});

test('what the identity provider wants proven is asked for the next time', async () => {
  const claims = '{"access_token":{"acrs":{"value":"c1"}}}';
  const {run, forms} = await signIn([token], {saved: {}, claims});
  await run;
  expect(forms.authorization[0]?.get('claims')).toBe(claims);
});

test('a refresh token that came only with its scope is asked for so again', async () => {
  const {run, forms} = await signIn([token], {saved: {scopes: ['openid', 'offline_access']}});
  expect((await run).result.client.scopes).toContain('offline_access');
  expect(forms.authorization[0]?.get('scope')).toContain('offline_access');
});

describe('a control plane that names more scopes than at the last sign-in', () => {
  const before = ['openid', 'profile'];

  test('is not given them: they are told before anything is asked for, and how to allow them', async () => {
    const told = ['openid', 'admin:all', 'profile', 'offline_access'];
    const {run, forms} = await signIn([token], {saved: {scopes: before}, told});
    const {result, events} = await run;
    expect(forms.authorization[0]?.get('scope')?.split(' ')).toEqual(['openid', 'profile', 'offline_access']);
    expect(result.client.scopes).not.toContain('admin:all');
    const types = events.map(({type}) => type);
    expect(types.indexOf('warning')).toBeLessThan(types.indexOf('device-code'));
    expect(events).toContainEqual({
      type: 'warning',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ asks for more than at your last sign-in: admin:all\. .*--scopes "openid admin:all profile offline_access"\.$/,
      ),
    });
  });

  test('is asked for what the last sign-in asked for, where it names none of that any more', async () => {
    const {run, forms} = await signIn([token], {saved: {scopes: before}, told: ['admin:all']});
    await run;
    expect(forms.authorization[0]?.get('scope')).toBe('openid profile');
  });

  test('is given them once the person has said so', async () => {
    const requested = {scopes: ['openid', 'admin:all']};
    const {run, forms} = await signIn([token], {saved: {scopes: before}, told: requested.scopes, requested});
    const {events} = await run;
    expect(forms.authorization[0]?.get('scope')).toBe('openid admin:all');
    expect(events.map(({type}) => type)).not.toContain('warning');
  });

  test.each([
    ['at the first sign-in', undefined],
    ['where the identity provider decided the last time', {scopes: []}],
  ])('is believed %s', async (_when, saved) => {
    const {run, forms} = await signIn([token], {saved, told: ['openid', 'admin:all']});
    expect((await run).events.map(({type}) => type)).not.toContain('warning');
    expect(forms.authorization[0]?.get('scope')).toBe('openid admin:all');
  });

  test('may name fewer', async () => {
    const {run, forms} = await signIn([token], {saved: {scopes: before}, told: ['openid']});
    expect((await run).events.map(({type}) => type)).not.toContain('warning');
    expect(forms.authorization[0]?.get('scope')).toBe('openid');
  });
});

test('another refusal ends it', async () => {
  const {run, asked} = await signIn([{status: 400, body: {error: 'access_denied'}}]);
  await expect(run).rejects.toMatchObject({code: 'auth-declined'});
  expect(asked()).toHaveLength(1);
});

test.each([
  ['browser', true],
  ['paste', false],
] as const)('a sign-in by %s listens for its answer or does not', async (by, listening) => {
  const issuer: string = await serve((request, response) => {
    const endpoints = {authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`};
    json({issuer, ...endpoints, code_challenge_methods_supported: ['S256']})(request, response);
  });
  const way = {by, redirectUri: await callbackForTest(), open: false};
  const input = {issuer, clientId: 'cli', wanted: {scopes: ['profile']}, ...way};
  const enough = new AbortController();
  const waits: boolean[] = [];
  const signingIn = collect(signInBy, input, await temporaryPorts(), enough.signal, event => {
    if (event.type !== 'sign-in-waiting') return;
    waits.push(event.listening);
    enough.abort(cancelled());
  });
  await expect(signingIn).rejects.toMatchObject({code: 'cancelled'});
  expect(waits).toEqual([listening]);
});

test.each([
  ['/oauth2/dcr/register', undefined],
  ['/register', 'input-required'],
])('a client that nobody names is the bundled provider’s own, and another’s has to be said: %s', async (path, code) => {
  const controlPlaneUrl = await serve(json({}));
  const issuer: string = await serve((request, response) =>
    json({
      issuer,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/oauth2/jwks`,
      registration_endpoint: `${issuer}${path}`,
    })(request, response),
  );
  const way = {by: 'device', redirectUri: 'http://127.0.0.1:1/', open: false} as const;
  const error = await collect(
    signInPerson,
    {platform: bundled, controlPlaneUrl, issuer, ...way},
    await temporaryPorts(),
  ).catch(caught => caught);
  // The provider has no device endpoint either, but the flow notices that only once the client is known.
  expect(worded(error)).toMatchObject(
    code
      ? {code, about: {flag: 'client-id'}, remedy: expect.stringContaining('provider guide')}
      : {code: 'auth-device-missing'},
  );
});

test('a refresh token that is listed and does not come by itself is asked for, with consent', async () => {
  const without: Poll = {body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}};
  const {run, forms} = await signIn([without, token], {scopes: ['openid', 'offline_access']});
  const {result, events} = await run;
  expect(result.token.refresh?.reveal()).toBe('refresh-1');
  expect(result.client.scopes).toContain('offline_access');
  expect(forms.authorization.map(form => form.get('scope')?.includes('offline_access'))).toEqual([false, true]);
  expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('Sign in once more')});
});

describe('a sign-in that worked, where the second one for its refresh token does not', () => {
  const without: Poll = {body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}};

  test.each([
    ['is declined', 'access_denied', /was declined/],
    ['is refused for the scope', 'invalid_scope', /does not grant platform-cli these scopes: .*offline_access/],
  ])('is kept, with how long it lasts: it %s', async (_what, error, said) => {
    const {run} = await signIn([without, {status: 400, body: {error}}], {scopes: ['openid', 'offline_access']});
    const {result, events} = await run;
    expect(result.token.access.reveal()).toBe('access-1');
    expect(result.token.renewable).toBe(false);
    expect(result.client.scopes).not.toContain('offline_access');
    expect(events.at(-1)).toMatchObject({type: 'warning', message: expect.stringMatching(said)});
    expect(events.at(-1)).toMatchObject({message: expect.stringMatching(/You stay signed in for 1 h\.$/)});
  });

  test('is left where the person stops', async () => {
    const {issuer} = await deviceServer([without, pending], {metadata: {scopes_supported: ['offline_access']}});
    const controller = new AbortController();
    const way = {by: 'device', redirectUri: 'http://127.0.0.1:1/', open: false} as const;
    const input = {platform: bundled, controlPlaneUrl: await serve(json({})), issuer, clientId: 'cli', ...way};
    const signingIn = collect(signInPerson, input, await temporaryPorts(), controller.signal, event => {
      if (event.type === 'warning') controller.abort(cancelled());
    });
    await expect(signingIn).rejects.toMatchObject({code: 'cancelled'});
  });
});

test('who refuses the resource all the same is not asked for ever', async () => {
  const {run, asked, resource} = await signIn(Array.from({length: 5}, () => refused));
  await expect(run).rejects.toMatchObject({code: 'auth-resource-refused'});
  expect(asked()).toEqual([resource, null]);
  const nameless = await signIn([refused, refused], {named: false});
  await expect(nameless.run).rejects.toMatchObject({code: 'auth-resource-refused'});
  expect(nameless.asked()).toEqual([null]);
});
