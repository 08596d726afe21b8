import type {Credentials} from './credentials.ts';
import {refreshTokenEndOf} from './jwt.ts';

/** What a renewal is asked for with, and whether one was refused. */
export type Renewal = {
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refused?: Credentials['refused'];
};

/**
 * Whether a sign-in can be renewed without a person: by its refresh token (RFC 6749 6), or by the secret of its client
 * (RFC 6749 4.4). One whose renewal was refused cannot, also where a secret is left: until somebody signs in anew the
 * identity provider is not asked again by itself. Where it did not say that the sign-in has ended, it is.
 */
export const isRenewable = ({refreshToken, clientSecret, refused}: Renewal): boolean =>
  (refused === undefined || refused.isUnclear === true) && (refreshToken !== undefined || clientSecret !== undefined);

/**
 * The same where a person asks for it: nobody has refused a refresh token that was sent as often as it may be by itself, and
 * got no answer.
 */
export const mayBeTried = (renewal: Renewal): boolean =>
  isRenewable(renewal) || (renewal.refused?.isUnanswered === true && renewal.refreshToken !== undefined);

/**
 * The same as a promise to a person: not one that was refused, whatever the reason, and not by a refresh token that says of itself that it has ended. Who renews asks
 * nevertheless, because the clock that counts is the identity provider's.
 *
 * @param now milliseconds since the epoch
 */
export const willBeRenewed = (renewal: Renewal, now: number): boolean => {
  const ends = refreshTokenEndOf(renewal);
  return (
    renewal.refused === undefined &&
    isRenewable(renewal) &&
    (renewal.clientSecret !== undefined || ends === undefined || ends > now)
  );
};
