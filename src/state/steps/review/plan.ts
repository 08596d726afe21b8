import type {Assistant} from '../../../assistants/assistant.ts';
import {CONTEXT_NAMES, isContextName} from '../../../domain/context.ts';
import {isSamePath} from '../../../domain/paths.ts';
import type {Target} from '../../../flows/assistants/assistant-entry.ts';
import {SETUP} from '../../../setup-command.ts';
import {wantsOwnCli} from '../../derived/own-cli.ts';
import {contextNameIn} from '../../derived/wizard-context.ts';
import {isResumed} from '../../derived/wizard-deployment.ts';
import {entriesBefore, hasTargets, targetsOf} from '../../derived/wizard-targets.ts';
import {answered} from '../../events.ts';
import type {Failure, WizardState} from '../../model.ts';
import type {AssistantSelection} from '../../selection.ts';
import {learns, type Recovery, type RunStep, type StepFlow, silent} from '../../step.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {signedOutAssistants} from '../account/account.ts';
import {changesAgain} from './review.ts';

/** What plans the files is loaded when the wizard gets there, long after its first screen. */
const run: StepFlow = async (state, run) => (await import('./plan-changes.ts')).planAndWarn(state, run);

/** Plans every file to write, and writes none. */
export const plan = {
  id: 'plan',
  stage: 'review',
  kind: 'run',
  title: 'Working out what will change',
  when: state => hasTargets(state) || wantsOwnCli(state),
  done: ({facts}) => facts.plan !== undefined,
  forgets: learns('plan', 'plannedCli', 'unreadable', 'entryTokens'),
  run,
  recovery: (state, failure) =>
    signedOutAssistants(state, failure) ??
    (failure.about?.isContextGone
      ? changesAgain(failure, state)
      : {offers: offersAfter(state, failure), ...asDecision(failure)}),
  eventTexts: {'file-planned': silent},
} satisfies RunStep;

/** A decision that only the person can make is shown as a question, not as a failure. */
const asDecision = ({code, about}: Failure): Partial<Recovery> => {
  if (about?.flag === 'scope') return {heading: 'Connect this project for yourself only?', isNoTrouble: true};
  if (code === 'local-token-in-git')
    return {heading: 'Store a token in a file of a repository?', isNoTrouble: true, advice: TOKEN_IN_GIT};
  if (code === 'local-entry-exists')
    return {heading: 'Replace an entry of the same name?', isNoTrouble: true, advice: ENTRY_EXISTS};
  if (code === 'local-link-outside')
    return {heading: 'Connect it for all your projects instead?', isNoTrouble: true, advice: LINK_OUTSIDE};
  if (code === 'local-file-read-only')
    return {heading: 'Overwrite a read-only file?', isNoTrouble: true, advice: FILE_READ_ONLY};
  return {};
};

const LINK_OUTSIDE =
  'In this project, the assistant’s file is a link. Writing to it would change another file of yours.';

const TOKEN_IN_GIT = 'Anyone who can read the repository could use the platform with it until it expires.';

const FILE_READ_ONLY =
  'You, or a tool that manages your files, may have made it read-only. It stays read-only after the change.';

const ENTRY_EXISTS = 'A file can have only one entry with each name.';

const offersAfter = (state: WizardState, failure: Failure): readonly Offer[] => {
  if (failure.code === 'local-entry-exists') return [...entryExists(state), otherAssistants(state)];
  if (failure.code === 'local-token-in-git') return [...tokenInGit(state, failure), otherAssistants(state)];
  if (failure.code === 'local-link-outside') {
    return [...forAllProjects(state), ...withoutThose(state, failure), otherAssistants(state)];
  }
  if (failure.about?.flag === 'scope') return [...forYourself(state), otherAssistants(state)];
  if (failure.code === 'local-file-read-only') {
    return [overwriteReadOnly, ...withoutThose(state, failure), otherAssistants(state)];
  }
  // A file that cannot be written must not prevent the others from being written.
  return [...withoutThose(state, failure), otherAssistants(state)];
};

const forAllProjects = ({answers: {connect}}: WizardState): readonly Offer[] =>
  connect?.scope === 'project'
    ? [
        {
          label: 'Connect for all your projects',
          hint: 'Writes your own file, and nothing in this project.',
          event: answered({connect: {...changing(connect), scope: 'user'}}),
        },
      ]
    : [];

const forYourself = ({answers: {connect}}: WizardState): readonly Offer[] => {
  if (!connect?.isShared) return [];
  const {isShared: _, ...own} = changing(connect);
  return [
    {
      label: 'This project only',
      hint: 'Its entries name files on this machine.',
      event: answered({connect: own}),
    },
  ];
};

/** Returns the selection, now applied to the connected assistants too. */
const changing = ({keepsConnected: _, ...connect}: AssistantSelection): AssistantSelection => connect;

const overwriteReadOnly: Offer = {
  label: 'Overwrite it',
  hint: `You can undo this later: ${SETUP} undo.`,
  event: answered({overwriteReadOnly: true}),
};

/**
 * Offers to choose the assistants again. A run that only signs in or renews has no such question, so it continues as
 * `connect`, which has one.
 */
const otherAssistants = ({answers}: WizardState): Offer =>
  isResumed({answers}) && answers.resume !== 'connect'
    ? {label: OTHER_ASSISTANTS, event: answered({resume: 'connect'})}
    : back(OTHER_ASSISTANTS, 'assistants');

const OTHER_ASSISTANTS = 'Choose the assistants again';

/** Offers to leave out the assistants whose file cannot be written. The others stay. */
const withoutThose = (state: WizardState, {about}: Failure): readonly Offer[] => {
  const {facts, answers, settings} = state;
  const {targets} = targetsOf(state);
  if (!answers.connect) return [];
  const {disconnecting = [], ...connect} = answers.connect;
  const isLeaving = ({id}: Assistant) =>
    disconnecting.includes(id) &&
    entriesBefore(state).some(
      one => one.assistant === id && about?.path !== undefined && isSamePath(one.path, about.path),
    );
  const leaving = settings.assistants.filter(isLeaving);
  if (leaving.length > 0) {
    const staying = disconnecting.filter(id => !leaving.some(one => one.id === id));
    return [
      {
        label: `Go on without ${leaving.map(({name}) => name).join(' and ')}`,
        hint: 'Leaves its file and its entries unchanged.',
        event: answered({connect: {...connect, ...(staying.length > 0 ? {disconnecting: staying} : {})}}),
      },
    ];
  }
  const isMeant = ({assistant, scope}: Target) => {
    const path = facts.found?.find(({id}) => id === assistant.id)?.paths[scope];
    return path !== undefined && about?.path !== undefined && isSamePath(path, about.path);
  };
  const meant = targets.filter(isMeant).map(({assistant}) => assistant);
  const assistants = targets.map(({assistant}) => assistant.id).filter(id => !meant.some(one => one.id === id));
  if (meant.length === 0 || assistants.length === 0) return [];
  return [
    {
      label: `Go on without ${meant.map(({name}) => name).join(' and ')}`,
      hint: 'Leaves its file unchanged.',
      event: answered({
        connect: {
          ...answers.connect,
          assistants,
          leftOut: [...(answers.connect.leftOut ?? []), ...meant.map(({id}) => id)],
        },
      }),
    },
  ];
};

const entryExists = (state: WizardState): readonly Offer[] => [
  {label: 'Replace the entry', hint: `To get the old one back: ${SETUP} undo.`, event: answered({replace: true})},
  // A saved deployment keeps its name.
  ...(isResumed(state)
    ? []
    : [
        {
          label: 'Give this deployment another name',
          hint: 'Its entries take that name.',
          ask: 'Name',
          initial: `${contextNameIn(state)}-2`,
          isSuggested: true as const,
          validate: (text: string) => (isContextName(text.trim()) ? undefined : `A name takes ${CONTEXT_NAMES}.`),
          toEvent: (text: string) => answered({contextName: text.trim()}),
        },
      ]),
];

const tokenInGit = ({answers}: WizardState, {about}: Failure): readonly Offer[] => [
  ...(about?.isIgnorable
    ? [{label: 'Keep the file out of git', hint: 'Adds it to .gitignore.', event: answered({inGit: 'ignore'})}]
    : []),
  ...(answers.connect
    ? [
        {
          label: 'Connect without a token',
          hint: 'A local program signs the assistant in; the file holds no token.',
          event: answered({connect: {...answers.connect, method: 'bridge'}}),
        },
      ]
    : []),
  {label: 'Write the token anyway', hint: 'Then never commit the file.', event: answered({inGit: 'write'})},
];
