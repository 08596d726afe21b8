import type {IdentityProvider} from '../identity-provider.ts';

export const ping: IdentityProvider = {
  id: 'ping',
  name: 'PingOne or PingFederate',
  evidence: 'documentation',
  knownBy: {
    issuer: /^https:\/\/auth\.pingone\.[\w.]+\//,
    endpoints: {
      token_endpoint: /\/as\/token(?:\.oauth2)?$/,
      authorization_endpoint: /\/as\/authoriz(?:e|ation\.oauth2)$/,
    },
  },
  refreshToken: {setting: 'Allow the grant “Refresh Token” for {clientId}.'},
  target: 'resource',
  audience:
    'PingOne: create a resource with the audience {audience}, and pass --scopes with one of its scopes. PingFederate: set the audience in the access token manager of the client.',
  redirects: 'Register {redirect} exactly as it is written.',
  refusals: [{cause: 'scope', error: 'invalid_scope'}],
  settings: {
    redirect:
      'Applications › {clientId} (PingFederate: Applications › OAuth › Clients): add {redirect} to its redirect URIs.',
    grant: 'Applications › {clientId}: allow the grants “Authorization Code” and “Refresh Token”.',
    pkce: 'Applications › {clientId}: set PKCE enforcement to S256_REQUIRED, or to optional.',
    opaque: 'PingFederate: choose an access token manager of the type “JSON Web Tokens” for {clientId}.',
    audience:
      'PingOne: Resources › the resource: set the audience to {audience}. PingFederate: the access token manager’s “Audience claim value”.',
    scope: 'Applications › {clientId} › Resources: add the requested scopes.',
  },
  guide: {
    person: [
      'PingOne: Applications › Add: “Native”. PingFederate: Applications › OAuth › Clients › Add Client, without client authentication.',
      'Allow the grants “Authorization Code” and “Refresh Token”, and require PKCE with S256.',
      'Redirect URIs: {redirect}.',
      'PingOne: Resources › Add: audience {audience}, with a scope; give the application access to that scope. PingFederate: an access token manager for JWTs with that audience.',
      'Sign in with --client-id, and with --scopes "{scopes} SCOPE", where SCOPE is the scope of the resource.',
    ],
    serviceAccount: [
      'PingOne: Applications › Add: “Worker” or “OIDC Web App” with the grant “Client Credentials”. PingFederate: a client with a secret and that grant.',
      'Allow it the scope of the resource, and sign in with --scopes.',
    ],
  },
};
