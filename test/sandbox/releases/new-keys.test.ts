import {expect, test} from 'vitest';
import {redeem, refresh, signIn} from '../identity/browser.ts';
import {bearer, runningSandbox, send, serviceToken} from '../support.ts';
import {releaseNames} from './recorded.ts';

const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

test.each(releaseNames)('another signing key ends access tokens, and nothing else: release %s', async release => {
  const {ready, renewKeys} = await runningSandbox({release});
  const before = (await redeem(ready, await signIn(ready, ready.admin))).json;
  const old = await serviceToken(ready);
  await renewKeys();

  const list = (token: string) => send(`${ready.controlPlaneUrl}/api/v1/namespaces`, {headers: bearer(token)});
  const invalid = {status: 401, json: {error: 'INVALID_TOKEN'}};
  expect(await list(old)).toMatchObject(invalid);
  expect(await list(before.access_token)).toMatchObject(invalid);
  expect(await send(`${ready.observerUrl}/mcp`, {form: {}, headers: bearer(old)})).toMatchObject(invalid);

  const renewed = (await refresh(ready, before.refresh_token)).json;
  expect(await list(renewed.access_token)).toMatchObject({status: 200});
  expect(await list(await serviceToken(ready))).toMatchObject({status: 200});
  const {keys} = (await send(`${ready.authUrl}/oauth2/jwks`)).json;
  expect(keys.map(({kid}: {kid: string}) => kid)).toEqual([kidOf(renewed.access_token)]);
  expect(kidOf(renewed.access_token)).not.toBe(kidOf(before.access_token));
});
