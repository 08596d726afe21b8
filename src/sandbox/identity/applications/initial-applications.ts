import {randomBytes} from 'node:crypto';
import type {Kind} from '../../kinds/kind.ts';
import type {Extra, IdentityRelease} from '../../releases/identity-release.ts';
import type {ExternalClient} from '../../values.ts';
import {deviceCodeGrant} from '../tokens/grant-types.ts';
import {type Application, application} from './applications.ts';

export type InitialApplications = {
  readonly issuer: string;
  readonly platform: Kind['platform'];
  /** The clients that come with the installation. */
  readonly installed: Kind['installed']['open']['clients'];
  readonly release: IdentityRelease;
  readonly extras: readonly Extra[];
  readonly externalClients: readonly ExternalClient[];
  /** What the external clients have registered. */
  readonly redirectUri: string;
  /** The lifetime of all access tokens in seconds. By default that of each client, which is an hour for most. */
  readonly accessTokenLifetime?: number;
};

/** What is there before anybody creates anything: the sample application, the CLI, and what the installation brings. */
export const initialApplications = ({
  issuer,
  platform: {sampleApplication},
  installed,
  release,
  extras,
  externalClients,
  redirectUri,
  accessTokenLifetime: lifetime,
}: InitialApplications): Application[] => [
  ...(release.sampleApplication ? [sampleApplication] : []).map(({name, clientId, redirectUri}) =>
    application({
      description: 'Sample application for trying things out',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
      tokenEndpointAuthMethod: 'none',
      accessTokenValidity: lifetime ?? 3600,
      ...{name, clientId, issuer},
    }),
  ),
  // Platform access 5.4: public, PKCE, and one redirect URI. Where there is no browser, a device code (RFC 8628).
  ...externalClients.map(({name, client_id}) =>
    application({
      description: 'Command-line client',
      type: 'mobile',
      clientId: client_id,
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', ...(extras.includes('device') ? [deviceCodeGrant] : [])],
      tokenEndpointAuthMethod: 'none',
      accessTokenValidity: lifetime ?? 3600,
      ...{name, issuer},
    }),
  ),
  ...installed.map(({clientSecret, administers: _, ...client}) =>
    application({
      issuer,
      ...client,
      accessTokenValidity: lifetime ?? client.accessTokenValidity ?? 3600,
      ...(client.tokenEndpointAuthMethod !== 'none' && {clientSecret: clientSecret ?? newSecret()}),
    }),
  ),
];

/** A client ID as the provider makes one: 128 bits, 22 characters of base64url. */
export const newClientId = () => randomBytes(16).toString('base64url');

/** A client secret as the provider makes one: 256 bits, 43 characters of base64url. */
export const newSecret = () => randomBytes(32).toString('base64url');
