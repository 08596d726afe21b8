/** How a provider's endpoints behave where providers differ. Taken from recorded answers and documentation. */
export type Dialect = {
  readonly id: string;
  readonly issuer: string;
  /** Endpoints by their metadata names, as paths below their origin. */
  readonly endpoints: Readonly<Record<'authorization_endpoint' | 'token_endpoint' | 'jwks_uri', string>> &
    Readonly<Partial<Record<'device_authorization_endpoint', string>>>;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** True if the metadata omits PKCE although it works. */
  readonly isPkceUnlisted?: true;
  /** Set if a refresh token requires its own scope, with or without a consent prompt. */
  readonly offline?: 'scope' | 'scope-and-consent';
  /** The refresh token that a renewal returns. */
  readonly renewal: 'another' | 'the same' | 'none';
  /** The lifetime of a refresh token after its renewal, in seconds, if the answer says so. */
  readonly refreshLifetime?: number;
  /** True if asking does not help a client whose refresh tokens are switched off. */
  readonly isRefreshSwitched?: true;
  /** The refusal of an expired refresh token. */
  readonly ended: {readonly status: number; readonly error: string; readonly error_description?: string};
  /** The provider's answer to `resource`. */
  readonly resource: 'taken' | 'passed over' | Refusal;
  /** True if `audience` decides the audience of a token. */
  readonly takesAudience?: true;
  readonly unknownClient: Refusal;
  readonly foreignRedirect: Refusal;
  readonly unknownScope: {readonly error: string; readonly error_description: string};
  /** The refusal of a wrong secret. */
  readonly wrongSecret: {readonly status: number; readonly error: string; readonly error_description?: string};
  /** The scope that a client has to ask for, if any. */
  readonly clientScope?: string;
  /** How a client sends its secret, if the provider takes only one way. */
  readonly secretBy?: 'basic';
};

/**
 * A refusal on a page of its own, on a page one redirect later, at an error page by redirect, or back at the redirect
 * URI.
 */
export type Refusal =
  | {readonly as: 'page'; readonly status: number; readonly body: string; readonly type?: string}
  | {readonly as: 'later'; readonly status: number; readonly body: string}
  | {readonly as: 'error-page'; readonly error: string; readonly error_description: string}
  | {readonly as: 'back'; readonly error: string; readonly error_description: string};

const paths = (authorization: string, token: string, jwks: string) => ({
  authorization_endpoint: authorization,
  token_endpoint: token,
  jwks_uri: jwks,
});

const page = (status: number, body: string, type = 'text/html'): Refusal => ({as: 'page', status, body, type});

export const dialects: readonly Dialect[] = [
  {
    id: 'keycloak',
    issuer: 'https://sso.acme.example/realms/dev',
    endpoints: paths(
      '/realms/dev/protocol/openid-connect/auth',
      '/realms/dev/protocol/openid-connect/token',
      '/realms/dev/protocol/openid-connect/certs',
    ),
    extra: {
      scopes_supported: ['openid', 'offline_access', 'profile', 'email'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
    renewal: 'another',
    refreshLifetime: 1800,
    isRefreshSwitched: true,
    ended: {status: 400, error: 'invalid_grant', error_description: 'Token is not active'},
    resource: 'passed over',
    unknownClient: page(400, '{"error":"Client not found."}', 'application/json'),
    foreignRedirect: page(400, '{"error":"Invalid parameter: redirect_uri"}', 'application/json'),
    unknownScope: {error: 'invalid_scope', error_description: 'Invalid scopes: openid nobody'},
    wrongSecret: {
      status: 401,
      error: 'unauthorized_client',
      error_description: 'Invalid client or Invalid client credentials',
    },
  },
  {
    id: 'dex',
    issuer: 'https://sso.acme.example/dex',
    endpoints: {
      ...paths('/dex/auth', '/dex/token', '/dex/keys'),
      device_authorization_endpoint: '/dex/device/code',
    },
    extra: {
      scopes_supported: ['openid', 'email', 'groups', 'profile', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
    offline: 'scope',
    renewal: 'another',
    ended: {status: 400, error: 'invalid_request', error_description: 'Refresh token expired.'},
    resource: 'passed over',
    unknownClient: {as: 'later', status: 404, body: '<html><h2>Not Found</h2>Invalid client_id.</html>'},
    foreignRedirect: {as: 'later', status: 400, body: '<html><h2>Bad Request</h2>Unregistered redirect_uri.</html>'},
    unknownScope: {error: 'invalid_scope', error_description: 'Unrecognized scope(s) ["nobody"]'},
    wrongSecret: {status: 401, error: 'invalid_client', error_description: 'Invalid client credentials.'},
  },
  {
    id: 'hydra',
    issuer: 'https://hydra.acme.example',
    endpoints: paths('/oauth2/auth', '/oauth2/token', '/.well-known/jwks.json'),
    extra: {
      scopes_supported: ['offline_access', 'offline', 'openid'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
    offline: 'scope',
    renewal: 'another',
    ended: {
      status: 400,
      error: 'invalid_grant',
      error_description: 'The provided authorization grant or refresh token is invalid, expired or revoked.',
    },
    resource: 'passed over',
    takesAudience: true,
    unknownClient: {
      as: 'error-page',
      error: 'invalid_client',
      error_description: 'Client authentication failed. The requested OAuth 2.0 Client does not exist.',
    },
    foreignRedirect: {
      as: 'error-page',
      error: 'invalid_request',
      error_description:
        'The "redirect_uri" parameter does not match any of the OAuth 2.0 Client’s pre-registered ones.',
    },
    unknownScope: {
      error: 'invalid_scope',
      error_description: 'The OAuth 2.0 Client is not allowed to request scope nobody.',
    },
    wrongSecret: {status: 401, error: 'invalid_client', error_description: 'Client authentication failed.'},
  },
  {
    id: 'entra-id',
    issuer: 'https://login.microsoftonline.com/5ce7a1d2/v2.0',
    endpoints: paths('/5ce7a1d2/oauth2/v2.0/authorize', '/5ce7a1d2/oauth2/v2.0/token', '/5ce7a1d2/discovery/v2.0/keys'),
    extra: {
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    isPkceUnlisted: true,
    offline: 'scope',
    renewal: 'another',
    ended: {
      status: 400,
      error: 'interaction_required',
      error_description: 'AADSTS50076: Due to a configuration change you must use multi-factor authentication.',
    },
    resource: {
      as: 'back',
      error: 'invalid_target',
      error_description: 'AADSTS9010010: The resource parameter provided in the request doesn’t match with the scopes.',
    },
    unknownClient: page(
      400,
      '<html><title>Sign in</title>AADSTS700016: Application not found in the directory.</html>',
    ),
    foreignRedirect: page(400, '<html>AADSTS50011: The redirect URI does not match the ones configured.</html>'),
    unknownScope: {
      error: 'invalid_client',
      error_description: 'AADSTS650053: The application asked for scope "nobody" that doesn’t exist on the resource.',
    },
    wrongSecret: {
      status: 401,
      error: 'invalid_client',
      error_description: 'AADSTS7000215: Invalid client secret provided.',
    },
    clientScope: 'api://platform/.default',
  },
  {
    id: 'okta',
    issuer: 'https://acme.okta.com/oauth2/default',
    endpoints: paths('/oauth2/default/v1/authorize', '/oauth2/default/v1/token', '/oauth2/default/v1/keys'),
    extra: {
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      code_challenge_methods_supported: ['S256'],
    },
    offline: 'scope',
    renewal: 'the same',
    ended: {status: 400, error: 'invalid_grant', error_description: 'The refresh token is invalid or expired.'},
    resource: 'passed over',
    unknownClient: page(400, '<html>Invalid value for ‘client_id’ parameter: invalid_client</html>'),
    foreignRedirect: page(400, '<html>The ‘redirect_uri’ parameter must be a Login redirect URI.</html>'),
    unknownScope: {
      error: 'invalid_scope',
      error_description: 'One or more scopes are not configured for the authorization server resource.',
    },
    wrongSecret: {status: 401, error: 'invalid_client', error_description: 'The client secret supplied is invalid.'},
    clientScope: 'platform',
  },
  {
    id: 'auth0',
    issuer: 'https://acme.eu.auth0.com/',
    endpoints: paths('/authorize', '/oauth/token', '/.well-known/jwks.json'),
    extra: {
      scopes_supported: ['openid', 'profile', 'offline_access', 'email'],
      code_challenge_methods_supported: ['S256', 'plain'],
    },
    offline: 'scope',
    renewal: 'another',
    ended: {status: 403, error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.'},
    resource: 'passed over',
    takesAudience: true,
    unknownClient: page(400, '<html>Unknown client: nobody</html>'),
    foreignRedirect: page(400, '<html>Callback URL mismatch.</html>'),
    unknownScope: {error: 'invalid_scope', error_description: 'Unknown scope.'},
    wrongSecret: {status: 401, error: 'access_denied', error_description: 'Unauthorized'},
  },
  {
    id: 'cognito',
    issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf',
    endpoints: paths(
      'https://acme.auth.eu-west-1.amazoncognito.com/oauth2/authorize',
      'https://acme.auth.eu-west-1.amazoncognito.com/oauth2/token',
      '/eu-west-1_AbCdEf/.well-known/jwks.json',
    ),
    extra: {
      scopes_supported: ['openid', 'email', 'phone', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
    isPkceUnlisted: true,
    renewal: 'none',
    ended: {status: 400, error: 'invalid_grant', error_description: 'Refresh Token has expired'},
    resource: 'taken',
    unknownClient: page(400, '<html>Login pages unavailable. Client does not exist.</html>'),
    foreignRedirect: {as: 'error-page', error: 'redirect_mismatch', error_description: 'redirect_mismatch'},
    unknownScope: {error: 'invalid_scope', error_description: 'invalid_scope'},
    wrongSecret: {status: 400, error: 'invalid_client', error_description: 'invalid_client_secret'},
    clientScope: 'platform/access',
    secretBy: 'basic',
  },
  {
    id: 'authentik',
    issuer: 'https://auth.acme.example/application/o/platform/',
    endpoints: paths('/application/o/authorize/', '/application/o/token/', '/application/o/platform/jwks/'),
    extra: {scopes_supported: ['openid', 'email', 'profile', 'offline_access']},
    isPkceUnlisted: true,
    offline: 'scope',
    renewal: 'another',
    ended: {status: 400, error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.'},
    resource: 'passed over',
    unknownClient: page(400, '<html>Client identifier (client_id) is missing or invalid.</html>'),
    foreignRedirect: page(
      400,
      '<html>The request fails due to a missing, invalid, or mismatching Redirect URI.</html>',
    ),
    unknownScope: {error: 'invalid_scope', error_description: 'The requested scope is invalid.'},
    wrongSecret: {status: 400, error: 'invalid_client', error_description: 'Client authentication failed'},
  },
  {
    // An unknown provider that follows the standards. oidc-provider behaves like this.
    id: 'standard',
    issuer: 'https://idp.acme.example',
    endpoints: paths('/auth', '/token', '/jwks'),
    extra: {scopes_supported: ['openid', 'offline_access'], code_challenge_methods_supported: ['S256']},
    offline: 'scope-and-consent',
    renewal: 'another',
    ended: {status: 400, error: 'invalid_grant', error_description: 'grant request is invalid'},
    resource: {
      as: 'back',
      error: 'invalid_target',
      error_description: 'resource indicator is missing, or unknown',
    },
    unknownClient: page(400, '<html>invalid_client: client is invalid</html>'),
    foreignRedirect: page(400, '<html>redirect_uri did not match any of the client’s registered redirect_uris</html>'),
    unknownScope: {error: 'invalid_scope', error_description: 'requested scope is not allowed'},
    wrongSecret: {status: 401, error: 'invalid_client', error_description: 'client authentication failed'},
  },
];
