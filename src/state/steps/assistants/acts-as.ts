import {actsAsAtFirst, hasRoles, savedAccount} from '../../derived/assistants-account.ts';
import {clientIdOf} from '../../derived/wizard-context.ts';
import type {WizardState} from '../../model.ts';
import type {ActsAs} from '../../selection.ts';
import {actorName, purposeOf} from '../../view/names.ts';
import {nextOf, type Selecting} from '../../view/view.ts';

/** Returns the actors to choose from. Without roles at the platform, an account is the same for every purpose. */
const actorsIn = (state: WizardState): readonly ActsAs[] =>
  hasRoles(state) ? ['you', 'look', 'build', 'run'] : ['you', savedAccount(state)?.purpose ?? 'look'];

/**
 * Returns the choice with the next actor: the person, or an account of the assistants' own for a purpose. The person
 * comes after an account that they have already and whose purpose is not known.
 */
export const nextActor = (state: WizardState, {actsAs, ...others}: Selecting): Selecting => {
  const now = actsAs ?? actsAsAtFirst(state);
  return {...others, actsAs: now === undefined ? 'you' : nextOf(actorsIn(state), now)};
};

/** Says as whom the assistants act. Without roles at the platform, no account limits them. */
export const describeActor = (state: WizardState, {actsAs}: Selecting): string => {
  const account = savedAccount(state);
  const chosen = actsAs ?? actsAsAtFirst(state);
  if (chosen === 'you') return actorName({signIn: state.answers.signIn ?? 'browser', clientId: clientIdOf(state)});
  const who = account ? `their own account, ${account.clientId}` : 'an account of their own';
  if (chosen === undefined) return who;
  return hasRoles(state)
    ? `${who}, ${purposeOf[chosen]}`
    : `${who}; this release has no roles, so nothing on the platform limits it`;
};
