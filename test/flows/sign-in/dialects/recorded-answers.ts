/** An answer of an OAuth endpoint as a running provider gave it. */
export type Recorded = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

const json = (body: object) => JSON.stringify(body);

const JSON_TYPE = {'Content-Type': 'application/json'};

/** What each answers to a refresh token that has ended, or that it has never given. */
export const endedRefreshTokens = {
  'LemonLDAP::NG': {status: 400, headers: JSON_TYPE, body: json({error: 'invalid_request'})},
  Glewlwyd: {status: 400, body: ''},
  'zitadel/oidc': {status: 400, headers: JSON_TYPE, body: json({error: 'invalid_grant'})},
  'django-oauth-toolkit': {status: 400, headers: JSON_TYPE, body: json({error: 'invalid_grant'})},
  Canaille: {status: 400, headers: JSON_TYPE, body: json({error: 'invalid_grant'})},
  'better-auth': {
    status: 400,
    headers: JSON_TYPE,
    body: json({error: 'invalid_grant', error_description: 'session not found'}),
  },
} as const satisfies Record<string, Recorded>;

/** What each answers to a client that it does not know, or that sends the wrong secret or none. */
export const refusedClients = {
  'django-oauth-toolkit': {
    status: 401,
    headers: {...JSON_TYPE, 'WWW-Authenticate': 'Bearer error="invalid_client"'},
    body: json({error: 'invalid_client'}),
  },
  Canaille: {
    status: 401,
    headers: {...JSON_TYPE, 'WWW-Authenticate': 'Basic'},
    body: json({error: 'invalid_client'}),
  },
  'LemonLDAP::NG': {
    status: 401,
    headers: {...JSON_TYPE, 'WWW-Authenticate': 'Basic'},
    body: json({error: 'invalid_client'}),
  },
  'Spring Authorization Server': {status: 401, headers: JSON_TYPE, body: json({error: 'invalid_client'})},
  Glewlwyd: {status: 403, body: ''},
} as const satisfies Record<string, Recorded>;
