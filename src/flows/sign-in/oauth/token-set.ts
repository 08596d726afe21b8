import {createHash} from 'node:crypto';
import type {TokenEndpointResponse, TokenEndpointResponseHelpers} from 'openid-client';
import type {Ports} from '../../../ports/ports.ts';
import {cleanText} from '../../../text.ts';
import {type OwnTokenServer, tokenNames} from '../kept/server-tokens.ts';
import {signInEndOf} from './token-claims.ts';

/** What may be known of a token outside the vault. */
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
};

/** What may be known of the tokens that are for one server alone. */
export type OwnTokens = {readonly [S in OwnTokenServer]?: TokenFacts};

/** What a token endpoint gave, as it is kept. */
export type TokenSet = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  /** How the person is called, by the ID token. */
  readonly account?: string;
};

export type TokenAnswer = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** A lifetime beyond this is a slip of the server's, and no number that a date can hold. In seconds: ten years. */
const LONGEST = 10 * 365 * 24 * 3600;

/** @param now milliseconds since the epoch */
export const tokenSetOf = (answer: TokenAnswer, now: number): TokenSet => {
  const seconds = answer.expiresIn();
  const lifetime = seconds === undefined ? undefined : Math.min(seconds, LONGEST);
  const account = accountIn(answer);
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : {refreshToken: answer.refresh_token}),
    ...(lifetime === undefined ? {} : {expiresAt: now + lifetime * 1000}),
    ...(account === undefined ? {} : {account}),
  };
};

/** The name that a person knows themselves by, in the order in which identity providers have one. */
const accountIn = (answer: TokenAnswer): string | undefined => {
  const claims = answer.claims() ?? {};
  const names = ['email', 'preferred_username', 'username', 'name', 'sub'].map(
    key => (claims as Record<string, unknown>)[key],
  );
  const name = names.find(one => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? cleanText(name) : undefined;
};

type Keeping = {
  readonly clientId: string;
  readonly ports: Ports;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
};

/** Puts a token into the vault, and says what may be said of it. */
export const keepToken = (answer: TokenAnswer, {clientId, ports, server}: Keeping): TokenFacts => {
  const {accessToken, refreshToken, expiresAt, account} = tokenSetOf(answer, ports.clock.now());
  const {vault} = ports;
  const names = tokenNames(server);
  vault.set(names.access, accessToken);
  vault.set(names.refresh, refreshToken);
  // What another sign-in brought for one server does not belong to this one.
  if (server === undefined) for (const name of Object.values(tokenNames('observability'))) vault.set(name, undefined);
  const ends = refreshToken === undefined ? undefined : signInEndOf({refreshToken});
  return {
    account: account ?? clientId,
    fingerprint: fingerprintOf(accessToken),
    renewable: refreshToken !== undefined,
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
  };
};

/** That a token was obtained, and for which server where it is for one alone. */
export const obtained = (facts: TokenFacts, {server}: {readonly server?: OwnTokenServer}) =>
  ({type: 'token-obtained', ...facts, ...(server === undefined ? {} : {server})}) as const;

/** Tells two tokens apart without being one. */
export const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 12);
