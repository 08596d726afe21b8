import type {Credentials} from './credentials.ts';
import {mayBeTried, willBeRenewed} from './renewal.ts';
import {signInEndOf} from './sign-in-end.ts';
import {isFromFuture, isUsable} from './token-validity.ts';

/**
 * How a sign-in stands. `ended`: its renewal was refused, and its token has ended too. `expired`: its token is no longer
 * handed out, but may still be renewed.
 */
export type SignInStanding = {
  readonly state: 'valid' | 'expired' | 'ended' | 'none';
  readonly account?: string;
  readonly expiresAt?: string;
  readonly secondsLeft?: number;
  readonly renewable: boolean;
  /** When the sign-in ends, whatever is renewed until then, where that is known. ISO 8601. */
  readonly signInEndsAt?: string;
  /** Why it has ended, or will end with its token. */
  readonly reason?: string;
  /** Set where nobody refused that, so that a person may have it renewed once more. */
  readonly mayBeTried?: true;
  /** Set where its renewal was refused without saying that the sign-in has ended, which it probably has. */
  readonly isUnclear?: true;
  /** Set where the last attempt to renew it got no answer, and another one will be made. */
  readonly isUnanswered?: true;
  /** Why the last attempt to renew it failed, where another one will be made. A sentence. */
  readonly failure?: string;
};

/** @param now in milliseconds since the epoch */
export const signInStanding = (credentials: Credentials | undefined, now: number): SignInStanding => {
  const {accessToken, expiresAt, account, refused} = credentials ?? {};
  const renewable = willBeRenewed(credentials ?? {}, now);
  const isEnding = refused !== undefined && accessToken !== undefined && isUsable(credentials ?? {}, now);
  const tried = refused?.isUnclear
    ? ({isUnclear: true} as const)
    : refused && mayBeTried(credentials ?? {})
      ? ({mayBeTried: true} as const)
      : {};
  if (refused && !isEnding) return {state: 'ended', renewable, reason: refused.reason, ...tried};
  if (accessToken === undefined) return {state: 'none', renewable};
  const who = account === undefined ? {} : {account};
  const lost = credentials?.unanswered ? ({isUnanswered: true} as const) : {};
  const failed = credentials?.failure && !refused ? {failure: credentials.failure.message} : {};
  const why = refused ? {reason: refused.reason, ...tried} : {...lost, ...failed};
  // What cannot be renewed ends with its token.
  const end = isEnding ? expiresAt : signInEndOf(credentials ?? {});
  const ends = end === undefined ? {} : {signInEndsAt: new Date(end).toISOString()};
  if (isFromFuture(credentials ?? {}, now)) return {state: 'expired', renewable, ...who, ...ends, ...why};
  if (expiresAt === undefined) return {state: 'valid', renewable, ...who, ...ends, ...why};
  const secondsLeft = Math.max(0, Math.floor((expiresAt - now) / 1000));
  const until = {expiresAt: new Date(expiresAt).toISOString(), secondsLeft};
  return {
    state: isUsable({...credentials, accessToken, expiresAt}, now) ? 'valid' : 'expired',
    renewable,
    ...who,
    ...until,
    ...ends,
    ...why,
  };
};

/** Whether a token is to be had without a person. */
export const isAlive = ({state, renewable}: Pick<SignInStanding, 'state' | 'renewable'>): boolean =>
  state === 'valid' || renewable;
