import {SETUP} from '../../../setup-command.ts';
import {withoutRoleIn} from '../../derived/assistants-account.ts';
import {ownCliName} from '../../derived/own-cli.ts';
import {contextNameIn} from '../../derived/wizard-context.ts';
import {isLogin} from '../../derived/wizard-deployment.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, nothing} from '../../step.ts';
import {showPath} from '../../view/names.ts';
import type {DoneView} from '../../view/view.ts';
import {
  endsIn,
  hasTokenInFile,
  isUndoable,
  notesOf,
  seesNoTools,
  shownOutcomes,
  signInEnd,
  whoseSignIn,
} from './outcome.ts';
import {contentIn, headlineOf, leftToConnect, leftToCreate, whatIsSeen, whatWorks} from './what-works.ts';

/** The last screen. The step is never done. */
export const done = {
  id: 'done',
  stage: 'review',
  kind: 'ask',
  title: 'Done',
  flag: '',
  done: () => false,
  forgets: nothing,
  ask: (state, now) => {
    const seen = whatIsSeen(state);
    const block = withoutRoleIn(state)?.block;
    return {
      type: 'done',
      heading: headlineOf(state),
      ...(withoutRoleIn(state) || seesNoTools(state) || state.facts.check?.providerFault ? {} : {isSuccess: true}),
      ...(seen === undefined ? {} : {content: seen}),
      outcomes: shownOutcomes(state),
      ...filesOf(state),
      notes: [...saidWhileWriting(state), ...notesOf(state)],
      ...(block === undefined ? {} : {block}),
      next: nextOf(state, now),
    };
  },
} satisfies AskStep;

/** Returns the warnings of the write, which happens after the review and is shown for a moment only. */
const saidWhileWriting = ({warnings}: WizardState): readonly string[] =>
  warnings.flatMap(({step, message}) => (step === 'write' ? [message] : []));

const filesOf = ({facts, settings}: WizardState): Pick<DoneView, 'files'> => {
  const {plan} = facts;
  const named = facts.verified?.map(({path}) => path) ?? [];
  const others = plan?.files.filter(({path, change}) => !named.includes(path) && change !== 'unchanged') ?? [];
  if (others.length === 0) return {};
  const lines = others.map(({path, change}) => ({path: showPath(path, settings), change}));
  return {files: {title: titleOf(settings), lines}};
};

/** After a demonstration the screen must not suggest that its files still exist. */
const titleOf = ({demo}: WizardState['settings']): string =>
  demo ? `Other files in ${demo.directory}${demo.isKept ? '' : ', which is removed when you leave'}:` : 'Other files:';

/** Returns what the person should know or do next, with what to type or to say. */
const nextOf = (state: WizardState, now: number): DoneView['next'] => {
  const {facts, settings} = state;
  if (settings.demo) return [{before: 'This was a sandbox. It ends when you leave. For real: ', strong: SETUP}];
  const isRenewed =
    signInEnd(state) === undefined &&
    facts.token?.renewable !== false &&
    facts.check?.providerFault === undefined &&
    !hasTokenInFile(state);
  return [
    ...(whatWorks(state) === 'assistants' && !isLogin(state) && contentIn(state)?.projects !== 0
      ? [{before: 'Try it. Ask your assistant: ', strong: 'Which projects do I have, and is anything failing?'}]
      : []),
    ...leftToCreate(state),
    ...leftToConnect(state),
    ...leftToSignIn(state),
    ...(isRenewed ? [{before: `${whoseSignIn(state)} is renewed automatically.`}] : []),
    ...staysCurrent(state),
    ...endsIn(state, now),
    ...(isUndoable(state) ? [{before: 'Undo this run with ', strong: `${SETUP} undo`}] : []),
  ];
};

/**
 * Says which deployment stays the current one. Commands without a name use it, and setting up another saved deployment
 * again does not change that.
 */
const staysCurrent = (state: WizardState): DoneView['next'] => {
  const {contexts = [], currentContext: current} = state.settings;
  if (isLogin(state) || current === undefined) return [];
  const name = contextNameIn(state);
  if (current === name || !contexts.some(one => one.name === name)) return [];
  return [{before: `${current} stays the current deployment. To switch: `, strong: `${SETUP} context use ${name}`}];
};

/** Says how to sign in the platform's own CLI, if it was not found and the wizard therefore did not ask. */
const leftToSignIn = (state: WizardState): DoneView['next'] => {
  if (state.facts.ownCli?.installed !== false || state.answers.ownCli) return [];
  return [{before: `If you install ${ownCliName(state)}, sign it in with `, strong: `${SETUP} --cli-config`}];
};
