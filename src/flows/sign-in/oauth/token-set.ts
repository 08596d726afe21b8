import type {TokenEndpointResponse, TokenEndpointResponseHelpers} from 'openid-client';
import {fingerprintOf} from '../../../domain/fingerprint.ts';
import {Secret} from '../../../domain/secret.ts';
import {isRenewable, signInEndOf} from '../../../domain/sign-in-lifecycle.ts';
import type {OwnTokenServer, Token, TokenSet} from '../../../domain/tokens.ts';
import {payloadOf, personIn} from '../../../domain/tokens.ts';
import {parseJson} from '../../../json.ts';
import {cleanText} from '../../../text.ts';

export type TokenAnswer = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** A lifetime beyond this is a slip of the server's, and no number that a date can hold. In seconds: ten years. */
const LONGEST = 10 * 365 * 24 * 3600;

/** @param now milliseconds since the epoch */
export const tokenSetOf = (answer: TokenAnswer, now: number): TokenSet => {
  const seconds = answer.expiresIn();
  const lifetime = seconds === undefined ? undefined : Math.min(seconds, LONGEST);
  const account = accountIn(answer);
  const ends = signInLifeIn(answer);
  const {sub: subject} = answer.claims() ?? {};
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : {refreshToken: answer.refresh_token}),
    ...(lifetime === undefined ? {} : {expiresAt: now + lifetime * 1000}),
    ...(ends === undefined ? {} : {signInEndsAt: now + ends * 1000}),
    ...(account === undefined ? {} : {account}),
    ...(subject === undefined ? {} : {subject}),
  };
};

/** How long the refresh token is good, in seconds, where an identity provider says so: no standard has it. */
const signInLifeIn = ({refresh_expires_in: seconds}: TokenAnswer): number | undefined =>
  typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, LONGEST) : undefined;

/**
 * The name that a person knows themselves by: in the ID token, else in the access token, where some identity providers
 * have it alone. The subject, an ID that tells nobody anything, comes last.
 */
const accountIn = (answer: TokenAnswer): string | undefined => {
  const claims = answer.claims();
  if (!claims) return undefined;
  return (
    personIn(claims) ??
    personIn(payloadOf(answer.access_token) ?? {}) ??
    (typeof claims.sub === 'string' ? cleanText(claims.sub) : undefined)
  );
};

type Whose = {
  readonly clientId: string;
  /** Whether each renewal puts the end of the refresh token off. */
  readonly slides?: boolean | undefined;
  /** Of a client that signed in by it. */
  readonly clientSecret?: Secret;
};

/** What a token endpoint gave, as a token of this run. @param now milliseconds since the epoch */
export const tokenFrom = (answer: TokenAnswer, {clientId, clientSecret, slides}: Whose, now: number): Token => {
  const {accessToken, refreshToken, expiresAt, signInEndsAt, account, subject} = tokenSetOf(answer, now);
  const ends = refreshToken === undefined ? undefined : signInEndOf({refreshToken, signInEndsAt, slides});
  return {
    account: account ?? clientId,
    fingerprint: fingerprintOf(accessToken),
    renewable: isRenewable({refreshToken, clientSecret: clientSecret?.reveal()}),
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
    ...(slides === true && refreshToken !== undefined ? {slides} : {}),
    access: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : {refresh: new Secret(refreshToken)}),
    ...(subject === undefined ? {} : {subject}),
  };
};

/** That a token was obtained, and for which server where it is for one alone. */
export const obtained = (
  {access: _, refresh: __, subject: ___, slides: ____, failure: _____, ...facts}: Token,
  {server}: {readonly server?: OwnTokenServer} = {},
) => ({type: 'token-obtained', ...facts, ...(server === undefined ? {} : {server})}) as const;

/** Whether an answer of the token endpoint has an ID token without a nonce. What cannot be read has none to be judged. */
export const hasNoNonce = (body: string): boolean => {
  try {
    const claims = payloadOf(String((parseJson(body) as {id_token?: unknown}).id_token));
    return claims !== undefined && claims.nonce === undefined;
  } catch {
    return false;
  }
};
