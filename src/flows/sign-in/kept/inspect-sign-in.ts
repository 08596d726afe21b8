import type {Context} from '../../../domain/context.ts';
import {mayBeTried} from '../../../domain/sign-in-lifecycle.ts';
import type {TokenFacts} from '../../../domain/tokens.ts';
import {familyOf, SetupError} from '../../../errors/errors.ts';
import type {Flow} from '../../flow.ts';
import {lookAtSignIn} from './resume-sign-in.ts';

/** How a saved sign-in stands: alive, ended with a reason, or not to be found out just now. */
export type InspectedSignIn =
  | {readonly state: 'alive'; readonly token: TokenFacts}
  /**
   * `reason` is for where it is clear whose sign-in is meant. `mayBeTried` where nobody refused it, so that a person may
   * have it renewed once more; `isUnclear` where the renewal was refused without saying that the sign-in has ended.
   */
  | {
      readonly state: 'ended';
      readonly message: string;
      readonly reason: string;
      readonly mayBeTried?: true;
      readonly isUnclear?: true;
    }
  /**
   * `remedy` where it is this machine that keeps it from being known, and not a server; `askedUntil` where the identity
   * provider wants to be asked no sooner, in milliseconds since the epoch.
   */
  | {readonly state: 'unknown'; readonly message: string; readonly remedy?: string; readonly askedUntil?: number};

/**
 * Finds out whether a saved sign-in still works. A renewal that was refused has ended it; a network that fails has not,
 * and is said.
 */
export const inspectSignIn: Flow<Context, InspectedSignIn> = async (context, run) => {
  const {ports} = run;
  try {
    const {token} = await lookAtSignIn(context, run);
    return {state: 'alive', token};
  } catch (error) {
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    const {code, message, about} = error;
    // What is kept but cannot be read is as good as ended: signing in again begins it anew.
    const isEnded = ['auth-sign-in-required', 'local-credentials-invalid', 'local-keychain-failed'].includes(code);
    const known = ports.credentials.get(context).catch(() => undefined);
    const kept = isEnded && code !== 'auth-sign-in-required' ? undefined : await known;
    // It may have been refused by this very look, without a word of its end.
    if (isEnded || kept?.refused?.isUnclear) {
      const tried = kept?.refused?.isUnclear
        ? {isUnclear: true as const}
        : kept?.refused && mayBeTried(kept)
          ? {mayBeTried: true as const}
          : {};
      return {state: 'ended', message, reason: about.reason ?? message, ...tried};
    }
    if (familyOf(code) === 'local') return {state: 'unknown', message, remedy: error.remedy};
    run.tell({type: 'warning', message: `Your sign-in could not be renewed right now. It is kept. ${message}`});
    const {retryAfter} = about;
    return {
      state: 'unknown',
      message,
      ...(retryAfter === undefined ? {} : {askedUntil: ports.clock.now() + retryAfter}),
    };
  }
};
