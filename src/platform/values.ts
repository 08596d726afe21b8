import type {Platform} from './platform.ts';

export type ExternalClient = {readonly clientId: string; readonly scopes: readonly string[]};

/**
 * The control plane values that register a CLI client of an external identity provider (platform access 2.4 and 5.4), as
 * YAML to be given to Helm.
 */
export const externalClientValues = ({cliClient}: Platform, {clientId, scopes}: ExternalClient): string =>
  [
    'security:',
    '  oidc:',
    '    externalClients:',
    `      - name: ${cliClient.name}`,
    // A JSON string is a YAML string, whatever is in it.
    `        client_id: ${JSON.stringify(clientId)}`,
    '        scopes:',
    ...scopes.map(scope => `          - ${JSON.stringify(scope)}`),
    '',
  ].join('\n');

/** What the client has to be at the identity provider, before the values are of use (platform access 5.4). */
export const externalClientRequirements = ({callbackUrl}: Platform): readonly string[] => [
  'a public client, without a secret',
  'grant types authorization_code and refresh_token',
  'PKCE with S256',
  `the redirect URL ${callbackUrl}`,
  'access tokens as JWTs, not opaque ones',
];
