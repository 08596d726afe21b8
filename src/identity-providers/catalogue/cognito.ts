import type {IdentityProvider} from '../identity-provider.ts';

export const cognito: IdentityProvider = {
  id: 'cognito',
  name: 'Amazon Cognito',
  evidence: 'documentation',
  knownBy: {issuer: /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\//},
  refreshToken: {setting: 'App clients › {clientId}: allow ALLOW_REFRESH_TOKEN_AUTH and the authorization code grant.'},
  isPkceUnlisted: true,
  target: 'resource',
  audience:
    'Domain › Resource servers: create one with the identifier {audience}, and request its scopes as IDENTIFIER/SCOPE. The parameter resource, which binds tokens to it, is part of the newer feature plans.',
  redirects:
    'Register the redirect URL under “Allowed callback URLs”. http is accepted for localhost: sign in with --redirect-uri http://localhost:55152/auth-callback if 127.0.0.1 is refused.',
  refusals: [
    {cause: 'redirect', at: ['authorization'], says: /redirect_mismatch|redirect_uri/i},
    {cause: 'redirect', at: ['authorization'], error: 'redirect_mismatch'},
    {cause: 'scope', error: 'invalid_scope'},
    {cause: 'grant', error: 'unauthorized_client', at: ['authorization']},
    {cause: 'ended', at: ['renewal'], error: 'invalid_grant'},
    {cause: 'confidential', error: 'invalid_client', says: /secret/i},
    {cause: 'unknown-client', error: 'invalid_client', at: ['authorization']},
  ],
  settings: {
    redirect:
      'App clients › {clientId} › Login pages › Allowed callback URLs: add {redirect}, or http://localhost:55152/auth-callback and sign in with that as --redirect-uri.',
    scope: 'App clients › {clientId} › Login pages › Custom scopes: allow them; they are named IDENTIFIER/SCOPE.',
    grant: 'App clients › {clientId} › Login pages › OAuth grant types: allow “Authorization code grant”.',
    confidential:
      'Create an app client of the type “Single-page application” or “Mobile app”, without a secret; the secret of an existing one cannot be removed.',
    'service-account': 'Create an app client of the type “Machine-to-machine application”.',
    audience:
      'Domain › Resource servers: create one with the identifier {audience}, and pass --scopes with one of its scopes.',
  },
  guide: {
    person: [
      'User pools › the pool › Domain: it needs one. Resource servers › Create: identifier {audience}, a scope such as access.',
      'App clients › Create: “Mobile app”, without a secret; note its client ID.',
      'Login pages › Allowed callback URLs: {redirect}. OAuth grant types: “Authorization code grant”.',
      'Login pages › scopes: {scopes}, and the custom scope of the resource server.',
      'Sign in with --client-id and --scopes, the custom scope among them.',
    ],
    serviceAccount: [
      'App clients › Create: “Machine-to-machine application”; allow it the custom scope of the resource server.',
      'Sign in with --scopes IDENTIFIER/SCOPE.',
    ],
  },
};
