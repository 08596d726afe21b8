import type {Assistant} from '../../../assistants/assistant.ts';
import type {ContextEntry} from '../../../domain/context.ts';
import {isSamePath} from '../../../domain/paths.ts';
import {commandLineOf, sayAdvice} from '../../../errors/remedy.ts';
import {askForRole, grantFlags} from '../../../errors/shared-advice.ts';
import type {Target} from '../../../flows/assistants/assistant-entry.ts';
import type {Plan} from '../../../flows/assistants/plan-files.ts';
import type {VerifiedServer} from '../../../flows/assistants/verify-entries.ts';
import {hasRoleApi, releaseOf} from '../../../platform/recognise.ts';
import {duration} from '../../../text.ts';
import {
  accountAfterwards,
  changesAccount,
  givesUpAccount,
  isSameAccount,
  personWithoutRoleIn,
  withoutRoleIn,
} from '../../derived/assistants-account.ts';
import {contextCommand} from '../../derived/context-command.ts';
import {ownCliName} from '../../derived/own-cli.ts';
import {platformOf, versionIn} from '../../derived/wizard-deployment.ts';
import {entriesBefore, holdsToken, targetsOf} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import {ending, shortServerName, showPath} from '../../view/names.ts';
import type {AssistantOutcome, DoneView} from '../../view/view.ts';

/** Returns one outcome for each file that an assistant reads: the tools of each server, and the file. */
export const outcomesOf = ({facts, settings}: WizardState): readonly AssistantOutcome[] => {
  const groups = Map.groupBy(facts.verified ?? [], ({assistant, path}) => `${assistant} ${path}`);
  return [...groups.values()].flatMap(servers => {
    const [first] = servers;
    if (!first) return [];
    const path = showPath(first.path, settings);
    return [{assistant: first.assistant, path, text: servers.map(describe).join(', ')}];
  });
};

/** Returns the assistants that an organisation's own file connects, for which nothing was written. */
export const organisationOutcomes = ({facts, settings}: WizardState): readonly AssistantOutcome[] =>
  (facts.found ?? []).flatMap(({id, installed, providedBy}) => {
    const assistant = settings.assistants.find(one => one.id === id);
    if (!assistant || !installed || providedBy === undefined) return [];
    return [{assistant: assistant.name, path: showPath(providedBy, settings), text: 'connected by your organisation'}];
  });

/** Returns everything that the last screen says about assistants. */
export const shownOutcomes = (state: WizardState): readonly AssistantOutcome[] => [
  ...outcomesOf(state),
  ...organisationOutcomes(state),
];

/** Whether an entry of the control plane works, and lists no tools: the account of the assistants has no role there. */
export const seesNoTools = ({facts: {verified = []}}: WizardState): boolean =>
  verified.some(({server, tools}) => server === 'control-plane' && tools === 0);

const describe = ({server, tools}: VerifiedServer) => `${shortServerName[server]} ${tools} tools`;

/** Returns what the assistants still require of the person, each sentence once. */
export const notesOf = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const {providerFault} = facts.check ?? {};
  const withoutRole = withoutRoleIn(state);
  const personWithoutRole = personWithoutRoleIn(state);
  // The last screen offers no other attempt: the command that finds the cause is below.
  const faults = [
    ...otherAccount(state),
    ...rightsOfAssistants(state),
    ...(withoutRole ? [withoutRole.message, withoutRole.remedy] : noToolsNote(state)),
    ...(personWithoutRole ? [`${personWithoutRole.message} Your assistants use an account of their own.`] : []),
    ...(providerFault ? [providerFault.message] : []),
  ];
  if (settings.demo || !facts.written) return faults;
  const name = facts.plannedCli ? ownCliName(state) : undefined;
  return [
    ...faults,
    ...addedAgain(state),
    ...disconnected(state).map(
      ({name, isShared}) =>
        `${name} is disconnected${isShared ? '. The entries stay, because another assistant reads the same file' : ': its entries were removed'}.`,
    ),
    ...new Set(
      targetsOf(state)
        .targets.filter(target => isChanged(state, target))

        .flatMap(({assistant, scope, method}) =>
          assistant.afterwards(scope, method).map(one => (scope === 'project' ? inProject(one, settings) : one)),
        ),
    ),
    ...readersBeside(state),
    ...(name === undefined
      ? []
      : [
          `${name} is signed in too${facts.plannedCli?.isTokenAlone ? ', until its token expires' : ''}. Try it: ${name} component list.`,
        ]),
  ];
};

/** Names the project of a task if it is not the working directory. */
const inProject = (task: string, {place, demo}: WizardState['settings']): string =>
  place.isElsewhere && !demo ? `In ${showPath(place.project, {place})}: ${task}` : task;

/** Says why the control plane offers the assistants no tools, and what to do. */
const noToolsNote = (state: WizardState): readonly string[] => {
  if (!seesNoTools(state)) return [];
  const account = accountAfterwards(state);
  const who = account ? `Their account, ${account.clientId},` : 'Your account';
  const hasApi = hasRoleApi(platformOf(state), versionIn(state));
  const advice = askForRole(account && contextCommand(state, `mcp connect ${grantFlags(account, hasApi)}`));
  return [`${who} seems to have no role there. ${sayAdvice(advice, {command: commandLineOf})}`];
};

/** Says that a different account is signed in than before. Every entry uses it from now on. */
const otherAccount = (state: WizardState): readonly string[] => {
  const {facts, settings, answers} = state;
  const {resume} = answers;
  const isSame = settings.login === true || (resume !== undefined && resume !== 'anew');
  const former = isSame ? settings.saved?.account : undefined;
  const account = facts.token?.account;
  return former === undefined || account === undefined || account === former
    ? []
    : [
        `${actsForAssistants(state) ? 'Your assistants are' : 'You are'} now signed in as ${account} (previously ${former}).`,
      ];
};

/**
 * Says after a sign-in of the assistants' own account what it may do, as the control plane answers to its own token.
 * Without roles, nothing on the platform limits it.
 */
const rightsOfAssistants = (state: WizardState): readonly string[] => {
  const {check, deployment, accountAccess} = state.facts;
  const isChanged = changesAccount(state);
  // Rights that the account had before are not claimed if it is offered no tools now.
  if ((!actsForAssistants(state) && !isChanged) || !check || withoutRoleIn(state) || seesNoTools(state)) return [];
  const access = isChanged ? accountAccess?.access : check.access;
  if (access !== undefined) return [`According to the control plane, your assistants have ${access}.`];
  const version = check.serverVersion ?? deployment?.version;
  return version === undefined || releaseOf(platformOf(state), version).roles
    ? []
    : ['This release of the platform has no roles, so nothing on the platform limits what your assistants can do.'];
};

/** Names the assistants whose entries were missing when the run began, and are there now. */
const addedAgain = ({facts: {withoutEntries = [], verified = []}}: WizardState): readonly string[] => {
  const names = withoutEntries.filter(name => verified.some(({assistant}) => assistant === name));
  return names.length > 0 ? [`Entries added again: ${names.join(', ')}.`] : [];
};

/**
 * Returns the assistants that this run disconnected. `isShared`: their entries stay, because another assistant reads the
 * same file.
 */
const disconnected = (state: WizardState): readonly {readonly name: string; readonly isShared: boolean}[] => {
  const {facts, settings} = state;
  const {entries = [], removed = []} = facts.plan ?? {};
  const connected = targetsOf(state).targets.map(({assistant}) => assistant.id);
  const leaving = removed.filter(({assistant}) => !connected.includes(assistant));
  const isLeaving = (entry: ContextEntry) =>
    leaving.some(one => one.assistant === entry.assistant && isSamePath(one.path, entry.path));
  const staying = [...entries, ...entriesBefore(state).filter(entry => !isLeaving(entry))];
  return [...Map.groupBy(leaving, ({assistant}) => assistant)].map(([id, own]) => ({
    name: settings.assistants.find(one => one.id === id)?.name ?? id,
    isShared: own.every(({path}) => staying.some(one => isSamePath(one.path, path))),
  }));
};

/** Names the installed assistants that have no entries of their own but read those of another assistant. */
const readersBeside = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const {targets} = targetsOf(state);
  const changed = targets.filter(target => isChanged(state, target));
  return settings.assistants.flatMap(({id, name, readsToo}) => {
    const isHere = facts.found?.some(one => one.id === id && one.installed) ?? false;
    if (!readsToo || !isHere || targets.some(({assistant}) => assistant.id === id)) return [];
    const read = changed.filter(({assistant, scope}) => readsToo(scope).includes(assistant.id));
    const names = read.map(({assistant}) => assistant.name);
    return names.length > 0
      ? [`${name} also reads the entries of ${names.join(' and ')}, so it needs none of its own.`]
      : [];
  });
};

/** Whether the file of an assistant has changed. If not, the assistant need not be started again. */
const isChanged = ({facts: {plan, verified = [], undoable = []}}: WizardState, {assistant}: Target): boolean => {
  const own = verified.filter(one => one.assistant === assistant.name).map(({path}) => path);
  const files = plan?.files.filter(({path}) => own.includes(path)) ?? [];
  return files.length === 0 || files.some(({path, change}) => change !== 'unchanged' || undoable.includes(path));
};

/**
 * Returns the files that a plan changes and that `undo` can restore. A change in this program's own record of a known
 * deployment is not one of them: it is undone together with the run before.
 */
export const undoableIn = (plan: Plan | undefined): readonly string[] =>
  (plan?.files ?? []).flatMap(({path, change, isOwn}) =>
    change === 'unchanged' || (isOwn && change === 'changed') ? [] : [path],
  );

/** Whether anything was written that `undo` can restore. */
export const isUndoable = (state: WizardState): boolean =>
  (state.facts.written !== undefined && ((changesAccount(state) && !isSameAccount(state)) || givesUpAccount(state))) ||
  undoableIn(state.facts.plan).length > 0 ||
  (state.facts.undoable ?? []).length > 0;

/** Whether an entry holds a token, so that it works only until the token expires. */
export const hasTokenInFile = (state: WizardState): boolean => state.facts.written !== undefined && holdsToken(state);

/**
 * Names the entries that hold the token of this run: “these entries” if all do, otherwise those of the assistants
 * concerned. Undefined if there are none: an entry that was left as it was is not tested.
 */
const entriesWithToken = (state: WizardState): string | undefined => {
  const {verified} = state.facts;
  const {targets} = targetsOf(state);
  const isTested = ({name}: Assistant) => verified === undefined || verified.some(({assistant}) => assistant === name);
  const own = targets.filter(({assistant, method}) => method === 'header' && isTested(assistant));
  if (own.length === targets.length) return 'these entries';
  const names = [...new Set(own.map(({assistant}) => assistant.name))];
  return names.length > 0 ? `the entries of ${names.join(' and ')}` : undefined;
};

/** Says what expires, and what to do then: the tokens in entries, and a sign-in that is not renewed for ever. */
export const endsIn = (state: WizardState, now: number): DoneView['next'] => {
  const {expiresAt} = state.facts.token ?? {};
  const ends = signInEnd(state);
  const holders = hasTokenInFile(state) ? entriesWithToken(state) : undefined;
  const left = (at: number) => duration(Math.max(at - now, 1_000));
  // Without a working renewal access ends with the token, however long the sign-in would last.
  if (expiresAt !== undefined && state.facts.check?.providerFault)
    return [
      {
        before: `Access ends in ${left(expiresAt)} unless the sign-in can be renewed. Find out why with `,
        strong: contextCommand(state, 'doctor'),
      },
    ];
  return [
    ...(expiresAt !== undefined && holders !== undefined
      ? [
          {
            before: `The token in ${holders} expires in ${left(expiresAt)}. After that, renew it with `,
            strong: contextCommand(state, 'mcp connect'),
          },
        ]
      : []),
    ...(ends === undefined
      ? []
      : [{before: `${whoseSignIn(state)} ${ending(ends - now)}. To sign in again, run `, strong: again(state)}]),
  ];
};

/** Whether this run signs in the assistants’ own account instead of the person. */
export const actsForAssistants = ({settings}: WizardState): boolean => settings.saved?.actsAs === 'assistants';

/** Names the sign-in of this run at the beginning of a sentence. */
export const whoseSignIn = (state: WizardState): string =>
  actsForAssistants(state) ? 'Your assistants’ sign-in' : 'Your sign-in';

const again = (state: WizardState): string =>
  actsForAssistants(state) ? contextCommand(state, 'login --as assistants') : contextCommand(state);

/** Returns when the person has to sign in again, in milliseconds since the epoch; undefined if that is unknown. */
export const signInEnd = ({facts}: WizardState): number | undefined => {
  const {expiresAt, renewable, signInEndsAt} = facts.token ?? {};
  return signInEndsAt ?? (renewable === false ? expiresAt : undefined);
};
