import {randomBytes, randomUUID} from 'node:crypto';
import type {Configuration, errors, Provider} from 'oidc-provider';
import {bundled} from '../../../platform/bundled.ts';
import type {Hooks} from '../../faults/hooks.ts';
import type {Extra, IdentityRelease} from '../../releases/identity-release.ts';
import type {Application, Applications} from '../applications/applications.ts';
import {type ResourceServers, targetProblem} from '../resources/resource-servers.ts';
import type {RefreshTokens} from '../tokens/refresh-tokens.ts';
import type {SigningKey} from '../tokens/signing-key.ts';
import type {Users} from '../users.ts';
import {accessTokenClaims} from './access-token-claims.ts';
import {clientAdapter} from './client-metadata.ts';
import {deviceFlow, devicePaths} from './device-flow.ts';
import {findAccount} from './find-account.ts';
import {finishAnswers} from './finish-answers.ts';
import {mapGrantErrors} from './grant-errors.ts';
import {memoryAdapter} from './memory-adapter.ts';
import {quiet} from './quiet.ts';
import {wholeGrant} from './whole-grant.ts';

export type ProviderOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly release: IdentityRelease;
  readonly extras: readonly Extra[];
  readonly resourceServers: ResourceServers;
  readonly refreshTokens: RefreshTokens;
  /** Told of each sign-in that begins; the ID is also the flow's. */
  readonly onSignIn: (flowId: string, application: Application) => void;
  readonly hooks: Hooks;
};

const scopes = ['openid', 'profile', 'email', 'phone', 'address'];

/** The scopes that a token may carry. `system` lets its holder administer applications. */
const tokenScopes = [...scopes, 'groups', 'system'];

/** What stands for no resource at all: a token's audience is its client then. */
const noResource = 'urn:sandbox:no-resource';

/** The protocol itself: OAuth 2.0 with PKCE (RFC 6749, 7636), OpenID Connect, devices (RFC 8628), revocation (RFC 7009). */
export const createProvider = async (options: ProviderOptions): Promise<Provider> => {
  const provider = await quiet(async () => {
    const {Provider, errors} = await import('oidc-provider');
    return new Provider(options.issuer, configuration(options, errors.InvalidTarget));
  });
  // Koa would print failures; the client gets them as a 500 and that is enough.
  provider.silent = true;
  mapGrantErrors(provider, options.release);
  finishAnswers(provider, options);
  return provider;
};

/** The name of the cookie that ties a sign-in to the browser that began it. */
export const signInCookie = (flowId: string) => `flow_${flowId}`;

/** RFC 8628 3.5 wants `expired_token` for a device code that ended; in seconds. */
const linger: Readonly<Record<string, number>> = {DeviceCode: 3600};

const configuration = (options: ProviderOptions, InvalidTarget: typeof errors.InvalidTarget): Configuration => {
  const {issuer, users, applications, release, extras, resourceServers, hooks} = options;
  const claims = accessTokenClaims(options);
  const has = (endpoint: IdentityRelease['endpoints'][number]) =>
    release.endpoints.includes(endpoint) || extras.some(extra => extra === endpoint);
  const of = (clientId: string | undefined) => applications.byClientId(clientId ?? '');
  return {
    adapter: name => (name === 'Client' ? clientAdapter(applications) : memoryAdapter({linger: linger[name] ?? 0})),
    // No `jwks`: whatever the library signs is signed anew, with the platform's key, before it leaves.
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
    // ID tokens carry the claims of their scopes, as there is no opaque token to fetch them with.
    conformIdTokenClaims: false,
    findAccount: (_, id) => findAccount(users, id),
    loadExistingGrant: ctx => wholeGrant(ctx, users),
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
      // One that replaces another ends when that would have ended.
      RefreshToken: ctx => ctx?.oidc?.entities.RotatedRefreshToken?.remainingTTL ?? release.tokens.signInLifetime,
      Interaction: 1800,
      Session: 1800,
      // What is revoked with a family has to be found for as long as any of its tokens.
      Grant: Math.max(release.tokens.signInLifetime, 86_400),
    },
    formats: {customizers: {jwt: (_, token, jwt) => claims(token, jwt)}},
    features: {
      devInteractions: {enabled: false},
      rpInitiatedLogout: {enabled: false},
      pushedAuthorizationRequests: {enabled: has('pushed-authorization')},
      dPoP: {enabled: false},
      // UserInfo and introspection are answered from the JWT, outside the library.
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
            // A client gets whatever scope it asks for.
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
