/** How a context signs in. Each names a client of the identity provider and how it proves itself. */
export type SignInMethod = 'browser' | ClientMethod;

/** The ways of a client that signs in by a secret of its own. */
export type ClientMethod = 'service-account' | 'mcp-client';
