import {duration} from '../../../duration.ts';
import {showPath} from '../../derived/show-path.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, nothing} from '../../step.ts';
import type {DoneView} from '../../view/view.ts';
import {hasTokenInFile, isUndoable, notesOf, outcomesOf} from './outcome.ts';

/** The end. It is never done. */
export const done = {
  id: 'done',
  stage: 'review',
  kind: 'ask',
  title: 'Done',
  flag: '',
  done: () => false,
  forgets: nothing,
  ask: (state, now) => ({
    type: 'done',
    heading: headingOf(state),
    outcomes: outcomesOf(state),
    ...filesOf(state),
    notes: notesOf(state),
    next: nextOf(state, now),
  }),
} satisfies AskStep;

const headingOf = (state: WizardState): string => {
  const {check, token} = state.facts;
  if (check?.withoutRole) return 'Connected, but the account has no role yet';
  return outcomesOf(state).length > 0
    ? 'Done: the servers answer through what was written'
    : `You are signed in as ${token?.account}`;
};

const filesOf = ({facts: {plan}, settings}: WizardState): Pick<DoneView, 'files'> => {
  if (!plan) return {};
  const title = settings.demo ? `Files, below ${settings.demo.directory}` : 'Files';
  return {files: {title, lines: plan.files.map(({path, change}) => ({path: showPath(path, settings), change}))}};
};

/** What is worth knowing from here on, and what to type or to say. */
const nextOf = (state: WizardState, now: number): DoneView['next'] => {
  const {facts, settings} = state;
  if (settings.demo)
    return [{before: 'This was the sandbox, and it ends when you leave. For real: ', strong: 'npx setup'}];
  const {expiresAt, renewable, signInEndsAt} = facts.token ?? {};
  const ends = signInEndsAt ?? (renewable === false ? expiresAt : undefined);
  const left = (at: number) => duration(at - now);
  return [
    ...(expiresAt !== undefined && hasTokenInFile(state)
      ? [
          {
            before: `The token in these entries is good for ${left(expiresAt)}. Renew it with `,
            strong: 'npx setup mcp connect',
          },
        ]
      : []),
    ...(ends === undefined
      ? []
      : [{before: `Your sign-in ends in ${left(ends)}. To sign in again, run `, strong: 'npx setup'}]),
    ...(isUndoable(state) ? [{before: 'Undo everything with ', strong: 'npx setup undo'}] : []),
    ...(outcomesOf(state).length > 0
      ? [{before: 'Ask your assistant: ', strong: 'Which projects do I have, and is anything failing?'}]
      : []),
  ];
};
