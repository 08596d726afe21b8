import type {OwnTokenServer} from './server-tokens.ts';
import type {ClientMethod} from './sign-in-method.ts';

/** What a secret of this run is called. */
export type SecretName =
  | 'service-account-secret'
  | 'mcp-client-secret'
  | 'admin-password'
  | 'access-token'
  | 'refresh-token'
  | 'observability-access-token'
  | 'observability-refresh-token';

/** Where the vault keeps the secret of the client that signs in this way. */
export const secretOf = (method: ClientMethod): SecretName => `${method}-secret`;

/** Under which names the vault has the tokens of the sign-in, or of a server that has tokens of its own. */
export const tokenNames = (server?: OwnTokenServer) =>
  server === undefined
    ? ({access: 'access-token', refresh: 'refresh-token'} as const)
    : ({access: `${server}-access-token`, refresh: `${server}-refresh-token`} as const);
