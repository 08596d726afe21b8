import type {Secret} from '../secret.ts';
import type {OwnTokenServer} from './server-tokens.ts';

/** What anybody may know of a token. */
export type TokenFacts = {
  readonly account: string;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** The first characters of the token's SHA-256: enough to tell two tokens apart, useless as one. */
  readonly fingerprint: string;
  /** Whether it can be renewed without the person. */
  readonly renewable: boolean;
  /** When that ends too, in milliseconds since the epoch, where the refresh token says so. */
  readonly signInEndsAt?: number;
  /** Why the last attempt to renew it failed, where another one will be made. A sentence. */
  readonly failure?: string;
};

/** A token of this run. The refresh token is absent where it came without. */
export type Token = TokenFacts & {
  readonly access: Secret;
  readonly refresh?: Secret;
  /** Who signed in, by the ID token. */
  readonly subject?: string;
  /** Set where each renewal puts the end of the refresh token off. */
  readonly slides?: true;
};

/** The tokens that are for one server alone. */
export type OwnTokens = {readonly [S in OwnTokenServer]?: Token};

/** What a token endpoint gave, as it is kept. */
export type TokenSet = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  /** When the sign-in ends, where the token endpoint says so, in milliseconds since the epoch. */
  readonly signInEndsAt?: number;
  /** How the person is called, by the ID token. */
  readonly account?: string;
  /** Who that is, by the ID token. */
  readonly subject?: string;
};

/**
 * What `setup token --json` prints.
 *
 * @param expiresAt in milliseconds since the epoch, where that is known
 * @returns the same as an ISO 8601 date, with the token and the name of its context
 */
export const tokenDocument = ({
  accessToken,
  expiresAt,
  context,
}: {
  readonly accessToken: string;
  readonly expiresAt: number | undefined;
  readonly context: string;
}) => ({
  accessToken,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  context,
});
