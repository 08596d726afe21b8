/**
 * An answer of an OAuth endpoint, recorded from a running provider. It has every header except those for its time,
 * its number and its length.
 */
export type Recorded = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

const glewlwyd = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Frame-Options': 'deny',
  'Referrer-Policy': 'no-referrer',
} as const;

const lemonLdapNg = {
  Server: 'HTTP::Server::PSGI',
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache, no-store, must-revalidate',
  Pragma: 'no-cache',
  Expires: '0',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': 'POST,GET',
  'Access-Control-Expose-Headers': '*',
  'Access-Control-Max-Age': '86400',
} as const;

const djangoOAuthToolkit = {
  Server: 'WSGIServer/0.2 CPython/3.11.7',
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  Connection: 'close',
} as const;

const canaille = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'permissions-policy': 'browsing-topics=()',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'self'; font-src 'self' data:; img-src 'self' blob: data: https:",
  'referrer-policy': 'strict-origin-when-cross-origin',
  vary: 'Cookie',
  server: 'hypercorn-h11',
} as const;

const canailleSays =
  "The client cannot authenticate with methods: ['client_secret_basic', 'client_secret_post', 'client_assertion_jwt', 'none']";

/** The answers to a refresh token that has expired or that the provider never issued. */
export const endedRefreshTokens = {
  'LemonLDAP::NG': {status: 400, headers: lemonLdapNg, body: '{"error":"invalid_request"}'},
  Glewlwyd: {status: 400, headers: glewlwyd, body: ''},
  'zitadel/oidc': {
    status: 400,
    headers: {'Content-Type': 'application/json', Vary: 'Origin'},
    body: '{"error":"invalid_grant"}\n',
  },
  'django-oauth-toolkit': {status: 400, headers: djangoOAuthToolkit, body: '{"error": "invalid_grant"}'},
  Canaille: {status: 400, headers: canaille, body: '{"error": "invalid_grant"}'},
  'better-auth': {
    status: 400,
    headers: {'cache-control': 'no-store', 'content-type': 'application/json', pragma: 'no-cache'},
    body: '{"error_description":"session not found","error":"invalid_grant"}',
  },
} as const satisfies Record<string, Recorded>;

/** The answers to a client that must send a secret, and sends none or a wrong one. */
export const refusedClients = {
  'django-oauth-toolkit': {
    status: 401,
    headers: {...djangoOAuthToolkit, 'WWW-Authenticate': 'Bearer error="invalid_client"'},
    body: '{"error": "invalid_client"}',
  },
  Canaille: {
    status: 401,
    headers: {
      ...canaille,
      'www-authenticate': `Basic error="invalid_client", error_description="${canailleSays}"`,
    },
    body: JSON.stringify({error: 'invalid_client', error_description: canailleSays}),
  },
  'LemonLDAP::NG': {status: 400, headers: lemonLdapNg, body: '{"error":"invalid_client"}'},
  'LemonLDAP::NG, by Basic': {
    status: 401,
    headers: {...lemonLdapNg, 'WWW-Authenticate': 'Basic'},
    body: '{"error":"invalid_client"}',
  },
  'Spring Authorization Server': {
    status: 401,
    headers: {
      'X-Content-Type-Options': 'nosniff',
      'X-XSS-Protection': '0',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      Pragma: 'no-cache',
      Expires: '0',
      'X-Frame-Options': 'DENY',
      'Content-Type': 'application/json;charset=UTF-8',
    },
    body: '{"error":"invalid_client"}',
  },
  Glewlwyd: {status: 403, headers: glewlwyd, body: ''},
} as const satisfies Record<string, Recorded>;

/** The answers of authorization endpoints to an unknown client. */
export const unknownClients = {
  Glewlwyd: {status: 403, headers: glewlwyd, body: ''},
  // It checks the client after a person has signed in. This answer tells a program to have the person sign in.
  'LemonLDAP::NG': {
    status: 401,
    headers: {...lemonLdapNg, 'WWW-Authenticate': 'SSO http://auth.example.com/'},
    body: '{"result":0,"error":9}',
  },
  'zitadel/oidc': {
    status: 400,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Vary: 'Origin',
      'X-Content-Type-Options': 'nosniff',
    },
    body: 'unable to retrieve client by id\n',
  },
} as const satisfies Record<string, Recorded>;
