import {describe, expect, test, vi} from 'vitest';
import {basic, claimsOf, clientOf, pkce, runningSandbox, send} from '../../support.ts';
import {cli, redeem, refresh, signIn} from '../browser.ts';

const {ready} = await runningSandbox({release: 'next'});
const {admin} = ready;

describe('a code', () => {
  test('is good once, and using it again takes the tokens away', async () => {
    const session = await signIn(ready, admin);
    const {json} = await redeem(ready, session);
    expect(await redeem(ready, session)).toMatchObject({
      status: 400,
      json: {error: 'invalid_grant', error_description: 'Invalid authorization code'},
    });
    expect(await refresh(ready, json.refresh_token)).toMatchObject({status: 400});
  });

  test('is burnt by a wrong verifier', async () => {
    const session = await signIn(ready, admin);
    expect(await redeem(ready, session, {code_verifier: pkce().verifier})).toMatchObject({
      status: 400,
      json: {error: 'invalid_grant', error_description: 'Invalid code verifier'},
    });
    expect(await redeem(ready, session)).toMatchObject({
      status: 400,
      json: {error: 'invalid_grant', error_description: 'Invalid authorization code'},
    });
  });

  test('belongs to the client and redirect URI that it was made for', async () => {
    const other = {client_id: 'service_account', client_secret: clientOf(ready, 'service_account').clientSecret};
    expect(await redeem(ready, await signIn(ready, admin), other)).toMatchObject({status: 400});
    const elsewhere = {redirect_uri: 'http://127.0.0.1:1/auth-callback'};
    expect(await redeem(ready, await signIn(ready, admin), elsewhere)).toMatchObject({status: 400});
  });
});

describe('a refresh token that is good once', () => {
  test('is replaced each time, and reuse takes the whole family away', async () => {
    const first = (await redeem(ready, await signIn(ready, admin))).json;
    const second = await refresh(ready, first.refresh_token);
    expect(second).toMatchObject({
      status: 200,
      json: {token_type: 'Bearer', expires_in: 3600, scope: 'openid profile email', id_token: expect.any(String)},
    });
    expect(second.json.refresh_token).not.toBe(first.refresh_token);
    expect(claimsOf(second.json.access_token)).toMatchObject({username: 'admin', grant_type: 'authorization_code'});

    const refused = {
      status: 400,
      json: {error: 'invalid_grant', error_description: 'Invalid refresh token'},
    };
    expect(await refresh(ready, first.refresh_token)).toMatchObject(refused);
    expect(await refresh(ready, second.json.refresh_token)).toMatchObject(refused);
  });

  // The losers count as reuse, because they cannot be distinguished from a thief (RFC 9700 4.14.2). The winner's
  // tokens end as well.
  test('is good for one of twenty at once, which then has a token that is refused', async () => {
    const {refresh_token} = (await redeem(ready, await signIn(ready, admin))).json;
    const answers = await Promise.all(Array.from({length: 20}, () => refresh(ready, refresh_token)));
    const [winner, ...others] = answers.filter(({status}) => status === 200);
    expect(others).toEqual([]);
    expect(winner?.json).toMatchObject({access_token: expect.any(String), refresh_token: expect.any(String)});
    const refused = {error: 'invalid_grant', error_description: 'Invalid refresh token'};
    expect(answers.filter(({status}) => status === 400).map(({json}) => json)).toEqual(Array(19).fill(refused));
    expect(await refresh(ready, winner?.json.refresh_token)).toMatchObject({status: 400, json: refused});
  });

  test('ends after a day', async () => {
    const {refresh_token} = (await redeem(ready, await signIn(ready, admin))).json;
    vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 86_401_000});
    expect(await refresh(ready, refresh_token)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
    vi.useRealTimers();
  });

  test('can be revoked, by its client only', async () => {
    const revoke = (form: Record<string, string>, headers = {}) =>
      send(`${ready.authUrl}/oauth2/revoke`, {form, headers});
    const {refresh_token} = (await redeem(ready, await signIn(ready, admin))).json;

    expect(await revoke({token: refresh_token})).toMatchObject({status: 400});
    const {clientId, clientSecret} = clientOf(ready, 'sandbox_mcp_client');
    await revoke({token: refresh_token}, {authorization: basic(clientId, clientSecret)});
    const {json} = await refresh(ready, refresh_token);
    expect(json.refresh_token).toBeTruthy();

    const mine = {token: json.refresh_token, token_type_hint: 'refresh_token', client_id: cli.client_id};
    expect(await revoke(mine)).toMatchObject({status: 200});
    expect(await refresh(ready, json.refresh_token)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
    expect(await revoke({token: 'unknown', client_id: cli.client_id})).toMatchObject({status: 200});
  });
});
