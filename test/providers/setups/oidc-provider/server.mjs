/** An oidc-provider in memory, with its own pages for sign-in and consent, and the platform as its default resource. */
import {Provider} from 'oidc-provider';

const given = JSON.parse(process.env.PROVIDER ?? '{}');
const scope = 'openid profile email offline_access';

const provider = new Provider(`http://127.0.0.1:${given.port}`, {
  clients: [
    {
      client_id: given.clientId,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [given.redirectUri],
    },
    {
      client_id: given.service.clientId,
      client_secret: given.service.secret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ],
  claims: {openid: ['sub'], profile: ['preferred_username'], email: ['email']},
  conformIdTokenClaims: false,
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({sub, preferred_username: sub, email: `${sub}@acme.example`}),
  }),
  features: {
    clientCredentials: {enabled: true},
    devInteractions: {enabled: true},
    resourceIndicators: {
      enabled: true,
      defaultResource: () => given.audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({scope, audience: given.audience, accessTokenFormat: 'jwt'}),
    },
    revocation: {enabled: true},
  },
});
provider.listen(given.port, '127.0.0.1');
