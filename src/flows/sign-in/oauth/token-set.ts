import {createHash} from 'node:crypto';
import type {TokenEndpointResponse, TokenEndpointResponseHelpers} from 'openid-client';
import {signInEndOf} from '../../../domain/jwt.ts';
import {isRenewable} from '../../../domain/renewal.ts';
import {tokenNames} from '../../../domain/secret-names.ts';
import type {OwnTokenServer} from '../../../domain/server-tokens.ts';
import type {TokenFacts, TokenSet} from '../../../domain/tokens.ts';
import type {Ports} from '../../../ports/ports.ts';
import {cleanText} from '../../../text.ts';

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
  /** Of a client that signed in by it. */
  readonly clientSecret?: string;
  readonly ports: Ports;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
};

/** Puts a token into the vault, and says what may be said of it. */
export const keepToken = (answer: TokenAnswer, {clientId, clientSecret, ports, server}: Keeping): TokenFacts => {
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
    renewable: isRenewable({refreshToken, clientSecret}),
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
  };
};

/** That a token was obtained, and for which server where it is for one alone. */
export const obtained = (facts: TokenFacts, {server}: {readonly server?: OwnTokenServer}) =>
  ({type: 'token-obtained', ...facts, ...(server === undefined ? {} : {server})}) as const;

/** Tells two tokens apart without being one. */
export const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 12);
