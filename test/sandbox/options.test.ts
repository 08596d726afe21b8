import {describe, expect, test, vi} from 'vitest';
import {authorizationUrl, cli, redeem, refresh, signIn} from './identity/browser.ts';
import {bearer, claimsOf, pkce, runningSandbox, send, serviceToken} from './support.ts';

const redirect_uri = 'http://127.0.0.1:40123/auth-callback';
const {ready} = await runningSandbox({redirectUri: redirect_uri, accessTokenLifetime: 7});
const admin = {username: 'admin', password: 'admin'};

test('the CLI has the redirect URI that was asked for, and no other', async () => {
  const client = ready.clients.find(({clientId}) => clientId === cli.client_id);
  expect(client?.redirectUris).toEqual([redirect_uri]);
  const session = await signIn(ready, admin, {redirect_uri});
  expect(`${session.callback.origin}${session.callback.pathname}`).toBe(redirect_uri);
  expect(await redeem(ready, session, {redirect_uri})).toMatchObject({status: 200});

  const usual = await send(authorizationUrl(ready, {...cli, code_challenge: pkce().challenge}));
  expect(usual.headers.location).toContain('/gate/error?');
});

test('without one it has that of the platform', async () => {
  const {clients} = (await runningSandbox()).ready;
  expect(clients.find(({clientId}) => clientId === cli.client_id)?.redirectUris).toEqual([cli.redirect_uri]);
});

test('access tokens live as long as was asked for', async () => {
  const {json} = await redeem(ready, await signIn(ready, admin, {redirect_uri}), {redirect_uri});
  const refreshed = (await refresh(ready, json.refresh_token)).json;
  expect([json.expires_in, refreshed.expires_in]).toEqual([7, 7]);
  for (const token of [json.access_token, refreshed.access_token, await serviceToken(ready)]) {
    const {exp, iat} = claimsOf(token);
    expect(exp - iat).toBe(7);
    expect(await send(`${ready.controlPlaneUrl}/api/v1/namespaces`, {headers: bearer(token)})).toMatchObject({
      status: 200,
    });
  }
});

describe('refresh tokens', () => {
  const signedIn = async (options: Parameters<typeof runningSandbox>[0]) => {
    const {ready} = await runningSandbox(options);
    const {json} = await redeem(ready, await signIn(ready, admin));
    return {ready, first: json.refresh_token};
  };

  test('that are good once end their family when one comes twice, whatever the release does', async () => {
    const {ready, first} = await signedIn({refreshTokens: 'rotating'});
    const {json} = await refresh(ready, first);
    expect(json.refresh_token).not.toBe(first);
    expect(await refresh(ready, first)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
    expect(await refresh(ready, json.refresh_token)).toMatchObject({status: 400});
  });

  test('that are good always come again', async () => {
    const {ready, first} = await signedIn({refreshTokens: 'reusable'});
    expect((await refresh(ready, first)).json.refresh_token).toBe(first);
  });

  test('are not given', async () => {
    expect((await signedIn({refreshTokens: 'none'})).first).toBeUndefined();
  });

  test('say when the sign-in ends, and are refused from then on', async () => {
    const {ready, first} = await signedIn({refreshTokens: 'rotating', signInLifetime: 2});
    const {exp, iat} = claimsOf(first);
    expect(exp - iat).toBe(2);
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(exp * 1000), {timeout: 4_000});
    expect(await refresh(ready, first)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  });
});
