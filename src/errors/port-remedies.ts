import {SETUP} from '../setup-command.ts';
import {orByFlag, type Remedy, withSignInCommand} from './error-row.ts';

/**
 * Builds the remedy if the browser cannot bring its answer back to this machine. A person can paste the answer into a
 * terminal, whatever the identity provider offers.
 *
 * @param first the step that makes the browser come back, as the beginning of a sentence
 */
export const orByHand = (first: string): Remedy =>
  orByFlag(
    `${first}, or paste the answer by hand.`,
    withSignInCommand(signIn => `To paste it, run ${signIn} in a terminal.`),
  );

/** The remedy that offers to sign in with a code instead, if the identity provider supports it. */
export const orByCode: Remedy = (signIn = `${SETUP} login`, isAsked = false) =>
  isAsked ? 'Or sign in with a code.' : `Or sign in with a code: ${signIn} --device.`;
