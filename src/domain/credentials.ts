import {Secret} from './secret.ts';
import type {WantedToken} from './token-request.ts';

/**
 * Which sign-in it is: of which client at which issuer, to which deployment, and as whom; or the one for a server that takes
 * only a token of its own, by the resource that the token is for. What is absent is not known: files of earlier versions
 * name no deployment, and a context that nobody has signed in to names no account.
 */
export type CredentialsKey = {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience?: string;
  /** Of the deployment. */
  readonly controlPlaneUrl?: string;
  /** How the person is called, where a person signed in; else the client. */
  readonly account?: string;
};

/** Whether two keys are of the same sign-in, as far as they say: a token for one server is another than the client's own. */
export const isSameSignIn = (one: CredentialsKey, other: CredentialsKey): boolean =>
  one.issuer === other.issuer &&
  one.clientId === other.clientId &&
  one.audience === other.audience &&
  agrees(one.controlPlaneUrl, other.controlPlaneUrl) &&
  agrees(one.account, other.account);

const agrees = (one: string | undefined, other: string | undefined) =>
  one === undefined || other === undefined || one === other;

/**
 * The one of several that a key is about: the deployment's own comes before one that names none, then the account's; of
 * equals the newest, which stands last.
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

/** What tells a sign-in from others, and nothing more. */
export const keyOf = ({issuer, clientId, audience, controlPlaneUrl, account}: CredentialsKey): CredentialsKey => ({
  issuer,
  clientId,
  ...(audience === undefined ? {} : {audience}),
  ...(controlPlaneUrl === undefined ? {} : {controlPlaneUrl}),
  ...(account === undefined ? {} : {account}),
});

/**
 * As which sign-in the secret of a client is kept: its own, whichever server a token is for. So there is one of it, and one
 * place where it changes.
 */
export const secretKeyOf = ({audience: _, ...key}: CredentialsKey): CredentialsKey => keyOf(key);

/** Why a renewal could not be had. */
export type RenewalFailure = {
  readonly code: string;
  readonly message: string;
  /** How many failed in a row. */
  readonly count: number;
  /** Until when the identity provider itself asked to be left alone, in milliseconds since the epoch. */
  readonly askedUntil?: number;
};

/** A process. `started` tells it from another of the same number, where the system says when a process started. */
export type ProcessName = {readonly pid: number; readonly host: string; readonly started?: string};

/** What is kept of a sign-in. */
export type Credentials = CredentialsKey & {
  readonly clientSecret?: string;
  /** The secret of a client that is being created: kept before it is asked for, so that a client is never without one. */
  readonly createdSecret?: string;
  /** A code that a person has yet to type, as text: see `pending-code.ts`. It stands in an entry of its own. */
  readonly pendingSignIn?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Earlier tokens that the journal has cut out of files, separated by spaces. The store carries them over. */
  readonly heldTokens?: string;
  /** Who signed in, by the ID token: a renewal must not bring anybody else's (OpenID Connect Core 12.2). */
  readonly subject?: string;
  /** Milliseconds since the epoch. */
  readonly obtainedAt?: number;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** Not before this is a renewal asked for again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Why the last one could not be had, for whoever asks before `retryAt`. */
  readonly failure?: RenewalFailure;
  /** How often the refresh token was sent by a process that got no answer. */
  readonly unanswered?: number;
  /** Whether each renewal brings another refresh token, so that one must not be sent twice; absent until one was seen. */
  readonly rotates?: boolean;
  /** Whether each renewal puts the end of the refresh token off, so that the sign-in does not end then; absent until that is known. */
  readonly slides?: boolean;
  /** When the person signed in, in milliseconds since the epoch. */
  readonly signedInAt?: number;
  /** When the sign-in ends whatever is renewed, as the token endpoint says, in milliseconds since the epoch. */
  readonly signInEndsAt?: number;
  /** How long the last sign-ins of this client lasted until their renewal was refused, in milliseconds; the newest first. */
  readonly lasted?: readonly number[];
  /** Whether the system's keychain has the secrets. Only the store itself sees it. */
  readonly inKeychain?: boolean;
  /**
   * Set when a renewal was refused: the sign-in has ended, and since when; its access token may be good for a while yet.
   * `isUnanswered` where nobody refused it, but the refresh token was sent as often as it may be. `isUnclear` where it was
   * refused without saying that it has ended: it probably has, and is asked for again now and then.
   */
  readonly refused?: {
    readonly at: number;
    readonly reason: string;
    /** In the identity provider's own words, made safe to show. */
    readonly said?: string;
    readonly isUnanswered?: true;
    readonly isUnclear?: true;
    /** Set where it had come to the end that the identity provider had announced. */
    readonly isAnnounced?: true;
    /** What it wants proven at the next sign-in (OpenID Connect Core 5.5), as it said. */
    readonly claims?: string;
  };
};

/** Whether anything that is secret is kept of a sign-in. */
export const hasSecrets = (kept: Credentials | undefined): boolean =>
  [kept?.accessToken, kept?.refreshToken, kept?.clientSecret, kept?.createdSecret, kept?.pendingSignIn].some(
    secret => secret !== undefined,
  );

/** What stays of a sign-in when its tokens go: whose it is, its secret, and what was learnt of its identity provider. */
export const withoutTokens = ({
  clientSecret,
  subject,
  rotates,
  slides,
  signedInAt,
  lasted,
  ...kept
}: Credentials): Credentials => ({
  ...keyOf(kept),
  ...(subject === undefined ? {} : {subject}),
  ...(clientSecret === undefined ? {} : {clientSecret}),
  ...(rotates === undefined ? {} : {rotates}),
  ...(slides === undefined ? {} : {slides}),
  ...(signedInAt === undefined ? {} : {signedInAt}),
  ...(lasted === undefined ? {} : {lasted}),
});

/** Under which name a sign-in is kept where there is one name for it. */
export const nameOfKey = ({issuer, clientId, audience, controlPlaneUrl, account}: CredentialsKey): string => {
  const name = `${clientId} at ${issuer}${audience === undefined ? '' : ` for ${audience}`}`;
  // As it was before deployments were told apart.
  return controlPlaneUrl === undefined ? name : `${name} on ${controlPlaneUrl} as ${account ?? clientId}`;
};

/** How a sign-in by a code goes on where the program is not there all the time. */
export type CodeTerms = {
  /** False where the program ends while nobody has typed the code. */
  readonly waits: boolean;
  /** Whether the code of an earlier run is gone on with, in the place of a new one. */
  readonly resumes: boolean;
  /** What the run that goes on has to know besides. */
  readonly note: Readonly<Record<string, string | boolean>>;
};

/** A code that a person has been asked to type (RFC 8628 3.2), and what is needed to go on with it. */
export type PendingCode = {
  readonly issuer: string;
  readonly clientId: string;
  /** What the token is for: the code was asked for with it. */
  readonly wanted: WantedToken;
  readonly verificationUri: string;
  readonly userCode: string;
  /** The address with the code in it, where there is one. */
  readonly complete?: string;
  /** When the code ends, in milliseconds since the epoch. */
  readonly until: number;
  /** How long to leave between two questions, in seconds. */
  readonly interval: number;
  readonly deviceCode: Secret;
  /** Of PKCE. */
  readonly verifier: Secret;
  readonly note: CodeTerms['note'];
};

/** Under which name it is kept among the other secrets: there is one at a time, and a new one takes its place. */
export const pendingKey: CredentialsKey = {issuer: 'pending', clientId: 'sign-in-by-a-code'};

/** The same as it is kept. */
export const keptPending = ({deviceCode, verifier, ...rest}: PendingCode): Credentials => ({
  ...pendingKey,
  pendingSignIn: JSON.stringify({...rest, deviceCode: deviceCode.reveal(), verifier: verifier.reveal()}),
});

/** Undefined where there is none, or none that reads. */
export const pendingIn = (kept: Credentials | undefined): PendingCode | undefined => {
  try {
    const {deviceCode, verifier, ...rest} = JSON.parse(kept?.pendingSignIn ?? '');
    return typeof deviceCode === 'string' && typeof verifier === 'string' && typeof rest.until === 'number'
      ? {...rest, deviceCode: new Secret(deviceCode), verifier: new Secret(verifier)}
      : undefined;
  } catch {
    // The parser's words would quote the secret.
    return undefined;
  }
};

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT_TOKEN = 'signed-out-by-platform-setup';

/** The same in a header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;
