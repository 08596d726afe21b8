/** The device authorization grant (RFC 8628 3.4). */
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grants that the token endpoint can answer. Applications may be registered with others, to no effect. */
export const answeredGrants: readonly string[] = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  deviceCodeGrant,
];
