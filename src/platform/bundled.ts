import type {Platform} from './platform.ts';

/** The platform as its owners describe it: bundled identity provider, local k3d addresses, release line 0.14. */
export const bundled: Platform = {
  id: 'bundled',
  localBaseDomain: 'platform.localhost',
  labels: {'control-plane': 'api', 'identity-provider': 'idp', observer: 'observer'},
  observabilityLabel: 'observability',
  ports: {gateway: 8080, observer: {single: 11080, multi: 11087}},
  paths: {
    health: '/health',
    version: '/version',
    mcp: '/mcp',
    protectedResource: '/.well-known/oauth-protected-resource',
    developerPortal: '/develop',
    flowExecute: '/flow/execute',
    applications: '/applications',
    authorize: '/oauth2/authorize',
    token: '/oauth2/token',
    namespaces: '/api/v1/namespaces',
    cliDiscovery: ['/.well-known/openid-configuration', '/api/v1/.well-known/openid-configuration'],
  },
  cluster: {
    release: 'platform-control-plane',
    namespace: 'platform-control-plane',
    identityProviderRoute: 'platform-identity-provider',
  },
  callbackUrl: 'http://127.0.0.1:55152/auth-callback',
  cliClient: {name: 'cli', clientId: 'platform-cli', scopes: ['openid', 'profile', 'email']},
  externalClientsKey: 'external_clients',
  sampleApplication: {name: 'Sample App', clientId: 'sample_app_client', redirectUri: 'https://localhost:3000'},
  mcpServers: {controlPlane: 'control-plane', observability: 'observability'},
};
