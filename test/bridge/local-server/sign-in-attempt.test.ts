import {text as textOf} from 'node:stream/consumers';
import {describe, expect, onTestFinished, test} from 'vitest';
import {beginSignIn, type SignInAttempt} from '../../../src/bridge/local-server/sign-in-attempt.ts';
import type {Context} from '../../../src/domain/context.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {navigate} from '../../support/browser.ts';
import {contextAt} from '../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {json, serve, text} from '../../support/server.ts';

const RESOURCE = 'urn:control-plane';
const OBSERVER = 'urn:observer';

/** Starts a platform at one address. It may name itself as a resource, and refuses the resources in `refuses`. */
const platform = async ({named = false, refuses = [] as readonly string[], metadata = {}} = {}) => {
  const forms: URLSearchParams[] = [];
  const origin: string = await serve(async (request, response) => {
    const {pathname} = new URL(request.url ?? '/', origin);
    if (pathname === '/authorize') return text('<html>Sign in', 200, 'text/html')(request, response);
    if (pathname === '/.well-known/oauth-protected-resource')
      return json(named ? {resource: `${origin}/mcp`} : {})(request, response);
    if (pathname !== '/token') {
      const endpoints = {authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`};
      const offers = {code_challenge_methods_supported: ['S256'], ...metadata};
      return json({issuer: origin, ...endpoints, ...offers})(request, response);
    }
    const form = new URLSearchParams(await textOf(request));
    forms.push(form);
    const count = forms.length;
    if (refuses.includes(form.get('resource') ?? '')) return json({error: 'invalid_target'}, 400)(request, response);
    const tokens = {access_token: `access-${count}`, refresh_token: `refresh-${count}`, expires_in: 3600};
    json({...tokens, token_type: 'Bearer'})(request, response);
  });
  return {origin, forms};
};

/** Begins a sign-in for a context at a platform. */
const begin = async (origin: string, more: Partial<Context> = {}, signal = new AbortController().signal) => {
  const home = await temporaryDirectory();
  const opened: string[] = [];
  const open = async (url: string) => opened.push(url) > 0;
  const ports = {...portsIn(home), browser: {obstacle: () => undefined, open}};
  const redirectUri = await callbackForTest();
  // Without the scope `openid`, so without ID tokens.
  const context = {...contextAt(origin), redirectUri, asks: {scopes: ['profile']}, ...more};
  const attempt = beginSignIn(context, ports, signal);
  onTestFinished(async () => {
    attempt.cancel();
    await attempt.ended;
  });
  return {attempt, context, ports, opened};
};

/** Signs in at the address with this number, as a browser would. */
const signInAt = async (attempt: SignInAttempt, known = 0) => {
  const address = (await attempt.nextAddress(known)) ?? expect.fail('There is no address to come.');
  const {searchParams} = new URL(address);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.search = String(new URLSearchParams({code: 'abcdefgh', state: searchParams.get('state') ?? ''}));
  await navigate(back);
  return searchParams;
};

describe('a sign-in', () => {
  test('waits at its address, opens nothing, and is kept at its end', async () => {
    const {origin, forms} = await platform({named: true});
    const {attempt, context, ports, opened} = await begin(origin);
    expect(attempt.address).toBeUndefined();
    const address = await attempt.nextAddress(0);
    expect(address).toContain(`${origin}/authorize?`);
    expect([attempt.address, attempt.outcome]).toEqual([address, undefined]);
    const next = attempt.nextAddress(1);
    expect((await signInAt(attempt)).get('redirect_uri')).toBe(context.redirectUri);
    expect(await attempt.ended).toEqual({account: 'platform-cli'});
    expect(attempt.outcome).toEqual({account: 'platform-cli'});
    expect(await next).toBeUndefined();
    expect(opened).toEqual([]);
    expect(forms.map(form => form.get('resource'))).toEqual([`${origin}/mcp`]);
    expect(await ports.credentials.get({...context, account: 'platform-cli'})).toMatchObject({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
    });
    expect((await ports.config.read()).contexts).toMatchObject([
      {name: 'acme', clientId: 'platform-cli', scopes: ['profile'], resource: `${origin}/mcp`},
    ]);
  });

  test('asks for the level that a server demands, which is kept; how old it may be is not', async () => {
    const {origin} = await platform({named: true});
    const asks = {scopes: ['profile'], acrValues: 'gold silver', maxAge: 300};
    const {attempt, ports} = await begin(origin, {asks});
    const parameters = await signInAt(attempt);
    expect([parameters.get('acr_values'), parameters.get('max_age')]).toEqual(['gold silver', '300']);
    expect(await attempt.ended).toHaveProperty('account');
    expect((await ports.config.read()).contexts[0]?.asks).toEqual({
      scopes: ['profile'],
      acrValues: 'gold silver',
    });
  });

  test('that is cancelled, or whose program ends, is over without an address to come', async () => {
    const {origin} = await platform();
    const {attempt} = await begin(origin);
    await attempt.nextAddress(0);
    attempt.cancel();
    expect(await attempt.ended).toMatchObject({failure: {code: 'cancelled'}});
    expect(await attempt.nextAddress(1)).toBeUndefined();

    const program = new AbortController();
    const other = await begin(origin, {}, program.signal);
    await other.attempt.nextAddress(0);
    program.abort();
    expect(await other.attempt.ended).toMatchObject({failure: {code: 'cancelled'}});
  });

  test('that cannot begin says why', async () => {
    const {origin} = await platform({metadata: {code_challenge_methods_supported: undefined}});
    const {attempt} = await begin(origin);
    expect(await attempt.nextAddress(0)).toBeUndefined();
    expect(attempt.outcome).toMatchObject({failure: {code: 'auth-pkce-unlisted'}});
    // The person has said that PKCE works.
    const other = await begin(origin, {assumesPkce: true});
    expect(await other.attempt.nextAddress(0)).toContain('code_challenge_method=S256');
  });
});

describe('a token of its own', () => {
  test('is asked for at the resource of the last time, where the control plane does not name it', async () => {
    const {origin, forms} = await platform();
    const {attempt, context, ports} = await begin(origin, {resource: RESOURCE});
    await signInAt(attempt);
    const asked = await signInAt(attempt, 1);
    expect([asked.get('resource'), asked.get('scope')]).toEqual([RESOURCE, 'profile']);
    await attempt.ended;
    expect(forms.map(form => form.get('resource'))).toEqual([null, RESOURCE]);
    // It replaces the first token.
    expect(await ports.credentials.get({...context, account: 'platform-cli'})).toMatchObject({accessToken: 'access-2'});
    expect((await ports.config.read()).contexts).toMatchObject([{resource: RESOURCE}]);
  });

  test('is not asked for a second time where the control plane names its resource', async () => {
    const {origin, forms} = await platform({named: true});
    const {attempt} = await begin(origin, {resource: RESOURCE});
    await signInAt(attempt);
    expect(await attempt.ended).toEqual({account: 'platform-cli'});
    expect(forms).toHaveLength(1);
  });

  test('is asked for the observability server where that has a resource', async () => {
    const {origin, forms} = await platform({named: true});
    const {attempt, context, ports} = await begin(origin, {resources: {observability: OBSERVER}});
    await attempt.nextAddress(0);
    expect(attempt.second).toBeUndefined();
    await signInAt(attempt);
    await attempt.nextAddress(1);
    expect(attempt.second).toBe(OBSERVER);
    await signInAt(attempt, 1);
    await attempt.ended;
    expect(forms.map(form => form.get('resource'))).toEqual([`${origin}/mcp`, OBSERVER]);
    const account = 'platform-cli';
    expect(await ports.credentials.get({...context, account})).toMatchObject({accessToken: 'access-1'});
    expect(await ports.credentials.get({...context, account, audience: OBSERVER})).toMatchObject({
      accessToken: 'access-2',
    });
  });

  test.each([
    ['the control plane', {resource: RESOURCE}, RESOURCE],
    ['the observability server', {resources: {observability: OBSERVER}}, OBSERVER],
  ])('of %s that is refused leaves what there is', async (_who, more, audience) => {
    const {origin} = await platform({refuses: [audience]});
    const {attempt, context, ports} = await begin(origin, more);
    await signInAt(attempt);
    await signInAt(attempt, 1);
    expect(await attempt.ended).toEqual({account: 'platform-cli'});
    const account = 'platform-cli';
    expect(await ports.credentials.get({...context, account})).toMatchObject({accessToken: 'access-1'});
    expect(await ports.credentials.get({...context, account, audience})).not.toMatchObject({accessToken: 'access-2'});
  });
});
