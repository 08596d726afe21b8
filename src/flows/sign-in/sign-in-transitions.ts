import {type Credentials, withoutTokens} from '../../domain/credentials.ts';
import {isUsable, renewalPause, slidesBetween} from '../../domain/sign-in-lifecycle.ts';
import {keyIdOf, type TokenSet} from '../../domain/tokens.ts';
import type {SetupError} from '../../errors/errors.ts';

/** Returns a sign-in with its new tokens. @param now milliseconds since the epoch, as everywhere in this file */
export const renewed = (before: Credentials, fresh: TokenSet, now: number): Credentials => ({
  ...withoutTokens(before),
  ...fresh,
  ...slidingOf(before, fresh, now),
  // The account is part of the key that the sign-in is stored under.
  ...(before.account === undefined ? {} : {account: before.account}),
  ...(fresh.refreshToken === undefined
    ? {}
    : {rotates: before.rotates === true || fresh.refreshToken !== before.refreshToken}),
  obtainedAt: now,
});

/** Returns, as a field, whether the renewal put off the end of the sign-in. The last one before the end does not. */
const slidingOf = (before: Credentials, fresh: TokenSet, now: number) => {
  const slides = slidesBetween(before, fresh, now - (before.obtainedAt ?? now));
  return slides === undefined ? {} : {slides};
};

/** Returns a sign-in whose renewal failed, with a pause before the next attempt. */
export const paused = (credentials: Credentials, failure: SetupError, now: number): Credentials => {
  const count = (credentials.failure?.count ?? 0) + 1;
  const isGood = isUsable(credentials, now);
  const {retryAfter} = failure.about;
  const pause = renewalPause({count, isGood, retryAfter}, Math.random());
  const asked = retryAfter === undefined ? {} : {askedUntil: now + retryAfter};
  return {
    ...credentials,
    retryAt: now + pause,
    failure: {code: failure.code, message: failure.message, count, ...asked},
  };
};

/**
 * Returns a sign-in whose renewal failed, with the failure to show, but without a pause before the next attempt.
 */
export const failedOnce = ({retryAt: _, ...rest}: Credentials, {code, message}: SetupError): Credentials => ({
  ...rest,
  failure: {code, message, count: rest.failure?.count ?? 0},
});

/** Returns a sign-in that cannot be renewed any more, because the identity provider refused. */
export const ended = (
  {lasted = [], ...rest}: Credentials,
  refusedToken: string | undefined,
  now: number,
  refused: NonNullable<Credentials['refused']>,
): Credentials => {
  const life = rest.signedInAt === undefined ? lasted : [now - rest.signedInAt, ...lasted].slice(0, 3);
  return {
    ...withoutTokens(rest),
    ...goodToken(rest, refusedToken, now),
    ...(life.length > 0 ? {lasted: life} : {}),
    refused: {...refused, ...keyIdIn(refusedToken)},
  };
};

const keyIdIn = (refusedToken = ''): {readonly keyId?: string} => {
  const keyId = keyIdOf(refusedToken);
  return keyId === undefined ? {} : {keyId};
};

/**
 * Returns a sign-in whose renewal was refused without saying that the sign-in has ended. Each refusal makes the pause
 * longer. The refresh token stays until another sign-in replaces this one, or until a renewal succeeds.
 */
export const probablyEnded = (
  {refused: before, ...credentials}: Credentials,
  refusedToken: string | undefined,
  now: number,
  failure: SetupError,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, ...rest} = credentials;
  const {said} = failure.about;
  const at = before?.isUnclear ? before.at : now;
  const words = said === undefined ? {} : {said};
  const refused = {at, reason: failure.message, ...words, ...keyIdIn(refusedToken), isUnclear: true} as const;
  return paused({...rest, ...lastToken(credentials, refusedToken), refused}, failure, now);
};

/** The stored access token, expired or not, unless a server has refused it. */
const lastToken = (
  {accessToken, expiresAt, obtainedAt}: Credentials,
  refusedToken: string | undefined,
): Pick<Credentials, 'accessToken' | 'expiresAt' | 'obtainedAt'> =>
  accessToken === undefined || accessToken === refusedToken
    ? {}
    : {
        accessToken,
        ...(expiresAt === undefined ? {} : {expiresAt}),
        ...(obtainedAt === undefined ? {} : {obtainedAt}),
      };

/**
 * Returns a sign-in whose refresh token has gone unanswered as often as the program sends it by itself. The identity
 * provider has not refused it, so it is kept for a person who asks for a renewal.
 */
export const unanswered = (
  credentials: Credentials,
  refusedToken: string | undefined,
  now: number,
  count: number,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, retryAt: ____, failure: _____, ...rest} = credentials;
  const refused = {at: now, reason: 'Two attempts to renew the sign-in got no answer.', isUnanswered: true} as const;
  return {...rest, ...goodToken(credentials, refusedToken, now), unanswered: count, refused};
};

/**
 * Returns a sign-in after an answer that was of no use, but brought the refresh token that is valid from now on.
 *
 * @param refusedToken an access token that a server has refused
 */
export const spent = (
  credentials: Credentials,
  refreshToken: string,
  refusedToken: string | undefined,
  now: number,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, refused: ____, ...rest} = credentials;
  return {...rest, ...goodToken(credentials, refusedToken, now), refreshToken, rotates: true};
};

/** The access token that stays after a renewal: it is still good, and no server has refused it. */
const goodToken = (
  credentials: Credentials,
  refusedToken: string | undefined,
  now: number,
): Pick<Credentials, 'accessToken' | 'expiresAt' | 'obtainedAt'> => {
  const {accessToken, expiresAt, obtainedAt} = credentials;
  if (accessToken === undefined || accessToken === refusedToken || !isUsable(credentials, now)) return {};
  return {
    accessToken,
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(obtainedAt === undefined ? {} : {obtainedAt}),
  };
};
