import type {IdentityProvider} from '../identity-provider.ts';

export const keycloak: IdentityProvider = {
  id: 'keycloak',
  name: 'Keycloak',
  evidence: 'run',
  // Its metadata must not be cached, so the issuer alone has to identify it when the metadata was not just read.
  knownBy: {
    issuer: /\/realms\/[^/]+\/?$/,
    endpoints: {
      token_endpoint: /\/protocol\/openid-connect\/token$/,
      authorization_endpoint: /\/protocol\/openid-connect\/auth$/,
    },
  },
  // A refresh token comes unrequested; offline_access would make it outlive the session, which has to be allowed. It
  // expires after the idle time (“SSO Session Idle”), which begins anew with each renewal.
  refreshToken: {
    isUnasked: true,
    slides: true,
    lifetime:
      'Realm settings › Sessions: a sign-in ends after a pause of “SSO Session Idle” (30 minutes unless that was changed), and at the latest after “SSO Session Max”. To keep people signed in overnight, make the first longer than a night.',
    setting: 'Clients › {clientId} › Advanced › OpenID Connect Compatibility Modes: switch “Use refresh tokens” on.',
  },
  target: 'resource',
  audience:
    'Client scopes › Create client scope, then Mappers › Configure a new mapper › Audience: enter {audience} as “Included Custom Audience”. Add the scope to {clientId} as a default one.',
  isAlwaysJwt: true,
  redirects:
    '“Valid redirect URIs” of the client must list {redirect}. A loopback address that is listed without a port is accepted with any port.',
  refusals: [
    {cause: 'unknown-client', at: ['authorization'], says: /client not found/i},
    {cause: 'secret-method', error: 'invalid_client', says: /client_assertion/i},
    // Keycloak reports a disabled client like a missing one, except on the sign-in page.
    {cause: 'unknown-client', at: ['token', 'renewal', 'device'], error: 'invalid_client'},
    {cause: 'disabled', says: /client disabled|client is not enabled|invalid client or .*disabled/i},
    {cause: 'redirect', at: ['authorization'], says: /invalid parameter: redirect_uri/i},
    {cause: 'pkce', says: /code.?challenge|pkce/i},
    {cause: 'par', says: /pushed authorization request/i},
    {cause: 'service-account', says: /not enabled to retrieve service account|public client not allowed/i},
    {
      cause: 'secret',
      at: ['token', 'renewal', 'device'],
      error: 'unauthorized_client',
      says: /invalid client (?:secret|credentials|or invalid)/i,
    },
    {cause: 'device', at: ['device'], says: /device authorization grant|flow is disabled/i},
    {
      cause: 'grant',
      says: /not (?:allowed|enabled).*(?:standard flow|direct access|response.?type)|standard flow is disabled|client is not allowed to initiate/i,
    },
    // The account lacks the realm role `offline_access`.
    {cause: 'scope', says: /offline tokens? not allowed/i},
    {cause: 'interaction', says: /account is not fully set up|required action/i},
    {cause: 'ended', at: ['renewal'], error: 'invalid_grant'},
  ],
  settings: {
    grant: 'Clients › {clientId} › Settings › Capability config: switch “Standard flow” on.',
    pkce: 'Clients › {clientId} › Capability config (or Advanced): set the PKCE method to S256, or to none.',
    par: 'Clients › {clientId} › Advanced: switch “Pushed authorization request required” off.',
    dpop: 'Clients › {clientId} › Capability config: switch “Require DPoP bound tokens” off.',
    scope:
      'Clients › {clientId} › Client scopes › Add client scope: add the requested ones. For offline_access, the account needs the realm role of that name too (Users › Role mapping).',
    audience:
      'Client scopes › a scope of {clientId} › Mappers › Audience: enter {audience} as “Included Custom Audience”.',
    secret: 'Clients › {clientId} › Credentials shows the secret.',
    'secret-method': 'Clients › {clientId} › Credentials: set “Client Authenticator” to “Client Id and Secret”.',
    'service-account':
      'Clients › {clientId} › Capability config: switch “Client authentication” and “Service accounts roles” on.',
    disabled: 'Clients › {clientId}: switch “Enabled” on.',
    'unknown-client':
      'Clients: there is no client {clientId} in this realm, or it is disabled, or its “Client Authenticator” accepts no secret.',
    redirect: 'Clients › {clientId} › Settings: add {redirect} to “Valid redirect URIs”.',
    consent:
      'Clients › {clientId} › Settings: switch “Consent required” off, or give your consent at the next sign-in.',
    interaction: 'Sign in again in the browser, and complete the steps that your account still requires.',
    device: 'Clients › {clientId} › Capability config: switch “OAuth 2.0 Device Authorization Grant” on.',
    confidential: 'Clients › {clientId} › Capability config: switch “Client authentication” off.',
  },
  guide: {
    person: [
      'Clients › Create client: client type “OpenID Connect”, client ID {clientId}.',
      'Capability config: “Client authentication” off, “Standard flow” on; “Direct access grants” off.',
      'Capability config: PKCE method S256. To sign in with a code as well: “OAuth 2.0 Device Authorization Grant” on.',
      'Login settings: enter {redirect} under “Valid redirect URIs”.',
      'Client scopes › Create client scope: name it after the platform, protocol “OpenID Connect”, type “Default”.',
      'In it, Mappers › Configure a new mapper › Audience: “Included Custom Audience” {audience}, “Add to access token” on.',
      'Clients › {clientId} › Client scopes › Add client scope: add it as “Default”.',
    ],
    serviceAccount: [
      'Clients › Create client: client type “OpenID Connect”, client ID {serviceClientId}.',
      'Capability config: “Client authentication” on, “Service accounts roles” on, everything else off.',
      'Clients › {serviceClientId} › Client scopes › Add client scope: add the scope with the audience {audience} as “Default”.',
      'Clients › {serviceClientId} › Credentials: copy the secret.',
    ],
  },
};
