import type {Inbox} from '../ports/ports.ts';
import {wayBack} from '../state/steps.ts';
import type {Ending, GuideOnRequest} from '../state/view/view.ts';
import type {Wizard} from '../state/wizard.ts';
import type {Word} from './ask.ts';
import type {LineReader} from './line-reader.ts';

export type Dialogue = {
  readonly wizard: Wizard;
  readonly reader: LineReader;
  /** Writes a text of one or more lines, and a line end. Nothing that was written is changed afterwards. */
  readonly say: (text: string) => void;
  readonly send: Inbox['send'];
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** The end of a turn: an ending of the wizard, or undefined if there is another turn. */
export type Turn = Ending | undefined;

/** A command that a choice offers by a letter besides its numbers. `again` repeats the previous question. */
export type GlobalCommand = 'back' | 'again' | 'calls' | 'guide' | 'quit';

/** @param guide the guide for registering the client that the question is about */
export const globalCommands = ({wizard}: Dialogue, guide?: GuideOnRequest): readonly Word<GlobalCommand>[] => [
  ...(wayBack(wizard.state()) ? [{word: 'b', label: 'go back', value: 'back'} as const] : []),
  ...(wizard.state().calls.length > 0 ? [{word: 'e', label: 'see the calls as curl', value: 'calls'} as const] : []),
  ...(guide === undefined ? [] : [{word: 'g', label: 'see how to register a client', value: 'guide'} as const]),
  {word: 'q', label: 'quit', value: 'quit'},
];

export const runGlobalCommand = async (
  what: GlobalCommand,
  {wizard, say}: Dialogue,
  guide?: GuideOnRequest,
): Promise<Turn> => {
  const state = wizard.state();
  const back = wayBack(state);
  if (what === 'quit') return state.failure ? 'failed' : 'cancelled';
  if (what === 'back' && back) wizard.dispatch(back);
  if (what === 'guide') say(`\n${(await guide?.())?.text ?? ''}`);
  for (const {answer} of what === 'calls' ? state.calls : [])
    if (answer) say(`${answer.result} in ${answer.ms} ms\n${answer.curl}`);
  return undefined;
};
