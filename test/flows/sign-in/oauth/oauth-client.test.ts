import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import {describe, expect, test} from 'vitest';
import {cancelled} from '../../../../src/errors/errors.ts';
import {oauthClient} from '../../../../src/flows/sign-in/oauth/oauth-client.ts';
import {noSignal} from '../../../support/flows.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {type Handler, json, serve, text} from '../../../support/server.ts';

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

const metadataOf = (issuer: string) => ({issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`});

/** A client of an identity provider that answers by path, with the metadata where OpenID Connect has it. */
const clientAt = async (
  routes: (issuer: string) => Readonly<Record<string, Handler>>,
  {signal = noSignal, ...more}: {readonly anyTime?: true; readonly signal?: AbortSignal} = {},
) => {
  const paths: string[] = [];
  const issuer: string = await serve((request, response) => {
    const path = request.url ?? '/';
    paths.push(path);
    const all: Record<string, Handler> = {
      '/.well-known/openid-configuration': json(metadataOf(issuer)),
      ...routes(issuer),
    };
    (all[path] ?? text('404 page not found', 404))(request, response);
  });
  const input = {issuer, clientId: 'platform-cli', authentication: {method: 'none'}, ...more} as const;
  return {issuer, paths, client: oauthClient(input, {ports: await temporaryPorts(), signal, tell: () => {}})};
};

describe('metadata', () => {
  test('are found where RFC 8414 has them, if not where OpenID Connect has', async () => {
    const {issuer, paths, client} = await clientAt(own => ({
      '/.well-known/openid-configuration': text('404 page not found', 404),
      '/.well-known/oauth-authorization-server': json(metadataOf(own)),
    }));
    expect((await client).configuration.serverMetadata().token_endpoint).toBe(`${issuer}/token`);
    expect(paths).toEqual(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']);
  });

  test('are not looked for elsewhere where the server is not well', async () => {
    const {paths, client} = await clientAt(() => ({'/.well-known/openid-configuration': json({}, 500)}));
    await expect(client).rejects.toMatchObject({code: 'platform-error'});
    expect(paths).toEqual(['/.well-known/openid-configuration']);
  });

  test('that are a page of the network’s are said to be that', async () => {
    const page = text('<html><title>Sign in to the Wi-Fi', 200, 'text/html');
    const {client} = await clientAt(() => ({'/.well-known/openid-configuration': page}));
    await expect(client).rejects.toMatchObject({code: 'network-portal'});
  });

  test('that lead to another machine are not followed there', async () => {
    const {client} = await clientAt(() => ({
      '/.well-known/openid-configuration': (_request, response) =>
        response.writeHead(302, {Location: 'https://login.example/'}).end(),
    }));
    await expect(client).rejects.toMatchObject({code: 'network-portal'});
  });

  test('of the same address with a slash are another identity provider’s', async () => {
    const {client} = await clientAt(own => ({
      '/.well-known/openid-configuration': json({...metadataOf(own), issuer: `${own}/`}),
    }));
    await expect(client).rejects.toMatchObject({code: 'platform-invalid-answer'});
  });

  test('that nobody waits for any more are no failure of the server’s', async () => {
    const stop = new AbortController();
    const {client} = await clientAt(
      () => ({
        '/.well-known/openid-configuration': (request, response) => {
          stop.abort(cancelled());
          json({}, 500)(request, response);
        },
      }),
      {signal: stop.signal},
    );
    await expect(client).rejects.toMatchObject({code: 'cancelled'});
  });
});

describe('the keys of ID tokens', () => {
  test('are fetched before they are needed where that is wanted', async () => {
    const {paths, client} = await clientAt(() => ({'/jwks': json({keys: []})}));
    const {fetchKeys} = await client;
    expect(paths).not.toContain('/jwks');
    await fetchKeys();
    expect(paths).toContain('/jwks');
  });

  test('are not asked for where the metadata name none', async () => {
    const {paths, client} = await clientAt(own => ({
      '/.well-known/openid-configuration': json({issuer: own, token_endpoint: `${own}/token`}),
    }));
    await (await client).fetchKeys();
    expect(paths).toEqual(['/.well-known/openid-configuration']);
  });

  test.each([
    ['are not there', 404, json({keys: []}, 404)],
    ['are no list', 200, json({keys: {}})],
    ['are missing in the answer', 200, json({})],
  ])('that %s are a failure of the identity provider’s', async (_what, status, answer) => {
    const {issuer, client} = await clientAt(() => ({'/jwks': answer}));
    await expect((await client).fetchKeys()).rejects.toMatchObject({
      code: 'platform-error',
      message: `${issuer}/jwks did not return the keys that sign its ID tokens (${status}).`,
      about: {url: `${issuer}/jwks`},
    });
  });
});

describe('an identity provider by whose clock it is another time', () => {
  /** One that signs ID tokens, and whose clock is this far ahead of this machine’s, in seconds. */
  const clientBeside = async (
    ahead: number,
    {anyTime, isDated = true}: {readonly anyTime?: true; readonly isDated?: boolean} = {},
  ) => {
    const {publicKey, privateKey} = await generateKeyPair('RS256');
    const keys = [{...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig'}];
    const now = Math.round(Date.now() / 1000) + ahead;
    const dated =
      (handler: Handler): Handler =>
      (request, response) => {
        response.setHeader('Date', isDated ? new Date(now * 1000).toUTCString() : 'today');
        handler(request, response);
      };
    const {client, paths} = await clientAt(
      own => ({
        '/.well-known/openid-configuration': dated(json(metadataOf(own))),
        '/jwks': dated(json({keys})),
        '/token': dated(async (request, response) => {
          const idToken = await new SignJWT({})
            .setProtectedHeader({alg: 'RS256', kid: 'one'})
            .setIssuer(own)
            .setSubject('someone')
            .setAudience('platform-cli')
            .setIssuedAt(now)
            .setExpirationTime(now + 60)
            .sign(privateKey);
          json({access_token: 'access', token_type: 'Bearer', id_token: idToken})(request, response);
        }),
      }),
      anyTime ? {anyTime} : {},
    );
    const {attempt, library, fetchKeys} = await client;
    const refresh = () => attempt(configuration => library.refreshTokenGrant(configuration, 'refresh'));
    return {refresh, fetchKeys, paths};
  };

  test.each([
    [-3600, true],
    [0, true],
    [3600, true],
    [-300, false],
  ])('takes nothing from an answer that must not be lost, %i s ahead', async (ahead, isDated) => {
    const {refresh} = await clientBeside(ahead, {anyTime: true, isDated});
    expect((await refresh()).claims()?.sub).toBe('someone');
  });

  test('is not believed otherwise, and the difference is said', async () => {
    const {refresh} = await clientBeside(-3600);
    await expect(refresh()).rejects.toMatchObject({
      code: 'auth-clock',
      message: expect.stringContaining('which is 1 h ahead of the server’s'),
    });
  });

  test('tells the difference by its ID token where it does not date its answers', async () => {
    const {refresh} = await clientBeside(-3600, {isDated: false});
    await expect(refresh()).rejects.toMatchObject({
      code: 'auth-clock',
      message: expect.stringContaining('which is 1 h ahead of the server’s'),
    });
  });

  test('is not asked for its keys again once they are there', async () => {
    const {refresh, fetchKeys, paths} = await clientBeside(3600, {anyTime: true});
    await fetchKeys();
    await refresh();
    expect(paths.filter(path => path === '/jwks')).toHaveLength(1);
  });
});
