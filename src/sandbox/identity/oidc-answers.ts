import {randomUUID} from 'node:crypto';
import {decodeJwt, type JWTPayload} from 'jose';
import type {Configuration, errors, KoaContextWithOIDC, OIDCContext, Provider} from 'oidc-provider';
import {bundled} from '../../platform/platforms.ts';
import type {Hooks} from '../fault-effects.ts';
import {type Handler, queryOf, type Routes, sendNothing} from '../http-server.ts';
import type {IdentityRelease} from '../releases/release.ts';
import type {Applications} from './applications.ts';
import type {RefreshTokens, SigningKey} from './issued-tokens.ts';
import {
  codePage,
  confirmationPage,
  declinedPage,
  donePage,
  type HtmlPage,
  pageResponse,
  startAgainPage,
  withoutCookies,
} from './pages.ts';

type Options = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly release: IdentityRelease;
  readonly refreshTokens: RefreshTokens;
  readonly hooks: Hooks;
};

/**
 * Changes tokens and redirects to the form of a release, where the protocol library cannot be configured to do so. All
 * JWTs are signed here: the library has a key of its own, so that the platform's can change.
 */
export const finishAnswers = (provider: Provider, options: Options) => {
  const {release} = options;
  provider.use(async (ctx, next) => {
    await next();
    if (!release.issuerInResponse) withoutIssuer(ctx);
    const {body} = ctx;
    if (typeof body?.access_token === 'string')
      ctx.body = await tokenResponse(provider, isRefresh(ctx.oidc), body, options);
  });
};

type Context = {readonly response: {get(name: string): string}; set(name: string, value: string): void};

type TokenResponse = {
  readonly access_token: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
};

const tokenResponse = async (provider: Provider, refreshed: boolean, body: TokenResponse, options: Options) => {
  const {key, release, refreshTokens, hooks} = options;
  const {access_token, id_token, refresh_token, ...rest} = body;
  // Access tokens are opaque if the fault `opaque-tokens` is in force.
  const isJwt = access_token.split('.').length === 3;
  const withIdToken = id_token !== undefined && (release.tokens.idTokenOnRefresh || !refreshed);
  return {
    ...rest,
    access_token: isJwt ? await key.sign(decodeJwt(access_token), release.tokens.accessTokenType) : access_token,
    ...(refresh_token !== undefined && {
      refresh_token: await refreshTokens.seal(refresh_token, opaque => refreshTokenClaims(provider, opaque, options)),
    }),
    ...(withIdToken && {
      id_token: await key.sign(hooks.tokenClaims(idTokenClaims(decodeJwt(id_token), release), 'id')),
    }),
  };
};

const isRefresh = ({params}: OIDCContext) => params?.grant_type === 'refresh_token';

/**
 * OpenID Connect Core 2. Without `at_hash`: it would be the hash of the library's access token, not of the one that the
 * client gets.
 */
const idTokenClaims = ({at_hash, nonce, ...claims}: JWTPayload, {tokens}: IdentityRelease): JWTPayload => ({
  ...claims,
  ...(tokens.nonce && nonce !== undefined && {nonce}),
});

/** Returns the claims of a refresh token. All tokens of a family expire with the sign-in. */
const refreshTokenClaims = async (provider: Provider, opaque: string, {issuer, release, hooks}: Options) => {
  const token = await provider.RefreshToken.find(opaque);
  // If the previous token was reused, this one may already be revoked.
  const {iat = Math.floor(Date.now() / 1000), exp = iat + release.tokens.signInLifetime} = token ?? {};
  const claims = {
    aud: issuer,
    access_token_sub: token?.accountId,
    exp,
    grant_type: 'authorization_code',
    iat,
    iss: issuer,
    jti: randomUUID(),
    nbf: iat,
    scope: token?.scope,
    sub: token?.clientId ?? '',
  };
  return hooks.tokenClaims(claims, 'refresh');
};

/** Removes `iss`, which the library adds to every authorization response (RFC 9207 2), for releases without it. */
const withoutIssuer = (ctx: Context) => {
  const location = URL.parse(ctx.response.get('Location') ?? '');
  if (!location?.searchParams.has('iss')) return;
  location.searchParams.delete('iss');
  ctx.set('Location', location.href);
};

/**
 * Gives failures of the code and refresh grants the platform's wording. Also consumes the code if the PKCE verifier
 * does not match, since the sender may be guessing (RFC 7636 4.6, RFC 9700 4.5).
 */
export const mapGrantErrors = (provider: Provider, {usedCode}: IdentityRelease) => {
  const failures = new WeakMap<object, errors.OIDCProviderError>();
  provider.on('grant.error', (ctx, error) => failures.set(ctx.req, error));

  provider.use(async (ctx, next) => {
    await next();
    // The platform redirects with 302, the library with 303.
    if (ctx.status === 303 && ctx.path.startsWith(bundled.paths.authorize)) ctx.status = 302;

    const failure = failures.get(ctx.req);
    if (failure?.error !== 'invalid_grant') return;
    const {grant_type, code} = ctx.oidc.params ?? {};
    const description = describe(String(grant_type), failure.error_detail ?? '', usedCode);
    if (description) ctx.body = {error: 'invalid_grant', error_description: description};
    if (description === wrongVerifier) await (await provider.AuthorizationCode.find(String(code)))?.consume();
  });
};

const wrongVerifier = 'Invalid code verifier';

const describe = (grantType: string, detail: string, usedCode: string) => {
  if (grantType === 'refresh_token') return 'Invalid refresh token';
  if (grantType !== 'authorization_code') return undefined;
  if (detail.includes('code_verifier')) return wrongVerifier;
  if (/not found|client mismatch/.test(detail)) return 'Invalid authorization code';
  if (/already consumed|expired/.test(detail)) return usedCode;
  return undefined;
};

/**
 * `GET /oauth2/authorize`. If the client or its redirect URI is unknown, redirects only to the provider's own error
 * page (RFC 6749 4.1.2.1). Redirect URIs are compared as strings: even a loopback port must match.
 */
export const authorizeEndpoint =
  (issuer: string, applications: Applications, release: IdentityRelease, authorize: Handler): Handler =>
  (request, response) => {
    const query = queryOf(request);
    const problem = problemOf(query, applications, release);
    if (problem) {
      return sendNothing(response, 302, {Location: `${issuer}/gate/error?${new URLSearchParams(problem)}`});
    }
    return withoutSession(authorize)(request, response);
  };

/** Ignores sessions from earlier visits: each authorization asks for the credentials again. */
export const withoutSession =
  (handler: Handler): Handler =>
  (request, response) => {
    withoutCookies(request, ['_session', '_session.sig']);
    return handler(request, response);
  };

const problemOf = (query: URLSearchParams, applications: Applications, {unknownClient}: IdentityRelease) => {
  const clientId = query.get('client_id');
  if (!clientId) return {errorCode: 'invalid_request', errorMessage: 'Missing client_id parameter'};
  const application = applications.byClientId(clientId);
  if (!application) return {errorCode: unknownClient, errorMessage: 'Invalid client_id'};
  // The redirect URI was checked when the request was pushed (RFC 9126 2.1).
  if (query.has('request_uri')) return undefined;
  if (!application.redirectUris.includes(query.get('redirect_uri') ?? '')) {
    return {errorCode: 'invalid_request', errorMessage: 'Invalid redirect URI'};
  }
  return undefined;
};

/** The path at which a program requests a code, and the page on which a person enters it. */
export const devicePaths = {authorization: '/oauth2/device_authorization', page: '/device'};

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/**
 * The device authorization grant (RFC 8628), for programs on a machine without a browser. The library implements the
 * protocol, but never answers `slow_down`; the pages look like the provider's others.
 */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  userCodeInputSource: (ctx, _form, _out, error) => {
    if (!error) return show(ctx, codePage({secret: secretOf(ctx), code: String(ctx.query.prefilled ?? '')}));
    const forgotten = forgetNewSession(ctx);
    if (error.name === 'AbortedError') return show(ctx, declinedPage);
    const problem = problems[error.name] ?? 'This page was open for too long, or was opened in another browser.';
    if (forgotten) return show(ctx, startAgainPage(problem));
    const code = 'userCode' in error ? String(error.userCode) : '';
    show(ctx, codePage({secret: secretOf(ctx), code, problem}));
  },
  userCodeConfirmSource: (ctx, _form, client, _deviceInfo, code) =>
    show(ctx, confirmationPage({secret: secretOf(ctx), code, client: client.clientName ?? client.clientId})),
  successSource: ctx => show(ctx, donePage(ctx.oidc.client?.clientName ?? 'the application')),
};

/** Returns the routes of the device flow. */
export const deviceRoutes = (begin: Handler, protocol: Handler): Routes => ({
  [devicePaths.authorization]: {POST: begin},
  [devicePaths.page]: {GET: withoutSession(withoutUserCode(protocol)), POST: protocol},
  [`${devicePaths.page}/{interaction}`]: {GET: withoutSession(protocol)},
});

/** Hides a code in the address (RFC 8628 3.3.1) from the library, which would answer with a page that runs a script. */
const withoutUserCode =
  (handler: Handler): Handler =>
  (request, response) => {
    const code = queryOf(request).get('user_code');
    request.url = code ? `${devicePaths.page}?${new URLSearchParams({prefilled: code})}` : devicePaths.page;
    return handler(request, response);
  };

/**
 * Drops the session of a request that came without one; returns true if it did. The library puts a new secret into such
 * a session, for the form of the next attempt, and then fails to save it, because it was never saved before.
 */
const forgetNewSession = ({oidc: {session}}: KoaContextWithOIDC) => {
  if (!session || session.exp !== undefined) return false;
  Object.assign(session, {touched: false});
  return true;
};

/**
 * Returns the secret that ties a form to the browser that it was shown in (RFC 6749 10.12). The library creates and
 * checks it.
 */
const secretOf = (ctx: KoaContextWithOIDC) => String(ctx.oidc.session?.state?.secret ?? '');

/** The library's errors about a code, in words for the person who entered it. */
const problems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code.',
  NotFoundError: 'This code is wrong. Compare it with the one you were shown.',
  ExpiredError: 'This code has expired. Start again where you got it.',
  AlreadyUsedError: 'This code was already used. Start again where you got it.',
};

const show = (ctx: KoaContextWithOIDC, page: HtmlPage) => {
  const {headers, text} = pageResponse(page);
  ctx.set(headers);
  ctx.body = text;
};
