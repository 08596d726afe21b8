import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import {describe, expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {oauthClient} from '../../../src/flows/sign-in/oauth-client.ts';
import type {ProviderDocuments, ProviderStore} from '../../../src/ports/storage.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json, serve, text} from '../../support/server.ts';

/** Starts an identity provider with these metadata fields beside its issuer, and returns the client that finds it. */
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

/** Returns a client of an identity provider that answers by path, with metadata where OpenID Connect puts it. */
const clientAt = async (
  routes: (issuer: string) => Readonly<Record<string, Handler>>,
  {
    signal = noSignal,
    providers,
    ...more
  }: {
    readonly anyTime?: true;
    readonly fromKept?: boolean;
    readonly signal?: AbortSignal;
    readonly providers?: ProviderStore;
  } = {},
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
  const own = await temporaryPorts();
  const ports = {...own, ...(providers ? {providers} : {})};
  return {issuer, paths, client: oauthClient(input, {ports, signal, tell: () => {}})};
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
    await expect(client).rejects.toMatchObject({code: 'network-redirected'});
  });

  test('of the same address with a slash are another identity provider’s', async () => {
    const {client} = await clientAt(own => ({
      '/.well-known/openid-configuration': json({...metadataOf(own), issuer: `${own}/`}),
    }));
    await expect(client).rejects.toMatchObject({code: 'auth-issuer-mismatch'});
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

  test('are asked for again where one is not among them', async () => {
    const {publicKey, privateKey} = await generateKeyPair('RS256');
    const key = {...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig'};
    let keySets = 0;
    const {client} = await clientAt(own => ({
      '/jwks': (request, response) => {
        keySets += 1;
        json({keys: keySets === 1 ? [] : [key]})(request, response);
      },
      '/token': async (request, response) => {
        const idToken = await new SignJWT({})
          .setProtectedHeader({alg: 'RS256', kid: 'one'})
          .setIssuer(own)
          .setSubject('someone')
          .setAudience('platform-cli')
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(privateKey);
        json({access_token: 'access', token_type: 'Bearer', id_token: idToken})(request, response);
      },
    }));
    const {attempt, library, fetchKeys} = await client;
    await fetchKeys();
    const tokens = await attempt(configuration => library.refreshTokenGrant(configuration, 'refresh'));
    expect([tokens.claims()?.sub, keySets]).toEqual(['someone', 2]);
  });

  test('of a busy identity provider are asked for another time, and it is named', async () => {
    const {issuer, client} = await clientAt(() => ({'/jwks': text('no', 429)}));
    await expect((await client).fetchKeys()).rejects.toMatchObject({
      code: 'platform-busy',
      about: {url: `${issuer}/jwks`},
    });
  });

  test('are not asked for where the metadata name none', async () => {
    const {paths, client} = await clientAt(own => ({
      '/.well-known/openid-configuration': json({issuer: own, token_endpoint: `${own}/token`}),
    }));
    await (await client).fetchKeys();
    expect(paths).toEqual(['/.well-known/openid-configuration']);
  });

  const noKeys = 'did not return the keys that sign its ID tokens.';

  test.each([
    ['are not there', json({keys: []}, 404), 'platform-no-such-endpoint', 'answered 404.'],
    ['are no list', json({keys: {}}), 'platform-invalid-answer', noKeys],
    ['are missing in the answer', json({}), 'platform-invalid-answer', noKeys],
  ] as const)('that %s are a failure of the identity provider’s', async (_what, answer, code, said) => {
    const {issuer, client} = await clientAt(() => ({'/jwks': answer}));
    await expect((await client).fetchKeys()).rejects.toMatchObject({
      code,
      message: `${issuer}/jwks ${said}`,
      about: {url: `${issuer}/jwks`},
    });
  });
});

describe('an identity provider by whose clock it is another time', () => {
  /** Returns a client of a provider that signs ID tokens. Its clock is `ahead` seconds ahead of this machine's. */
  const clientBeside = async (
    ahead: number,
    {
      anyTime,
      isDated = true,
      issued = 0,
    }: {readonly anyTime?: true; readonly isDated?: boolean; readonly issued?: number} = {},
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
            .setIssuedAt(now + issued)
            .setExpirationTime(now + issued + 60)
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
      message: expect.stringContaining('clock is 1 h fast'),
    });
  });

  test('tells the difference by its ID token where it does not date its answers', async () => {
    const {refresh} = await clientBeside(-3600, {isDated: false});
    await expect(refresh()).rejects.toMatchObject({
      code: 'auth-clock',
      message: expect.stringContaining('clock is 1 h fast'),
    });
  });

  test.each([true, undefined] as const)('dates no token a day ahead of itself: any time %s', async anyTime => {
    const {refresh} = await clientBeside(-7200, {issued: 86_400, ...(anyTime ? {anyTime} : {})});
    await expect(refresh()).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      message: expect.stringContaining('a date 24 h ahead of its own clock'),
    });
  });

  test('is not asked for its keys again once they are there', async () => {
    const {refresh, fetchKeys, paths} = await clientBeside(3600, {anyTime: true});
    await fetchKeys();
    await refresh();
    expect(paths.filter(path => path === '/jwks')).toHaveLength(1);
  });
});

describe('what an identity provider has said', () => {
  /** Returns a store with these documents of every identity provider, and records what was put into it. */
  const storeWith = (documents: ProviderDocuments = {}) => {
    const put: object[] = [];
    const providers: ProviderStore = {
      get: async () => documents,
      put: async (_, more) => void put.push(more),
      keep: async () => {},
    };
    return {put, providers};
  };
  const keys = [{kid: 'one', kty: 'RSA'}];

  /** Starts the identity provider. Its answers may be cached as `allowed` says. */
  const saying = async (allowed: string, documents?: ProviderDocuments, fromKept?: boolean) => {
    const {put, providers} = storeWith(documents);
    const kept =
      (handler: Handler): Handler =>
      (request, response) => {
        response.setHeader('Cache-Control', allowed);
        handler(request, response);
      };
    const {client, paths, issuer} = await clientAt(
      own => ({
        '/.well-known/openid-configuration': kept(json(metadataOf(own))),
        '/jwks': kept(json({keys, other: 1})),
      }),
      {providers, ...(fromKept === undefined ? {} : {fromKept})},
    );
    return {put, paths, issuer, client: await client};
  };

  test('is kept for as long as that is allowed', async () => {
    const before = Date.now();
    const {put, client, issuer} = await saying('max-age=60');
    await client.fetchKeys();
    const until = expect.toSatisfy(
      (at: number) => at >= before + 60_000 && at <= Date.now() + 60_000,
      'a minute from now',
    );
    expect(put).toEqual([
      {metadata: {body: expect.objectContaining(metadataOf(issuer)), until}, keys: undefined},
      {keys: {body: {keys}, until}},
    ]);
  });

  test.each(['no-store', 'max-age=0'])('is not kept where it says %s, and neither is what was', async allowed => {
    const {put, client} = await saying(allowed);
    await client.fetchKeys();
    expect(put).toStrictEqual([{metadata: undefined, keys: undefined}, {keys: undefined}]);
  });

  test('will do for who says so, and for nobody else', async () => {
    const {issuer, client, paths} = await saying('max-age=60', {
      metadata: {body: {issuer: 'http://other.example'}, until: 1},
    });
    expect([client.isFromKept, paths, client.configuration.serverMetadata().issuer]).toEqual([
      false,
      ['/.well-known/openid-configuration'],
      issuer,
    ]);
  });

  test('will do for a renewal, without a request', async () => {
    const paths: string[] = [];
    const issuer = await serve((request, response) => {
      paths.push(request.url ?? '');
      text('404 page not found', 404)(request, response);
    });
    const {providers, put} = storeWith({
      metadata: {body: metadataOf(issuer), until: 1},
      keys: {body: {keys}, until: 1},
    });
    const input = {issuer, clientId: 'platform-cli', authentication: {method: 'none'}, fromKept: true} as const;
    const ports = {...(await temporaryPorts()), providers};
    const {isFromKept, configuration, fetchKeys} = await oauthClient(input, {ports, signal: noSignal, tell: () => {}});
    await fetchKeys();
    expect([isFromKept, configuration.serverMetadata().token_endpoint]).toEqual([true, `${issuer}/token`]);
    expect([paths, put]).toEqual([[], []]);
  });
});

describe('the refresh token in an answer', () => {
  /** Returns a client that has asked for tokens and got this answer. */
  const broughtBy = async (answer: Handler, metadata: object = {}) => {
    const {client} = await clientAt(own => ({
      '/.well-known/openid-configuration': json({...metadataOf(own), ...metadata}),
      '/token': answer,
    }));
    const {attempt, library, refreshTokenBrought} = await client;
    expect(refreshTokenBrought()).toBeUndefined();
    await attempt(configuration => library.refreshTokenGrant(configuration, 'before')).catch(() => {});
    return refreshTokenBrought();
  };
  const tokens = {access_token: 'access', token_type: 'Bearer', refresh_token: 'after'};

  test.each<[string, Handler, string | undefined]>([
    ['is known', json(tokens), 'after'],
    ['is known although the answer is not taken', json({...tokens, id_token: 'not.a.jwt'}), 'after'],
    ['is none of a refusal', json({...tokens, error: 'invalid_grant'}, 400), undefined],
    ['is no number', json({...tokens, refresh_token: 7}), undefined],
    ['is in no page', text('after'), undefined],
  ])('%s', async (_what, answer, expected) => {
    expect(await broughtBy(answer)).toBe(expected);
  });

  test('is none in metadata', async () => {
    expect(await broughtBy(json({}, 400), {refresh_token: 'x'})).toBeUndefined();
  });
});
