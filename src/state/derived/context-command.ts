import {SETUP} from '../../setup-command.ts';
import type {WizardState} from '../model.ts';
import {contextNameIn} from './wizard-context.ts';

/**
 * Returns a command of this program for the context of this run. It names the context if others are saved, because a
 * command without a name is about the current context.
 *
 * @param words of the command; none for the wizard itself
 */
export const contextCommand = (state: WizardState, words = ''): string => {
  const name = contextNameIn(state);
  const hasOthers = (state.settings.contexts ?? []).some(one => one.name !== name);
  return [SETUP, words, hasOthers ? `--context ${name}` : ''].filter(Boolean).join(' ');
};
