import {isWindowsHidden} from '../../../assistants/catalogue/windows-side.ts';
import {SETUP} from '../../../setup-command.ts';
import {actsAsAtFirst, signsAccountIn} from '../../derived/assistants-account.ts';
import {formerContext} from '../../derived/wizard-context.ts';
import {connectsNoAssistant, isLogin} from '../../derived/wizard-deployment.ts';
import {
  chosenIn,
  connectedAs,
  entriesBefore,
  oauthClientOf,
  selectionAtFirst,
  selectionOf,
  suggestedAssistants,
  targetsOf,
  tickedOf,
} from '../../derived/wizard-targets.ts';
import {answered} from '../../events.ts';
import type {Settings, WizardState} from '../../model.ts';
import type {AssistantSelection} from '../../selection.ts';
import {type AskStep, asks} from '../../step.ts';
import {type AssistantsView, nextOf, type Selecting} from '../../view/view.ts';
import {mayOnlyLook} from '../deployment/only-look.ts';
import {describeActor, nextActor} from './acts-as.ts';
import {assistantRows, keepingUp} from './assistant-rows.ts';
import {findToolCost, toolsView} from './tools.ts';

/** Whether no assistant is installed and nothing is connected, not even a project’s file for any client. */
const isNobodyHere = (state: WizardState) =>
  (state.facts.found ?? []).every(({installed}) => !installed) && entriesBefore(state).length === 0;

const NOBODY_HERE = 'No assistant was found. Tick yours, or keep .mcp.json, which several clients read.';

const WINDOWS_HIDDEN = `Setup can’t see assistants on Windows from here. To connect them, run ${SETUP} in Windows.`;

/**
 * Returns a note that names the installed assistants that load tools only when they need them, so that tools cost few
 * tokens there. Empty if there are none.
 */
const deferring = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const isHere = (id: string) => facts.found?.some(one => one.id === id && one.installed) ?? false;
  const names = settings.assistants.flatMap(({id, name, defersTools}) => (defersTools && isHere(id) ? [name] : []));
  if (names.length === 0) return [];
  return [`${names.join(', ')}: tools take up little context, because each tool is loaded only when needed.`];
};

/** Says that all assistants are limited to reading at the moment, if they are. */
const switchNote = (state: WizardState): readonly string[] => {
  const {saved} = state.settings;
  const isSaved = saved !== undefined && formerContext(state)?.name === saved.name;
  return isSaved && mayOnlyLook(state)
    ? ['All of them are limited to reading for now. To change that, press l on the first screen.']
    : [];
};

const noteOf = (state: WizardState): Pick<AssistantsView, 'note' | 'showsAll'> => {
  const {place} = state.settings;
  const unseen = [...(isNobodyHere(state) ? [NOBODY_HERE] : []), ...(isWindowsHidden(place) ? [WINDOWS_HIDDEN] : [])];
  const notes = [...unseen, ...switchNote(state), ...deferring(state)];
  return {
    ...(notes.length > 0 ? {note: notes.join(' ')} : {}),
    ...(unseen.length > 0 ? {showsAll: true as const} : {}),
  };
};

/** Says for whom entries are written. If the ticked assistants have files in projects only, that is this project. */
const scopeName =
  (state: WizardState) =>
  ({scope, isShared, keepsConnected, ticked}: Selecting): string => {
    const {settings} = state;
    if (keepsConnected && connectedAs(state)?.isScopeMixed) return AS_NOW;
    if (scope === 'user' && !isOfProject(settings, ticked)) return 'all your projects';
    return isShared ? 'this project, for everybody in it' : 'this project only';
  };

const AS_NOW = 'as it is now';

/** Whether all ticked assistants have files in projects only. */
const isOfProject = ({assistants: all, place}: Settings, ticked: Selecting['ticked']): boolean => {
  const chosen = all.filter(({id}) => ticked.has(id));
  return chosen.length > 0 && chosen.every(one => one.files('user', place).length === 0);
};

/**
 * Changes the scope to the next of: all projects, this project, this project for everybody in it. The first is left out
 * if no ticked assistant has it. The last is left out if this program keeps its files in an unusual place, as in the
 * demonstration, because an entry for everybody cannot name that place, and if the entry would hold a token.
 */
const nextScope =
  (state: WizardState) =>
  ({scope, isShared, keepsConnected, ...others}: Selecting): Selecting => {
    const {settings} = state;
    // A token in the file would give everybody this person's access.
    const hasShared = settings.own.home === undefined && others.method !== 'header';
    if (isOfProject(settings, others.ticked))
      return {...others, scope: 'project', ...(hasShared && !isShared ? {isShared: true as const} : {})};
    // A scope that the person chooses now applies to the connected assistants too.
    if (keepsConnected && connectedAs(state)?.isScopeMixed) return {...others, scope: 'user'};
    if (scope === 'user') return {...others, scope: 'project'};
    return isShared || !hasShared ? {...others, scope: 'user'} : {...others, scope, isShared: true};
  };

/**
 * Changes the method to the next one, also for the connected assistants. `bridge`, which only “Connect without a token”
 * chooses, is shown like `auto`, so the method after it is the one after `auto`.
 */
const nextMethod =
  (state: WizardState) =>
  ({keepsConnected, method, ...others}: Selecting): Selecting =>
    isAsNow(state, {keepsConnected})
      ? {...others, method: 'auto'}
      : {...others, method: nextOf(methodsFor(state, others), method === 'bridge' ? 'auto' : method)};

/** Whether the connected assistants keep the different methods that they have. */
const isAsNow = (state: WizardState, {keepsConnected}: {readonly keepsConnected?: true | undefined}): boolean =>
  keepsConnected === true && connectedAs(state)?.isMethodMixed === true;

/** Whether the account of the assistants is signed out, and the person chooses that they use it. */
const isSignedInNext = (state: WizardState, {actsAs}: Selecting): boolean =>
  signsAccountIn(state) && (actsAs ?? actsAsAtFirst(state)) !== 'you';

const SIGNED_IN_NEXT = 'signed out; you sign them in next';

/** Returns the facts about the token that the entries use. Nothing is known yet of an account of the assistants' own. */
const tokenFactsOf = (state: WizardState, {actsAs}: Selecting): Pick<WizardState, 'facts'> =>
  (actsAs ?? actsAsAtFirst(state)) === 'you' ? state : {facts: {}};

const hasOtherMethod = (state: WizardState, selecting: Selecting): boolean =>
  isAsNow(state, selecting) || methodsFor(state, selecting).length > 1;

/** Why no other method is offered: a colleague must not get this person's token. */
const ONLY_SHARED = '; the only method for a shared file, because it stores no token';

/** Says how the selected assistants stay signed in. */
const signInLine = (state: WizardState, selecting: Selecting, now: number): string => {
  if (isSignedInNext(state, selecting)) return SIGNED_IN_NEXT;
  if (isAsNow(state, selecting)) return AS_NOW;
  const keeping = keepingUp(tokenFactsOf(state, selecting), selecting.method, now);
  return selecting.isShared && !hasOtherMethod(state, selecting) ? `${keeping}${ONLY_SHARED}` : keeping;
};

/** Returns the methods to choose from. `oauth` is one of them only if there is a client for it. */
const methodsFor = (state: WizardState, {isShared}: Pick<Selecting, 'isShared'>): readonly Selecting['method'][] => [
  'auto',
  ...(isShared ? [] : (['header'] as const)),
  ...(oauthClientOf(state) === undefined ? [] : (['oauth'] as const)),
];

/**
 * Returns the last choice, as far as it can still be made: another platform may have no client for `oauth`, or no presets
 * of tools.
 */
const chosenBefore = (state: WizardState): Omit<AssistantSelection, 'assistants'> | undefined => {
  const last = chosenIn(state);
  if (!last || last !== state.chosen) return last;
  const {method, tools, ...others} = last;
  const isLost = method === 'oauth' && oauthClientOf(state) === undefined;
  return {
    ...others,
    method: isLost ? 'auto' : method,
    ...(tools && toolsView(state).tools.choices.includes(tools) ? {tools} : {}),
  };
};

/** Asks which assistants are connected, for whom, and how they stay signed in. Installed ones are ticked. */
export const assistants = {
  id: 'assistants',
  stage: 'assistants',
  kind: 'ask',
  title: 'Which assistants should use the platform?',
  flag: '--assistants',
  when: state => !isLogin(state) && !connectsNoAssistant(state),
  done: ({answers}) => answers.connect !== undefined,
  forgets: asks('connect', 'contextName', 'replace', 'overwriteReadOnly', 'inGit'),
  ask: (state, now) => {
    const {scope, isShared, method, keepsConnected, tools, actsAs} = chosenBefore(state) ?? selectionAtFirst(state);
    return {
      type: 'assistants',
      initial: {
        ...{ticked: tickedOf(state), scope, method},
        ...(isShared ? {isShared} : {}),
        ...(keepsConnected ? {keepsConnected} : {}),
        ...(tools ? {tools} : {}),
        ...(actsAs ? {actsAs} : {}),
      },
      ...noteOf(state),
      rows: selecting => assistantRows(state, selecting, now),
      scope: scopeName(state),
      nextScope: nextScope(state),
      signIn: selecting => signInLine(state, selecting, now),
      nextMethod: nextMethod(state),
      hasOtherMethod: selecting => hasOtherMethod(state, selecting),
      actsAs: selecting => describeActor(state, selecting),
      nextActor: selecting => nextActor(state, selecting),
      ...toolsView(state),
      toEvent: selecting => answered({connect: selectionOf(state, selecting)}),
      toChange: selecting => ({type: 'selection-changed', connect: selectionOf(state, selecting)}),
    };
  },
  beside: findToolCost,
  defaultAnswer: state => ({
    connect: {assistants: suggestedAssistants(state), ...selectionAtFirst(state)},
  }),
  receipts: state => {
    const {answers, facts} = state;
    const names = answers.connect && facts.found ? targetsOf(state).targets.map(({assistant}) => assistant.name) : [];
    return names.length > 0 ? [{label: 'Assistants', text: names.join(', ')}] : [];
  },
} satisfies AskStep;
