import {expect, vi} from 'vitest';
import type {WizardEvent} from '../../src/state/events.ts';
import type {WizardState} from '../../src/state/model.ts';
import {reduce} from '../../src/state/reducer.ts';
import type {QuestionView} from '../../src/state/view/view.ts';
import {viewOf} from '../../src/state/view/view-of.ts';
import type {Wizard} from '../../src/state/wizard.ts';

/** Creates a wizard that runs no flow: it reduces and records what is dispatched. */
export const standing = (initial: WizardState) => {
  let state = initial;
  const listeners = new Set<(event: WizardEvent) => void>();
  const dispatch = vi.fn((event: WizardEvent) => {
    state = reduce(state, event);
    for (const listener of listeners) listener(event);
  });
  const subscribe: Wizard['subscribe'] = listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    state: () => state,
    view: (now: number) => viewOf(state, now),
    dispatch,
    subscribe,
    start: () => {},
    stop: async () => {},
    ports: () => expect.fail('Nothing is called by a wizard that stands still.'),
  };
};

/** Returns the question that the wizard asks in a state. */
export const questionIn = (state: WizardState): QuestionView => {
  const {body} = viewOf(state, 0);
  if (body.type !== 'question') throw new Error(`What is shown is no question: ${body.type}.`);
  return body;
};
