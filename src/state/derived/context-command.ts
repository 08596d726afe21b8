import {SETUP} from '../../setup-command.ts';
import type {WizardState} from '../model.ts';
import {contextNameIn} from './context-of.ts';

/**
 * A command of this program for the context that this run is about, which it names where others are saved: without a name
 * it would be about the current one.
 *
 * @param words of the command; none for the wizard itself
 */
export const contextCommand = (state: WizardState, words = ''): string => {
  const name = contextNameIn(state);
  const hasOthers = (state.settings.taken ?? []).some(one => one.name !== name);
  return [SETUP, words, hasOthers ? `--context ${name}` : ''].filter(Boolean).join(' ');
};
