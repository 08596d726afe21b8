/** What a secret of this run is called. */
export type SecretName =
  | 'service-account-secret'
  | 'mcp-client-secret'
  | 'admin-password'
  | 'access-token'
  | 'refresh-token'
  | 'observability-access-token'
  | 'observability-refresh-token';
