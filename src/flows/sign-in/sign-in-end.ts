import {contextFlags} from '../../domain/context.ts';
import type {SignInState} from '../../domain/sign-in-lifecycle.ts';
import type {TokenContext, TokenFacts} from '../../domain/tokens.ts';
import {type Advice, phrase, setup} from '../../errors/remedy.ts';
import {duration} from '../../text.ts';

/**
 * Says how long renewals go on, as the end of a sentence that mentions them; empty if no end is known.
 *
 * @param now in milliseconds since the epoch
 */
export const untilSignInEnds = (
  {signInEndsAt}: Pick<SignInState, 'signInEndsAt'> | Pick<TokenFacts, 'signInEndsAt'>,
  now: number,
): string => {
  const left = signInEndsAt === undefined ? undefined : new Date(signInEndsAt).getTime() - now;
  return left === undefined || left <= 0 ? '' : ` until the sign-in ends, in ${duration(left)}`;
};

/** Says what makes sign-ins of a client renewable, as the beginning of a sentence. */
export const grantRefresh = (clientId: string): string =>
  `Ask the identity provider’s operators to allow the client ${clientId} the grant refresh_token`;

/**
 * Says what to do about a sign-in that the identity provider did not refuse, and that the program no longer renews by
 * itself.
 */
export const onceMore = ({
  audience,
  ...context
}: Pick<TokenContext, 'name' | 'actsAs'> & Partial<Pick<TokenContext, 'audience'>>): Advice => {
  const about = contextFlags(context).join(' ');
  const renew = setup('token', `--renew ${about}${audience === undefined ? '' : ' --server observability'}`);
  return phrase`Try once more: ${renew}. If that is refused, sign in again: ${setup('login', about)}.`;
};
