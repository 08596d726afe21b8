import {randomUUID} from 'node:crypto';
import {decodeJwt, type JWTPayload} from 'jose';
import type {OIDCContext, Provider} from 'oidc-provider';
import type {Hooks} from '../../faults/hooks.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';
import type {RefreshTokens} from '../tokens/refresh-tokens.ts';
import type {SigningKey} from '../tokens/signing-key.ts';

type Options = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly release: IdentityRelease;
  readonly refreshTokens: RefreshTokens;
  readonly hooks: Hooks;
};

/**
 * Gives tokens and redirects the form that a release gives them, where the protocol library lets nobody configure that.
 * All JWTs are signed here: the library's own key stays with it, so that the platform's can change.
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
  // A fault makes them opaque.
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

/** OpenID Connect Core 2. A hash of the access token would be that of another one. */
const idTokenClaims = ({at_hash, nonce, ...claims}: JWTPayload, {tokens}: IdentityRelease): JWTPayload => ({
  ...claims,
  ...(tokens.nonce && nonce !== undefined && {nonce}),
});

/** What a refresh token says of itself. Its end is that of the sign-in, whichever of a family it is. */
const refreshTokenClaims = async (provider: Provider, opaque: string, {issuer, release, hooks}: Options) => {
  const token = await provider.RefreshToken.find(opaque);
  // Reuse of the one before may have ended it already.
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

/** The library names the issuer in every authorization response (RFC 9207 2). */
const withoutIssuer = (ctx: Context) => {
  const location = URL.parse(ctx.response.get('Location') ?? '');
  if (!location?.searchParams.has('iss')) return;
  location.searchParams.delete('iss');
  ctx.set('Location', location.href);
};
