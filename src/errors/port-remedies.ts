import {SETUP} from '../setup-command.ts';
import {orByFlag, type Remedy, withSignInCommand} from './error-row.ts';

/**
 * What a person can do whose browser cannot bring its answer back to this machine. A terminal takes the answer by hand,
 * whatever the identity provider offers.
 *
 * @param first what makes the browser come back, as the beginning of a sentence
 */
export const orByHand = (first: string): Remedy =>
  orByFlag(
    `${first}, or paste the answer by hand.`,
    withSignInCommand(signIn => `To paste it, run ${signIn} in a terminal.`),
  );

/** What else they can do where the identity provider signs people in with a code. */
export const orByCode: Remedy = (signIn = `${SETUP} login`, isAsked = false) =>
  isAsked ? 'Or sign in with a code.' : `Or sign in with a code: ${signIn} --device.`;
