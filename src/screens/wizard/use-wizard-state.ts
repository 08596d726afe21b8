import {useCallback, useSyncExternalStore} from 'react';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import type {Wizard} from '../../state/wizard.ts';

/**
 * The state as it is drawn. What flows tell comes in bursts, and each burst is one frame; what a person does is drawn at
 * once, so that a key that follows in the same moment finds the screen that it was meant for.
 */
export const useWizardState = ({subscribe, state}: Pick<Wizard, 'subscribe' | 'state'>): WizardState => {
  const subscribeToBursts = useCallback(
    (redraw: () => void) => {
      let scheduled: NodeJS.Immediate | undefined;
      const unsubscribe = subscribe(event => {
        if (isPersons(event)) redraw();
        else
          scheduled ??= setImmediate(() => {
            scheduled = undefined;
            redraw();
          });
      });
      return () => {
        clearImmediate(scheduled);
        unsubscribe();
      };
    },
    [subscribe],
  );
  return useSyncExternalStore(subscribeToBursts, state);
};

const isPersons = ({type}: WizardEvent) => persons.has(type);

const persons: ReadonlySet<WizardEvent['type']> = new Set(['answered', 'went-back', 'reconsidered', 'retried']);
