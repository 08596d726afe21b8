import {type Credentials, withoutTokens} from '../../../domain/sign-in/credentials.ts';
import {renewalPause} from '../../../domain/sign-in/renewal-pause.ts';
import {isUsable} from '../../../domain/sign-in/token-validity.ts';
import type {TokenSet} from '../../../domain/sign-in/tokens.ts';
import type {SetupError} from '../../../errors/errors.ts';

/** A sign-in with its new tokens. @param now milliseconds since the epoch, as everywhere here */
export const renewed = (before: Credentials, fresh: TokenSet, now: number): Credentials => ({
  ...withoutTokens(before),
  ...fresh,
  // By which it is found.
  ...(before.account === undefined ? {} : {account: before.account}),
  ...(fresh.refreshToken === undefined
    ? {}
    : {rotates: before.rotates === true || fresh.refreshToken !== before.refreshToken}),
  obtainedAt: now,
});

/** One whose renewal could not be had, and is left alone for a while. */
export const paused = (kept: Credentials, failure: SetupError, now: number): Credentials => {
  const count = (kept.failure?.count ?? 0) + 1;
  const isGood = isUsable(kept, now);
  const pause = renewalPause({count, isGood, retryAfter: failure.about.retryAfter}, Math.random());
  return {...kept, retryAt: now + pause, failure: {code: failure.code, message: failure.message, count}};
};

/** A sign-in that cannot be renewed any more. A token that no server has refused is good to its end. */
export const ended = (
  {lasted = [], ...kept}: Credentials,
  refusedToken: string | undefined,
  now: number,
  refused: NonNullable<Credentials['refused']>,
): Credentials => {
  const {accessToken, expiresAt, obtainedAt, signedInAt} = kept;
  const isGood = isUsable(kept, now) && accessToken !== refusedToken;
  const life = signedInAt === undefined ? lasted : [now - signedInAt, ...lasted].slice(0, 3);
  return {
    ...withoutTokens(kept),
    ...(isGood ? {accessToken, ...(expiresAt === undefined ? {} : {expiresAt})} : {}),
    ...(isGood && obtainedAt !== undefined ? {obtainedAt} : {}),
    ...(life.length > 0 ? {lasted: life} : {}),
    refused,
  } as Credentials;
};
