/**
 * Which sign-in it is: the client's at an issuer, or the one for a server that takes only a token of its own, by the
 * resource that the token is for.
 */
export type CredentialsKey = {readonly issuer: string; readonly clientId: string; readonly audience?: string};

/** Whether two keys are of the same sign-in: a token for one server is another than the client's own. */
export const isSameSignIn = (one: CredentialsKey, other: CredentialsKey): boolean =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.audience === other.audience;

/** What tells a sign-in from others, and nothing more. */
export const keyOf = ({issuer, clientId, audience}: CredentialsKey): CredentialsKey => ({
  issuer,
  clientId,
  ...(audience === undefined ? {} : {audience}),
});

/**
 * As which sign-in the secret of a client is kept: its own, whichever server a token is for. So there is one of it, and one
 * place where it changes.
 */
export const secretKeyOf = ({issuer, clientId}: CredentialsKey): CredentialsKey => ({issuer, clientId});

/** What is kept of a sign-in. */
export type Credentials = CredentialsKey & {
  readonly clientSecret?: string;
  /** The secret of a client that is being created: kept before it is asked for, so that a client is never without one. */
  readonly createdSecret?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** How the person is called, where a person signed in. */
  readonly account?: string;
  /** Milliseconds since the epoch. */
  readonly obtainedAt?: number;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** Not before this is a renewal tried again while the token is good, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Whether the system's keychain has the secrets. Only the store itself sees it. */
  readonly inKeychain?: boolean;
  /** Set when a renewal was refused: the sign-in has ended, and since when. */
  readonly refused?: {readonly at: number; readonly reason: string};
};

/** Whether anything that is secret is kept of a sign-in. */
export const hasSecrets = (kept: Credentials | undefined): boolean =>
  (kept?.accessToken ?? kept?.refreshToken ?? kept?.clientSecret ?? kept?.createdSecret) !== undefined;
