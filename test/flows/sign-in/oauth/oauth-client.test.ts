import {describe, expect, test} from 'vitest';
import {oauthClient} from '../../../../src/flows/sign-in/oauth/oauth-client.ts';
import {noSignal} from '../../../support/flows.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {json, serve} from '../../../support/server.ts';

/** An identity provider whose metadata has these fields beside its issuer, and the client that finds it. */
const clientOf = async (metadata: (issuer: string) => object) => {
  const issuer: string = await serve((request, response) => json({issuer, ...metadata(issuer)})(request, response));
  const input = {issuer, clientId: 'platform-cli', authentication: {method: 'none'}} as const;
  return {issuer, client: oauthClient(input, {ports: await temporaryPorts(), signal: noSignal, tell: () => {}})};
};

describe('an endpoint at a host that the person never named', () => {
  test.each(['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'])(
    'is refused where a credential goes there, or keys come from there: %s',
    async name => {
      const {issuer, client} = await clientOf(own => ({
        token_endpoint: `${own}/token`,
        [name]: 'https://idp.example.com/there',
      }));
      await expect(client).rejects.toMatchObject({
        code: 'auth-endpoint-foreign',
        message: `${issuer} names a ${name} at another host, https://idp.example.com.`,
        about: {url: issuer},
      });
    },
  );

  test('is nobody’s concern where only a browser goes there', async () => {
    const {client} = await clientOf(() => ({authorization_endpoint: 'https://idp.example.com/authorize'}));
    await expect(client).resolves.toHaveProperty('configuration');
  });

  test('is not one at another port of the same host', async () => {
    const {client} = await clientOf(() => ({jwks_uri: 'http://127.0.0.1:1/jwks'}));
    await expect(client).resolves.toHaveProperty('configuration');
  });
});
