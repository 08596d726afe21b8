import {randomBytes, randomUUID} from 'node:crypto';
import type {
  AccessToken,
  Account,
  Adapter,
  AdapterPayload,
  ClientCredentials,
  Configuration,
  errors,
  Grant,
  JWTStructured,
  KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import {bundled} from '../../platform/platforms.ts';
import type {Hooks} from '../fault-effects.ts';
import type {Extra, IdentityRelease} from '../releases/release.ts';
import {type Application, type Applications, answeredGrants} from './applications.ts';
import type {Users} from './initial-applications.ts';
import type {RefreshTokens, SigningKey} from './issued-tokens.ts';
import {deviceFlow, devicePaths, finishAnswers, mapGrantErrors} from './oidc-answers.ts';
import {type ResourceServers, subjectOf, targetProblem} from './token-endpoint.ts';

type Options = {
  readonly applications: Applications;
  readonly users: Users;
  readonly release: IdentityRelease;
  readonly hooks: Pick<Hooks, 'tokenClaims'>;
};

/**
 * Gives the library's access tokens the platform's claims: its rule for the issuer, and those of the person or client.
 */
export const accessTokenClaims =
  ({applications, users, release, hooks}: Options) =>
  (token: AccessToken | ClientCredentials, jwt: JWTStructured): void => {
    const application = applications.byClientId(token.clientId ?? '');
    const person = token.kind === 'AccessToken' ? users.byId(token.accountId) : undefined;
    const claims = {
      ...jwt.payload,
      // An application may name its own issuer. Servers refuse its tokens then, as on a real platform.
      ...(application && {iss: application.issuer}),
      nbf: Number(jwt.payload.iat),
      ...(person
        ? {
            // For every grant that signs a person in: this claim distinguishes a person from a service.
            grant_type: 'authorization_code',
            username: person.username,
            given_name: person.givenName,
            family_name: person.familyName,
            ...(person.groups.length > 0 && {groups: person.groups}),
          }
        : {grant_type: 'client_credentials', ...(application && {sub: subjectOf(application, release)})}),
    };
    jwt.payload = {...hooks.tokenClaims(claims, 'access')};
  };

/**
 * Presents each application, in its current state, to the protocol library as a client. The library cannot change it.
 */
export const clientAdapter = (applications: Applications): Adapter => ({
  find: async clientId => {
    const application = applications.byClientId(clientId);
    return application && clientMetadata(application);
  },
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: async () => {},
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
});

/** Returns an application as client metadata (RFC 7591 2, OpenID Connect Registration 2). */
const clientMetadata = (application: Application): AdapterPayload => ({
  client_id: application.clientId,
  client_name: application.name,
  ...(application.clientSecret === undefined ? {} : {client_secret: application.clientSecret}),
  redirect_uris: [...application.redirectUris],
  grant_types: application.grantTypes.filter(grantType => answeredGrants.includes(grantType)),
  response_types: application.responseTypes.includes('code') ? ['code'] : [],
  token_endpoint_auth_method: application.tokenEndpointAuthMethod,
  application_type: application.redirectUris.some(isNative) ? 'native' : 'web',
});

/** Whether only a program on the person's own machine can have this redirect URI (RFC 8252 7). */
const isNative = (uri: string) => {
  const url = URL.parse(uri);
  if (url?.protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url !== null && url.protocol !== 'https:';
};

/** Presents a person to the protocol library as an account with claims (OpenID Connect Core 5.1). */
export const findAccount = (users: Users, id: string): Account | undefined => {
  const user = users.byId(id);
  if (!user) return undefined;
  return {
    accountId: user.id,
    claims: () => ({
      sub: user.id,
      username: user.username,
      given_name: user.givenName,
      family_name: user.familyName,
      email: user.email,
      email_verified: true,
    }),
  };
};

type Entry = {readonly payload: AdapterPayload; readonly expiresAt: number};

/**
 * Stores one model of the protocol library in memory while the sandbox runs. `linger` is the number of seconds for
 * which an entry can still be found after its expiry, so that the library can distinguish an expired one from an
 * unknown one.
 */
export const memoryAdapter = ({linger = 0}: {readonly linger?: number} = {}): Adapter => {
  const entries = new Map<string, Entry>();

  const find = (id: string) => {
    const entry = entries.get(id);
    if (entry && entry.expiresAt <= Date.now()) entries.delete(id);
    return entries.get(id)?.payload;
  };

  const findWhere = (test: (payload: AdapterPayload) => boolean) => {
    for (const id of entries.keys()) {
      const payload = find(id);
      if (payload && test(payload)) return payload;
    }
    return undefined;
  };

  return {
    async upsert(id, payload, expiresIn) {
      // Entries that are never looked up again would otherwise stay forever.
      for (const other of entries.keys()) find(other);
      const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + (expiresIn + linger) * 1000;
      entries.set(id, {payload, expiresAt});
    },
    find: async id => find(id),
    findByUid: async uid => findWhere(payload => payload.uid === uid),
    findByUserCode: async userCode => findWhere(payload => payload.userCode === userCode),
    async consume(id) {
      const payload = find(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, {payload}] of entries) if (payload.grantId === grantId) entries.delete(id);
    },
  };
};

let running = 0;
let restore = () => {};

/**
 * Runs a function while the protocol library's notices are kept off the console. The library prints them when it is
 * loaded and configured, and has no option against it, but a sandbox prints only its own lines. All other output
 * passes.
 */
export const quiet = async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
  // Sandboxes that start at the same time share one filter; the last one to finish removes it.
  if (running++ === 0) restore = muzzle();
  try {
    return await run();
  } finally {
    if (--running === 0) restore();
  }
};

const muzzle = () => {
  const {info, warn} = console;
  const unlessNotice =
    (print: typeof info): typeof info =>
    (...args) => {
      if (!/oidc-provider (NOTICE|WARNING)/.test(String(args[0]))) print(...args);
    };
  Object.assign(console, {info: unlessNotice(info), warn: unlessNotice(warn)});
  return () => {
    Object.assign(console, {info, warn});
  };
};

/**
 * Grants a client everything that it requests on behalf of a person: these are the platform's own clients, so there is
 * no consent. A scope that names a permission is left out if the person does not have that permission.
 */
export const fullGrant = async (ctx: KoaContextWithOIDC, users: Users): Promise<Grant | undefined> => {
  const {client, account, provider, requestParamOIDCScopes, requestParamScopes, resourceServers} = ctx.oidc;
  if (!client || !account) return undefined;
  const grant = new provider.Grant({clientId: client.clientId, accountId: account.accountId});
  const permissions = users.byId(account.accountId)?.permissions ?? [];
  const requested = [...requestParamScopes];
  const refused = requested.filter(scope => scope === 'system' && !permissions.includes(scope));
  grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
  for (const resource of Object.keys(resourceServers ?? {})) {
    grant.addResourceScope(resource, requested.filter(scope => !refused.includes(scope)).join(' '));
    // A rejected scope counts as answered; otherwise the library would ask again and again.
    grant.rejectResourceScope(resource, refused.join(' '));
  }
  await grant.save();
  return grant;
};

export type ProviderOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly release: IdentityRelease;
  readonly extras: readonly Extra[];
  readonly resourceServers: ResourceServers;
  readonly refreshTokens: RefreshTokens;
  /** Called for each sign-in that begins; its ID is also the ID of the flow. */
  readonly onSignIn: (flowId: string, application: Application) => void;
  readonly hooks: Hooks;
};

const scopes = ['openid', 'profile', 'email', 'phone', 'address'];

/** The scopes that a token may have. `system` lets its holder administer applications. */
const tokenScopes = [...scopes, 'groups', 'system'];

/** Stands for “no resource”: the token's audience is its client then. */
const noResource = 'urn:sandbox:no-resource';

/**
 * Creates the protocol implementation: OAuth 2.0 with PKCE (RFC 6749, 7636), OpenID Connect, devices (RFC 8628),
 * revocation (RFC 7009).
 */
export const createProvider = async (options: ProviderOptions): Promise<Provider> => {
  const provider = await quiet(async () => {
    const {Provider, errors} = await import('oidc-provider');
    return new Provider(options.issuer, configuration(options, errors.InvalidTarget));
  });
  // Koa would print failures; it is enough that the client gets a 500.
  provider.silent = true;
  mapGrantErrors(provider, options.release);
  finishAnswers(provider, options);
  return provider;
};

/** Returns the name of the cookie that ties a sign-in to the browser that began it. */
export const signInCookie = (flowId: string) => `flow_${flowId}`;

/**
 * How long an expired entry can still be found, by the library's model, in seconds. RFC 8628 3.5 requires
 * `expired_token` for an expired device code.
 */
const linger: Readonly<Record<string, number>> = {DeviceCode: 3600};

const configuration = (options: ProviderOptions, InvalidTarget: typeof errors.InvalidTarget): Configuration => {
  const {issuer, users, applications, release, extras, resourceServers, hooks} = options;
  const claims = accessTokenClaims(options);
  const has = (endpoint: IdentityRelease['endpoints'][number]) =>
    release.endpoints.includes(endpoint) || extras.some(extra => extra === endpoint);
  const of = (clientId: string | undefined) => applications.byClientId(clientId ?? '');
  return {
    adapter: name => (name === 'Client' ? clientAdapter(applications) : memoryAdapter({linger: linger[name] ?? 0})),
    // `jwks` is not set: everything that the library signs is signed again with the platform's key before it is sent.
    scopes,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: {required: () => true},
    clientBasedCORS: () => false,
    routes: {
      authorization: bundled.paths.authorize,
      token: bundled.paths.token,
      jwks: '/oauth2/jwks',
      revocation: '/oauth2/revoke',
      pushed_authorization_request: '/oauth2/par',
      device_authorization: devicePaths.authorization,
      code_verification: devicePaths.page,
    },
    cookies: {keys: [randomBytes(32).toString('base64url')]},
    claims: {
      openid: ['sub'],
      profile: ['username', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
    },
    // ID tokens carry the claims of their scopes, since there is no opaque token with which to fetch them.
    conformIdTokenClaims: false,
    findAccount: (_, id) => findAccount(users, id),
    loadExistingGrant: ctx => fullGrant(ctx, users),
    issueRefreshToken: async (_, client) =>
      release.tokens.refreshTokens !== 'none' && client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => release.tokens.refreshTokens === 'rotating',
    expiresWithSession: () => false,
    ttl: {
      AccessToken: (_, token) => token.resourceServer?.accessTokenTTL ?? 3600,
      ClientCredentials: (_, token) => token.resourceServer?.accessTokenTTL ?? 3600,
      IdToken: (_, __, client) => of(client.clientId)?.idTokenValidity ?? 3600,
      AuthorizationCode: 600,
      DeviceCode: 600,
      // A token that replaces another one expires when that one would have.
      RefreshToken: ctx => ctx?.oidc?.entities.RotatedRefreshToken?.remainingTTL ?? release.tokens.signInLifetime,
      Interaction: 1800,
      Session: 1800,
      // A grant must be found for as long as any token of its family exists, because revocation goes by the grant.
      Grant: Math.max(release.tokens.signInLifetime, 86_400),
    },
    formats: {customizers: {jwt: (_, token, jwt) => claims(token, jwt)}},
    features: {
      devInteractions: {enabled: false},
      rpInitiatedLogout: {enabled: false},
      pushedAuthorizationRequests: {enabled: has('pushed-authorization')},
      dPoP: {enabled: false},
      // UserInfo and introspection are answered outside the library, from the JWT.
      userinfo: {enabled: false},
      clientCredentials: {enabled: true},
      deviceFlow: has('device') ? deviceFlow : {enabled: false},
      revocation: {
        enabled: has('revocation'),
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => oneOf ?? noResource,
        useGrantedResource: () => true,
        getResourceServerInfo: async (ctx, resource, client) => {
          const requested = [ctx.oidc.params?.resource ?? []].flat().map(String);
          const named = requested.filter(one => one !== noResource);
          const problem = targetProblem(named, resourceServers, release.resources);
          if (problem !== undefined) throw new InvalidTarget(problem);
          return {
            audience: resource === noResource ? client.clientId : resource,
            // A client gets every scope that it requests.
            scope: [...tokenScopes, hooks.demandedScope() ?? '', ...ctx.oidc.requestParamScopes].join(' ').trim(),
            accessTokenFormat: hooks.accessTokenFormat(),
            accessTokenTTL: of(client.clientId)?.accessTokenValidity ?? 3600,
            jwt: {sign: {alg: 'RS256'}},
          };
        },
      },
    },
    interactions: {
      url: (ctx, interaction) => {
        const application = of(String(interaction.params.client_id));
        if (application) options.onSignIn(interaction.uid, application);
        ctx.cookies.set(signInCookie(interaction.uid), '1', {
          path: '/gate',
          httpOnly: true,
          sameSite: 'lax',
          signed: false,
        });
        const query = new URLSearchParams({
          applicationId: application?.id ?? '',
          authId: randomUUID(),
          [release.flow.idMember]: interaction.uid,
        });
        return `${issuer}/gate/signin?${query}`;
      },
    },
    renderError(ctx, {error, error_description}) {
      const query = new URLSearchParams({errorCode: error, errorMessage: error_description ?? ''});
      ctx.redirect(`${issuer}/gate/error?${query}`);
    },
  };
};
