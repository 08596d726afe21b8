import type {Credentials} from './credentials.ts';
import {refreshTokenEndOf} from './jwt.ts';

/** How much two sign-ins may differ in length to have ended by the same rule, as a share of it. */
const SAME = 0.05;

/** What is known of a sign-in that may say when it ends. */
type Known = {
  readonly [Key in 'refreshToken' | 'signInEndsAt' | 'signedInAt' | 'lasted' | 'slides']?: Credentials[Key] | undefined;
};

/**
 * When a sign-in ends, whatever is renewed until then: as the token endpoint said, as its refresh token says, or as long
 * after it began as the last two lasted. What slides says when a pause ends that is too long, and not that. In
 * milliseconds since the epoch; undefined where nobody knows.
 */
export const signInEndOf = (known: Known): number | undefined =>
  (known.slides ? undefined : saidEndOf(known)) ?? endAsBefore(known);

const saidEndOf = (known: Known) => known.signInEndsAt ?? refreshTokenEndOf(known);

/** Shorter than this nothing is learnt from two ends, in milliseconds: they are told in whole seconds. */
const APART = 10_000;

/**
 * Whether each renewal puts the end off, by the ends of two refresh tokens that followed each other; undefined where they
 * do not tell.
 *
 * @param apart how long the first was there before the second came, in milliseconds
 */
export const slidesBetween = (before: Known, after: Known, apart: number): boolean | undefined => {
  const [first, second] = [saidEndOf(before), saidEndOf(after)];
  if (first === undefined || second === undefined || apart < APART) return undefined;
  return second - first > apart / 2;
};

const endAsBefore = ({signedInAt, lasted = []}: Known): number | undefined => {
  const [last, before] = lasted;
  if (signedInAt === undefined || last === undefined || before === undefined) return undefined;
  const isSame = Math.abs(last - before) <= Math.max(last, before) * SAME;
  return isSame ? signedInAt + Math.min(last, before) : undefined;
};
