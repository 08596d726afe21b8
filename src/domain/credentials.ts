import {Secret} from './secret.ts';
import type {WantedToken} from './token-request.ts';

/**
 * Identifies a sign-in: by client, issuer, deployment and account. A sign-in for a server that accepts only a token of
 * its own also has the resource of that token as `audience`. The deployment and the account may be unknown: files of
 * earlier versions name no deployment, and a context that was never signed in to names no account.
 */
export type CredentialsKey = {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience?: string;
  /** The control plane's URL of the deployment. */
  readonly controlPlaneUrl?: string;
  /** The name of the person if a person signed in, otherwise the client. */
  readonly account?: string;
};

/**
 * Whether two keys identify the same sign-in. A deployment or an account that is unknown in either key is not compared.
 * A token for one server is not the client's own sign-in.
 */
export const isSameSignIn = (one: CredentialsKey, other: CredentialsKey): boolean =>
  one.issuer === other.issuer &&
  one.clientId === other.clientId &&
  one.audience === other.audience &&
  agrees(one.controlPlaneUrl, other.controlPlaneUrl) &&
  agrees(one.account, other.account);

const agrees = (one: string | undefined, other: string | undefined) =>
  one === undefined || other === undefined || one === other;

/**
 * Returns the sign-in that a key identifies. One with the same deployment is preferred to one that names none, then one
 * with the same account; among equals the newest, which is the last.
 */
export const findSignIn = <Kept extends CredentialsKey>(
  all: readonly Kept[],
  key: CredentialsKey,
): Kept | undefined => {
  const rank = (one: Kept) =>
    Number(one.controlPlaneUrl === key.controlPlaneUrl) * 2 + Number(one.account === key.account);
  return all
    .filter(one => isSameSignIn(one, key))
    .toSorted((one, other) => rank(one) - rank(other))
    .at(-1);
};

/** Reduces a sign-in to the members that identify it. */
export const keyOf = ({issuer, clientId, audience, controlPlaneUrl, account}: CredentialsKey): CredentialsKey => ({
  issuer,
  clientId,
  ...(audience === undefined ? {} : {audience}),
  ...(controlPlaneUrl === undefined ? {} : {controlPlaneUrl}),
  ...(account === undefined ? {} : {account}),
});

/**
 * Returns the key under which a client's secret is kept. It has no audience: a client has one secret for all servers,
 * so the secret is kept, and changed, in one place only.
 */
export const secretKeyOf = ({audience: _, ...key}: CredentialsKey): CredentialsKey => keyOf(key);

/** Why a renewal failed. */
export type RenewalFailure = {
  readonly code: string;
  readonly message: string;
  /** How many renewals failed in a row. */
  readonly count: number;
  /** Until when the identity provider asked not to be called, in milliseconds since the epoch. */
  readonly askedUntil?: number;
};

/** A process. `started` distinguishes processes that had the same number, if the system says when a process started. */
export type ProcessName = {readonly pid: number; readonly host: string; readonly started?: string};

/** A sign-in as it is kept. */
export type Credentials = CredentialsKey & {
  readonly clientSecret?: string;
  /**
   * The secret of a client that is being created. It is kept before the client is requested, so that a client never
   * exists without its secret being known.
   */
  readonly createdSecret?: string;
  /** A code that the person has yet to type, as text: see `PendingCode`. It is kept in an entry of its own. */
  readonly pendingSignIn?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Earlier tokens that the journal has cut out of files, separated by spaces. The store keeps them when it writes. */
  readonly heldTokens?: string;
  /** The subject of the ID token. A renewal must not return a token of another subject (OpenID Connect Core 12.2). */
  readonly subject?: string;
  /** Milliseconds since the epoch. */
  readonly obtainedAt?: number;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** The time before which no renewal is requested again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Why the last renewal failed, for callers that ask before `retryAt`. */
  readonly failure?: RenewalFailure;
  /** How often a process has sent the refresh token and got no answer. */
  readonly unanswered?: number;
  /**
   * True if each renewal returns another refresh token, so that none may be sent twice; absent until a renewal has
   * shown it.
   */
  readonly rotates?: boolean;
  /**
   * True if each renewal postpones the end of the refresh token, so that the sign-in does not end then; absent until
   * known.
   */
  readonly slides?: boolean;
  /** When the person signed in, in milliseconds since the epoch. */
  readonly signedInAt?: number;
  /** When the sign-in ends despite renewals, as the token endpoint says, in milliseconds since the epoch. */
  readonly signInEndsAt?: number;
  /**
   * How long the last sign-ins of this client lasted until their renewal was refused, in milliseconds; the newest
   * first.
   */
  readonly lasted?: readonly number[];
  /** True if the system's keychain holds the secrets. Only the store itself sees this member. */
  readonly inKeychain?: boolean;
  /**
   * Set if a renewal was refused: the sign-in has ended, and since when. Its access token may be valid for a while yet.
   * `isUnanswered` if there was no refusal, but the refresh token was sent as often as allowed. `isUnclear` if the
   * refusal did not say that the sign-in has ended: it probably has, and a renewal is tried again now and then.
   */
  readonly refused?: {
    readonly at: number;
    readonly reason: string;
    /** The identity provider's own words, made safe to show. */
    readonly said?: string;
    readonly isUnanswered?: true;
    readonly isUnclear?: true;
    /** The ID of the key that signed the access token which a server had refused before (RFC 7515 4.1.4). */
    readonly keyId?: string;
    /** True if the sign-in had reached the end that the identity provider had announced. */
    readonly isAnnounced?: true;
    /**
     * The claims that the identity provider demands at the next sign-in (OpenID Connect Core 5.5), in its own words.
     */
    readonly claims?: string;
  };
};

/** Whether a kept sign-in has any secret. */
export const hasSecrets = (credentials: Credentials | undefined): boolean =>
  [
    credentials?.accessToken,
    credentials?.refreshToken,
    credentials?.clientSecret,
    credentials?.createdSecret,
    credentials?.pendingSignIn,
  ].some(secret => secret !== undefined);

/**
 * Returns a sign-in without its tokens: whose it is, its client secret, and what was learnt about its identity
 * provider.
 */
export const withoutTokens = ({
  clientSecret,
  subject,
  rotates,
  slides,
  signedInAt,
  lasted,
  ...rest
}: Credentials): Credentials => ({
  ...keyOf(rest),
  ...(subject === undefined ? {} : {subject}),
  ...(clientSecret === undefined ? {} : {clientSecret}),
  ...(rotates === undefined ? {} : {rotates}),
  ...(slides === undefined ? {} : {slides}),
  ...(signedInAt === undefined ? {} : {signedInAt}),
  ...(lasted === undefined ? {} : {lasted}),
});

/** Returns the name of a sign-in for stores that need a single name. */
export const nameOfKey = ({issuer, clientId, audience, controlPlaneUrl, account}: CredentialsKey): string => {
  const name = `${clientId} at ${issuer}${audience === undefined ? '' : ` for ${audience}`}`;
  // Keys without a deployment keep the name that earlier versions gave them.
  return controlPlaneUrl === undefined ? name : `${name} on ${controlPlaneUrl} as ${account ?? clientId}`;
};

/** How a sign-in with a device code continues if the program does not run all the time. */
export type CodeTerms = {
  /** False if the program ends before the person has typed the code. */
  readonly waits: boolean;
  /** True if the code of an earlier run is used instead of a new one. */
  readonly resumes: boolean;
  /** Further facts that the continuing run needs. */
  readonly note: Readonly<Record<string, string | boolean>>;
};

/** A code that the person was asked to type (RFC 8628 3.2), and what is needed to continue with it. */
export type PendingCode = {
  readonly issuer: string;
  readonly clientId: string;
  /** The scopes, the resource and the audience for which the code was requested. */
  readonly wanted: WantedToken;
  readonly verificationUri: string;
  readonly userCode: string;
  /** The address that contains the code, if there is one. */
  readonly complete?: string;
  /** When the code expires, in milliseconds since the epoch. */
  readonly until: number;
  /** The pause between two polls, in seconds. */
  readonly interval: number;
  readonly deviceCode: Secret;
  /** The PKCE code verifier. */
  readonly verifier: Secret;
  readonly note: CodeTerms['note'];
};

/**
 * The key under which the pending code is kept among the other secrets. There is one at a time; a new one replaces it.
 */
export const pendingKey: CredentialsKey = {issuer: 'pending', clientId: 'sign-in-by-a-code'};

/** Converts a pending code to the form in which it is kept. */
export const storedPendingCode = ({deviceCode, verifier, ...rest}: PendingCode): Credentials => ({
  ...pendingKey,
  pendingSignIn: JSON.stringify({...rest, deviceCode: deviceCode.reveal(), verifier: verifier.reveal()}),
});

/** Reads the pending code. Undefined if there is none, or if it cannot be read. */
export const pendingIn = (credentials: Credentials | undefined): PendingCode | undefined => {
  try {
    const {deviceCode, verifier, ...rest} = JSON.parse(credentials?.pendingSignIn ?? '');
    return typeof deviceCode === 'string' && typeof verifier === 'string' && typeof rest.until === 'number'
      ? {...rest, deviceCode: new Secret(deviceCode), verifier: new Secret(verifier)}
      : undefined;
  } catch {
    // The parser's message would quote the secret.
    return undefined;
  }
};

/** Replaces a token after a sign-out. No server accepts it, and a person who finds it knows why it is there. */
export const SIGNED_OUT_TOKEN = 'signed-out-by-platform-setup';

/** The same replacement, as the value of an Authorization header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;
