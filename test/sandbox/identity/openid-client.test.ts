import * as oauth from 'openid-client';
import {expect, test} from 'vitest';
import {adminToken, applicationOf, bearer, clientOf, loopbackFetch, runningSandbox, send} from '../support.ts';
import {cli, createBrowser} from './browser.ts';
import {decide} from './device.ts';

/** The strictest client available: it checks everything that it may. */
const {ready} = await runningSandbox({release: '1.2', extras: ['device', 'revocation']});

const discover = async (clientId: string, authentication: oauth.ClientAuth) => {
  const config = await oauth.discovery(new URL(ready.authUrl), clientId, undefined, authentication, {
    [oauth.customFetch]: (url, init) => loopbackFetch(url, init as RequestInit),
    execute: [oauth.allowInsecureRequests, oauth.enableNonRepudiationChecks],
  });
  return config;
};

test('signs in with PKCE, nonce and signature checks, refreshes, and revokes', async () => {
  const config = await discover(cli.client_id, oauth.None());
  expect(config.serverMetadata().supportsPKCE()).toBe(true);
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oauth.randomState(), oauth.randomNonce()];
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: cli.redirect_uri,
    scope: 'openid profile email',
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    resource: `${ready.controlPlaneUrl}/mcp`,
  });

  const browser = createBrowser();
  const gate = (await browser.visit(url)).headers.location ?? '';
  const submitted = await browser.submit(await browser.visit(gate), gate, ready.admin);
  const resumed = await browser.visit(submitted.headers.location ?? '');

  const checks = {pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true};
  const tokens = await oauth.authorizationCodeGrant(config, new URL(resumed.headers.location ?? ''), checks);
  expect(tokens.claims()).toMatchObject({iss: ready.authUrl, username: 'admin'});

  const subject = tokens.claims()?.sub ?? '';
  expect(await oauth.fetchUserInfo(config, tokens.access_token, subject)).toMatchObject({username: 'admin'});

  const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.refresh_token).toBe(tokens.refresh_token);
  expect(refreshed.claims()?.sub).toBe(subject);

  await oauth.tokenRevocation(config, refreshed.refresh_token ?? '', {token_type_hint: 'refresh_token'});
  await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('signs in with a device code', async () => {
  const config = await discover(cli.client_id, oauth.None());
  const device = await oauth.initiateDeviceAuthorization(config, {scope: 'openid profile'});
  await decide(ready, {confirm: 'yes'}, ready.admin, device.user_code);
  // The client waits before its first poll.
  const tokens = await oauth.pollDeviceAuthorizationGrant(config, {...device, interval: 0});
  expect(tokens.claims()).toMatchObject({iss: ready.authUrl, username: 'admin'});
  expect(await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).toMatchObject({token_type: 'bearer'});
});

test('gets tokens for services by either method, whatever characters are in the credentials', async () => {
  const {clientId, clientSecret} = clientOf(ready, 'service_account');
  const account = await discover(clientId, oauth.ClientSecretPost(clientSecret));
  expect(await oauth.clientCredentialsGrant(account)).toMatchObject({token_type: 'bearer', expires_in: 3600});

  const [id, secret] = ['team:mcp client', ':%41+b/ ~&=\'"'];
  const create = applicationOf(id, id, {client_secret: secret});
  await send(`${ready.authUrl}/applications`, {headers: bearer(await adminToken(ready)), json: create});
  const service = await discover(id, oauth.ClientSecretBasic(secret));
  expect(await oauth.clientCredentialsGrant(service)).toMatchObject({token_type: 'bearer', expires_in: 3600});
});

test('sees a wrong secret as a challenge', async () => {
  const config = await discover('sandbox_mcp_client', oauth.ClientSecretBasic('wrong'));
  // The client looks only at the challenge (RFC 6749 5.2).
  await expect(oauth.clientCredentialsGrant(config)).rejects.toMatchObject({
    code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    status: 401,
  });
});
