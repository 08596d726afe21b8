import type {Credentials} from './credentials.ts';
import {refreshTokenEndOf} from './jwt.ts';

/** How much two sign-ins may differ in length to have ended by the same rule, as a share of it. */
const SAME = 0.05;

/** What is known of a sign-in that may say when it ends. */
type Known = Pick<Credentials, 'refreshToken' | 'signInEndsAt' | 'signedInAt' | 'lasted'>;

/**
 * When a sign-in ends, whatever is renewed until then: as the token endpoint said, as its refresh token says, or as long
 * after it began as the last two lasted. In milliseconds since the epoch; undefined where nobody knows.
 */
export const signInEndOf = (known: Known): number | undefined =>
  known.signInEndsAt ?? refreshTokenEndOf(known) ?? endAsBefore(known);

const endAsBefore = ({signedInAt, lasted = []}: Known): number | undefined => {
  const [last, before] = lasted;
  if (signedInAt === undefined || last === undefined || before === undefined) return undefined;
  const isSame = Math.abs(last - before) <= Math.max(last, before) * SAME;
  return isSame ? signedInAt + Math.min(last, before) : undefined;
};
