import type {Inbox} from '../ports/ports.ts';
import {stepBefore} from '../state/steps.ts';
import type {Ending} from '../state/view/view.ts';
import type {Wizard} from '../state/wizard.ts';
import type {Word} from './ask.ts';
import type {LineReader} from './line-reader.ts';

export type Dialogue = {
  readonly wizard: Wizard;
  readonly reader: LineReader;
  /** Writes one line; nothing that was written is ever changed. */
  readonly say: (line: string) => void;
  readonly send: Inbox['send'];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** How a turn ends: with the wizard, or with the next one. */
export type Turn = Ending | undefined;

/** What can be done at every question, by a word. `again` puts the question again. */
export type GlobalCommand = 'back' | 'again' | 'calls' | 'values' | 'quit';

/** @param values the control plane values that belong to the question */
export const globalCommands = ({wizard}: Dialogue, values?: string): readonly Word<GlobalCommand>[] => [
  ...(stepBefore(wizard.state()) ? [{word: 'b', label: 'go back', value: 'back'} as const] : []),
  ...(wizard.state().calls.length > 0 ? [{word: 'e', label: 'see the calls as curl', value: 'calls'} as const] : []),
  ...(values === undefined
    ? []
    : [{word: 'v', label: 'see the values that register a client', value: 'values'} as const]),
  {word: 'q', label: 'quit', value: 'quit'},
];

export const runGlobalCommand = (what: GlobalCommand, {wizard, say}: Dialogue, values = ''): Turn => {
  const state = wizard.state();
  const back = stepBefore(state);
  if (what === 'quit') return state.failure ? 'failed' : 'cancelled';
  if (what === 'back' && back) wizard.dispatch({type: 'went-back', to: back});
  if (what === 'values') say(`\n${values}`);
  for (const {answer} of what === 'calls' ? state.calls : [])
    if (answer) say(`${answer.result} in ${answer.ms} ms\n${answer.curl}`);
  return undefined;
};
