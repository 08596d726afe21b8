import type {IdentityProvider} from '../identity-provider.ts';

export const entraId: IdentityProvider = {
  id: 'entra-id',
  name: 'Microsoft Entra ID',
  evidence: 'documentation',
  knownBy: {
    issuer:
      /^https:\/\/(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net|[\w-]+\.ciamlogin\.com)\//,
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'There is nothing to set: with this scope, a public client gets a refresh token.',
  },
  isPkceUnlisted: true,
  target: 'none',
  audience:
    'The scope decides: pass --scopes with the full name of a scope of your API, api://APPLICATION-ID/SCOPE. The audience is then that application.',
  redirects:
    'Register the redirect URL under the platform “Mobile and desktop applications”. The port is ignored, the path is not. An address with localhost can be entered in the form, one with 127.0.0.1 in the manifest only.',
  refusals: [
    {cause: 'resource', says: /AADSTS(?:9010010|901002)\b/},
    {cause: 'scope', says: /AADSTS(?:650053|70011|650057)\b/},
    {cause: 'consent', says: /AADSTS(?:65001|90094|65004)\b/},
    {
      cause: 'interaction',
      says: /AADSTS(?:50076|50079|50072|53000|53001|53003|70043|50074|50158)\b/,
      at: ['authorization', 'token', 'device'],
    },
    {cause: 'ended', says: /AADSTS(?:700082|50173|70043|50076|50079|53000|53003|700084|50078)\b/, at: ['renewal']},
    {cause: 'unknown-client', says: /AADSTS(?:700016|700011)\b/},
    {cause: 'assignment', says: /AADSTS50105\b/},
    {cause: 'confidential', says: /AADSTS(?:7000218|70002)\b/},
    {cause: 'service-account', says: /AADSTS700025\b/},
    {cause: 'redirect', says: /AADSTS(?:50011|500113)\b/},
    {cause: 'secret', says: /AADSTS(?:7000215|7000222)\b/},
    {cause: 'disabled', says: /AADSTS7000112\b/},
  ],
  settings: {
    resource: 'Sign in with --resource none: the scope decides the audience of the token.',
    scope:
      'Ask for a scope of your API by its full name: --scopes "openid profile offline_access api://APPLICATION-ID/SCOPE". Entra ID takes a bare name as a scope of Microsoft Graph.',
    consent: 'App registrations › the application › API permissions › Grant admin consent.',
    interaction:
      'Sign in again in the browser, which asks for a second factor or for a device that your organisation manages.',
    assignment: 'Enterprise applications › the application › Users and groups: assign the account.',
    confidential:
      'App registrations › the application › Authentication: register the redirect address under “Mobile and desktop applications” and not under “Web”, and set “Allow public client flows” to Yes.',
    'service-account': 'Use an application with a client secret (Certificates & secrets): this one is a public client.',
    redirect:
      'Register {redirect} under “Mobile and desktop applications”. An address with 127.0.0.1 can be added only in the manifest of the application; an address with localhost also under App registrations › the application › Authentication.',
    secret:
      'App registrations › the application › Certificates & secrets: the secret has expired, or its ID was copied instead of its value.',
    'unknown-client': 'Check the client ID and the tenant: App registrations › the application › Overview has both.',
    audience:
      'Pass --scopes with a scope of the platform’s API, api://APPLICATION-ID/SCOPE, and have the platform accept that application as an audience.',
    disabled: 'Enterprise applications › the application › Properties: set “Enabled for users to sign-in” to Yes.',
    device:
      'App registrations › the application › Authentication: set “Allow public client flows” to Yes. Conditional access may forbid the device code flow.',
  },
  guide: {
    person: [
      'App registrations › New registration: one for the platform’s API. Expose an API › Add a scope, such as access.',
      'In its manifest, set requestedAccessTokenVersion to 2.',
      'App registrations › New registration: one for {clientId}; note its Application (client) ID.',
      'Authentication › Add a platform › Mobile and desktop applications: add http://localhost:55152/auth-callback, and sign in with --redirect-uri http://localhost:55152/auth-callback. An address with 127.0.0.1 can be added in the manifest only.',
      'Authentication: set “Allow public client flows” to Yes, for signing in with a code.',
      'API permissions › Add a permission › My APIs: the scope of the platform’s API. Grant admin consent.',
      'Sign in with --client-id, and --scopes "openid profile email offline_access api://APPLICATION-ID/access".',
      'Have the platform accept the API’s application ID as an audience.',
    ],
    serviceAccount: [
      'App registrations › New registration for {serviceClientId}; Certificates & secrets › New client secret: copy its value.',
      'In the platform’s API, App roles › Create app role for applications; give it to {serviceClientId} under API permissions, and grant admin consent.',
      'Sign in with --scopes api://APPLICATION-ID/.default.',
    ],
  },
};
