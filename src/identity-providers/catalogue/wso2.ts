import type {IdentityProvider} from '../identity-provider.ts';

export const wso2: IdentityProvider = {
  id: 'wso2',
  name: 'Asgardeo or WSO2 Identity Server',
  evidence: 'documentation',
  knownBy: {issuer: /\/oauth2\/token$/, endpoints: {authorization_endpoint: /\/oauth2\/authorize$/}},
  refreshToken: {setting: 'Applications › {clientId} › Protocol › Allowed grant types: tick “Refresh Token”.'},
  target: 'resource',
  audience: 'Applications › {clientId} › Protocol › Access Token › Audience: add {audience}.',
  redirects: 'Register {redirect} under “Authorized redirect URLs”.',
  refusals: [
    {cause: 'redirect', at: ['authorization'], says: /callback/i},
    {cause: 'grant', error: 'unauthorized_client'},
  ],
  settings: {
    opaque: 'Applications › {clientId} › Protocol › Access Token: set “Token type” to JWT.',
    audience: 'Applications › {clientId} › Protocol › Access Token › Audience: add {audience}.',
    redirect: 'Applications › {clientId} › Protocol › Authorized redirect URLs: add {redirect}.',
    grant: 'Applications › {clientId} › Protocol › Allowed grant types: tick “Code” and “Refresh Token”.',
    confidential: 'Applications › {clientId} › Protocol: tick “Public client”.',
    'service-account': 'Applications › {clientId} › Protocol › Allowed grant types: tick “Client Credential”.',
    device: 'Applications › {clientId} › Protocol › Allowed grant types: tick “Device Authorization Grant”.',
    scope: 'Applications › {clientId} › API Authorization: authorize the API and its scopes.',
  },
  guide: {
    person: [
      'Applications › New Application: “Mobile Application”, or “Standard-Based Application” with OpenID Connect.',
      'Protocol › Allowed grant types: “Code” and “Refresh Token”. Tick “Public client”; PKCE: “Mandatory”.',
      'Authorized redirect URLs: {redirect}.',
      'Access Token › Token type: JWT; Audience: {audience}.',
      'Sign in with --client-id; the issuer ends in /oauth2/token.',
    ],
    serviceAccount: [
      'Applications › New Application: “M2M Application”; note the client ID and the secret.',
      'Access Token › Token type: JWT; Audience: {audience}.',
    ],
  },
};
