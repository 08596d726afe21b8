import {isUsable} from '../../domain/sign-in-lifecycle.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {hasUnsavedSignIn, renewUnsavedSignIn} from '../../state/steps/sign-in/unsaved-sign-in.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';

/**
 * Renews a token that is not saved yet and would end during a diagnosis, which cannot keep a new one. A sign-in whose
 * renewal is refused counts as one that cannot be renewed.
 */
export const renewForChecks = async (wizard: Wizard, {signal}: Invocation): Promise<void> => {
  const state = wizard.state();
  const ports = wizard.ports();
  const {token} = state.facts;
  if (!token?.renewable || !hasUnsavedSignIn(state)) return;
  const {access, expiresAt} = token;
  const current = {accessToken: access.reveal(), ...(expiresAt === undefined ? {} : {expiresAt})};
  if (isUsable(current, ports.clock.now())) return;
  try {
    wizard.dispatch({type: 'renewed', facts: await renewUnsavedSignIn(state, {ports, signal, tell: () => {}})});
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    if (familyOf(error.code) === 'auth')
      wizard.dispatch({type: 'renewed', facts: {token: {...token, renewable: false}}});
  }
};
