import {expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {offersDevice} from '../../../src/flows/sign-in/device-sign-in.ts';
import {oauthClient} from '../../../src/flows/sign-in/oauth-client.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json} from '../../support/server.ts';
import {identityProvider} from './support/identity-provider.ts';

const code = {device_code: 'device', user_code: 'AB-CD', verification_uri: 'https://idp.example/d', expires_in: 600};
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Returns whether a client is offered a code with this metadata and this answer of the endpoint, and what was asked.
 */
const offered = async (metadata: object, answer: Handler = json(code), isThere = true) => {
  const forms: URLSearchParams[] = [];
  const device: Handler = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    forms.push(new URLSearchParams(Buffer.concat(chunks).toString()));
    answer(request, response);
  };
  const issuer = await identityProvider(
    own => ({...(isThere ? {device_authorization_endpoint: `${own}/device`} : {}), ...metadata}),
    () => ({'/device': device}),
  );
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const client = await oauthClient({issuer, clientId: 'cli', authentication: {method: 'none'}}, run);
  const asked = {scopes: ['openid'], resource: 'https://api.example/mcp'};
  const offer = (signal = noSignal) => offersDevice(client, {clientId: 'cli', asked}, {...run, signal});
  return {offer, forms};
};

const grants = (...more: readonly string[]) => ({grant_types_supported: ['authorization_code', ...more]});

test('a code is offered where the metadata have it, and the client may', async () => {
  const {offer, forms} = await offered(grants(DEVICE_GRANT));
  expect(await offer()).toBe(true);
  expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
    ...{client_id: 'cli', scope: 'openid', resource: 'https://api.example/mcp'},
    ...{code_challenge: expect.any(String), code_challenge_method: 'S256'},
  });
  expect(forms[0]?.has('claims')).toBe(false);
  expect(await (await offered({grant_types_supported: undefined})).offer()).toBe(true);
});

test.each([
  ['the grant is not among those that are listed', grants(), true],
  ['there is no endpoint for it', grants(DEVICE_GRANT), false],
] as const)('nobody is asked where %s', async (_why, metadata, isThere) => {
  const {offer, forms} = await offered(metadata, json(code), isThere);
  expect(await offer()).toBe(false);
  expect(forms).toEqual([]);
});

test.each([
  ['may not', json({error: 'unauthorized_client'}, 400)],
  ['is asked for more', json({error: 'invalid_request'}, 400)],
  ['is answered with a page', json('<html>', 200)],
])('a code is not offered where the client %s', async (_why, answer) => {
  const {offer} = await offered(grants(DEVICE_GRANT), answer);
  expect(await offer()).toBe(false);
});

test('who stops hears that', async () => {
  const {offer} = await offered(grants(DEVICE_GRANT), json({error: 'unauthorized_client'}, 400));
  await expect(offer(AbortSignal.abort(cancelled()))).rejects.toMatchObject({code: 'cancelled'});
});
