/** How a context signs in. Each names a client of the identity provider and how it proves itself. */
export type SignInMethod = 'browser' | ClientMethod;

/** The ways of a client that signs in by a secret of its own. */
export type ClientMethod = 'service-account' | 'mcp-client';

/** How a client sends its secret to the token endpoint (RFC 6749 2.3.1): in the header, or in the request's body. */
export type SecretMethod = (typeof secretMethods)[number];

/** All of them. */
export const secretMethods = ['client_secret_basic', 'client_secret_post'] as const;

/** How a client of this kind usually sends its secret (platform access 5.3 and 5.5). */
export const secretMethodOf = (method: ClientMethod): SecretMethod =>
  method === 'mcp-client' ? 'client_secret_basic' : 'client_secret_post';

/** The other way to send a secret. */
export const otherSecretMethod = (method: SecretMethod): SecretMethod =>
  method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';

/** Whether a sign-in is by a secret that has to be sent in the header, so that it is of no use to who sends it otherwise. */
export const isByHeader = (method: SignInMethod): boolean =>
  method !== 'browser' && secretMethodOf(method) === 'client_secret_basic';
