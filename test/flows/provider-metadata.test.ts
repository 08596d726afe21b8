import {expect, test} from 'vitest';
import {issuerIn, requireEndpoints, withoutFalseLists} from '../../src/flows/metadata.ts';

const issuer = 'https://idp.acme.example';
const address = new URL(`${issuer}/.well-known/openid-configuration`);

/** Names of addresses in the same public network, except one. */
const ports = {
  network: {
    proxy: async () => undefined,
    resolve: async (host: string) => ({
      addresses: [host.startsWith('inner') ? '10.0.0.1' : '203.0.113.1'],
      bySystem: [],
    }),
  },
} as unknown as Parameters<typeof requireEndpoints>[2];

test.each(['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'])(
  'no call goes to a %s that is no address',
  async name => {
    const user = 'https://a:b@idp.acme.example/';
    for (const value of [null, 7, '', '/token', 'ftp://idp.acme.example/', user, ['https://a']])
      await expect(requireEndpoints({[name]: value}, issuer, ports)).rejects.toThrow(
        `${issuer} names a ${name} that can’t be called.`,
      );
  },
);

test('a credential goes to another host over TLS alone, and not into a network that the issuer is not in', async () => {
  const require = (metadata: object, by = issuer) => requireEndpoints({...metadata}, by, ports);
  const elsewhere = {token_endpoint: 'https://login.acme.example/token'};
  await expect(require(elsewhere)).resolves.toBeUndefined();
  await expect(require(elsewhere, 'http://idp.acme.localhost')).rejects.toThrow('at another host');
  await expect(require({jwks_uri: 'http://elsewhere.example/keys'})).rejects.toThrow('at another host');
  await expect(require({jwks_uri: 'https://inner.example/keys'})).rejects.toThrow('in a private network');
  await expect(require({authorization_endpoint: 'nonsense'})).resolves.toBeUndefined();
});

test('the issuer is an address', () => {
  expect(issuerIn({issuer}, address)).toBe(issuer);
  for (const named of [undefined, null, 7, ''])
    expect(() => issuerIn({issuer: named}, address)).toThrow(`${address.href} names no issuer.`);
  expect(() => issuerIn({issuer: 'me\u001b[2J'}, address)).toThrow('names an issuer that is not a URL: me [2J.');
});

test('what says that it is a list, and is none, is not told', () => {
  const metadata = {
    issuer,
    grant_types_supported: 5,
    scopes_supported: 'openid',
    response_types_supported: ['code', 7],
    claims_supported: null,
    claims_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
  };
  expect(withoutFalseLists(metadata)).toEqual({
    issuer,
    claims_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
  });
});
