import {expect, test} from 'vitest';
import {endSession} from '../../../src/flows/sign-out.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {identityProvider} from '../sign-in/support/identity-provider.ts';

const addressAt = async (metadata: object) => {
  const issuer = await identityProvider(metadata);
  return (await collect(endSession, {issuer, clientId: 'platform-cli'}, await temporaryPorts())).result;
};

test('a session ends at the page that the identity provider names, for this client', async () => {
  expect(await addressAt({end_session_endpoint: 'https://sso.acme.example/logout?ui=1'})).toBe(
    'https://sso.acme.example/logout?ui=1&client_id=platform-cli',
  );
});

test('a page without TLS is one as well, where the identity provider has none', async () => {
  expect(await addressAt({end_session_endpoint: 'http://127.0.0.1:1/logout'})).toContain('http://127.0.0.1:1/logout?');
});

test.each([
  {},
  {end_session_endpoint: 'no address'},
  {end_session_endpoint: 'httpsx://a'},
  {end_session_endpoint: 'xhttps://a'},
  {end_session_endpoint: 'javascript:alert(1)'},
  {end_session_endpoint: 7},
])('there is no such page in %j', async metadata => {
  expect(await addressAt(metadata)).toBeUndefined();
});
