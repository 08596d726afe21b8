import {type Credentials, withoutTokens} from '../../domain/credentials.ts';
import {isUsable, renewalPause, slidesBetween} from '../../domain/sign-in-lifecycle.ts';
import type {TokenSet} from '../../domain/tokens.ts';
import type {SetupError} from '../../errors/errors.ts';

/** A sign-in with its new tokens. @param now milliseconds since the epoch, as everywhere here */
export const renewed = (before: Credentials, fresh: TokenSet, now: number): Credentials => ({
  ...withoutTokens(before),
  ...fresh,
  ...slidingOf(before, fresh, now),
  // By which it is found.
  ...(before.account === undefined ? {} : {account: before.account}),
  ...(fresh.refreshToken === undefined
    ? {}
    : {rotates: before.rotates === true || fresh.refreshToken !== before.refreshToken}),
  obtainedAt: now,
});

/** Whether its end was put off by the renewal; at the last of them it is not. */
const slidingOf = (before: Credentials, fresh: TokenSet, now: number) => {
  const slides = slidesBetween(before, fresh, now - (before.obtainedAt ?? now));
  return slides === undefined ? {} : {slides};
};

/** One whose renewal could not be had, and is left alone for a while. */
export const paused = (kept: Credentials, failure: SetupError, now: number): Credentials => {
  const count = (kept.failure?.count ?? 0) + 1;
  const isGood = isUsable(kept, now);
  const {retryAfter} = failure.about;
  const pause = renewalPause({count, isGood, retryAfter}, Math.random());
  const asked = retryAfter === undefined ? {} : {askedUntil: now + retryAfter};
  return {...kept, retryAt: now + pause, failure: {code: failure.code, message: failure.message, count, ...asked}};
};

/** One whose renewal failed for a reason that is told, and that keeps nobody from trying again at once. */
export const failedOnce = ({retryAt: _, ...kept}: Credentials, {code, message}: SetupError): Credentials => ({
  ...kept,
  failure: {code, message, count: kept.failure?.count ?? 0},
});

/** A sign-in that cannot be renewed any more, because that was refused. */
export const ended = (
  {lasted = [], ...kept}: Credentials,
  refusedToken: string | undefined,
  now: number,
  refused: NonNullable<Credentials['refused']>,
): Credentials => {
  const life = kept.signedInAt === undefined ? lasted : [now - kept.signedInAt, ...lasted].slice(0, 3);
  return {
    ...withoutTokens(kept),
    ...goodToken(kept, refusedToken, now),
    ...(life.length > 0 ? {lasted: life} : {}),
    refused,
  };
};

/**
 * One whose renewal was refused without saying that it has ended. It is left alone for longer each time, and loses nothing:
 * what it has is good until another sign-in takes its place, or a renewal is granted after all.
 */
export const probablyEnded = (
  {refused: before, ...kept}: Credentials,
  refusedToken: string | undefined,
  now: number,
  failure: SetupError,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, ...rest} = kept;
  const {said} = failure.about;
  const at = before?.isUnclear ? before.at : now;
  const words = said === undefined ? {} : {said};
  const refused = {at, reason: failure.message, ...words, isUnclear: true} as const;
  return paused({...rest, ...lastToken(kept, refusedToken), refused}, failure, now);
};

/** The access token that is kept, ended or not, unless a server has refused it. */
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

/** One whose refresh token was sent as often as it may be by itself. Nobody refused it, so it is kept for who asks for it. */
export const unanswered = (
  kept: Credentials,
  refusedToken: string | undefined,
  now: number,
  count: number,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, retryAt: ____, failure: _____, ...rest} = kept;
  const refused = {at: now, reason: 'Two attempts to renew the sign-in got no answer.', isUnanswered: true} as const;
  return {...rest, ...goodToken(kept, refusedToken, now), unanswered: count, refused};
};

/**
 * One whose answer was of no use, but brought the refresh token that is good from now on.
 *
 * @param refusedToken an access token that a server has refused
 */
export const spent = (
  kept: Credentials,
  refreshToken: string,
  refusedToken: string | undefined,
  now: number,
): Credentials => {
  const {accessToken: _, expiresAt: __, obtainedAt: ___, refused: ____, ...rest} = kept;
  return {...rest, ...goodToken(kept, refusedToken, now), refreshToken, rotates: true};
};

/** The access token that outlasts a renewal: one that is still good, and that no server has refused. */
const goodToken = (
  kept: Credentials,
  refusedToken: string | undefined,
  now: number,
): Pick<Credentials, 'accessToken' | 'expiresAt' | 'obtainedAt'> => {
  const {accessToken, expiresAt, obtainedAt} = kept;
  if (accessToken === undefined || accessToken === refusedToken || !isUsable(kept, now)) return {};
  return {
    accessToken,
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(obtainedAt === undefined ? {} : {obtainedAt}),
  };
};
