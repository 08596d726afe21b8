import {redirectsTo} from '../../assistants/assistant.ts';
import {documented, generic} from '../../assistants/catalogue/generic.ts';
import {scopeFor} from '../../assistants/scope-for.ts';
import {type ContextEntry, type Method, startsProgram, toolLimitOf} from '../../domain/context.ts';
import {addressIn, entriesOf} from '../../domain/mcp-servers.ts';
import {isSamePath} from '../../domain/paths.ts';
import {type WantedToken, wantedOf} from '../../domain/token-request.ts';
import type {ToolChoice, ToolSets} from '../../domain/tool-sets.ts';
import type {Target} from '../../flows/assistants/assistant-entry.ts';
import type {Disconnection} from '../../flows/assistants/plan-disconnections.ts';
import type {AssistantRedirect} from '../../flows/sign-in/assistant-clients.ts';
import {assistantClientOf, toolSetsOf} from '../../platform/recognise.ts';
import type {Settings, WizardState} from '../model.ts';
import {type AssistantSelection, agreedIn} from '../selection.ts';
import {changesAccount, createsAccount, givesUpAccount, isSameAccount} from './assistants-account.ts';
import {contextNameIn, entryTokensOf, formerContext, ownCommandIn, personWantedOf} from './wizard-context.ts';
import {companyDefaultsIn, connectIn, deploymentOf, isLogin, platformOf, versionIn} from './wizard-deployment.ts';

/** Returns the sets of tools to choose from, if entries for the control plane are written and its release has sets. */
export const toolSetsIn = (state: WizardState): ToolSets | undefined => {
  const {servers} = state.settings;
  if (servers && !servers.includes('control-plane')) return undefined;
  return toolSetsOf(platformOf(state), versionIn(state));
};

/**
 * Returns the tools of an assistant for which none were chosen: those of the first connected assistant that has a
 * choice, else all.
 */
export const usualTools = (state: WizardState): ToolChoice =>
  connectedEntries(state)
    .map(toolLimitOf)
    .find(limit => limit !== undefined) ?? 'all';

/** Returns the entries of this run's deployment when the run began; none if the run is about a sign-in only. */
const connectedEntries = (state: WizardState): readonly ContextEntry[] => (isLogin(state) ? [] : entriesBefore(state));

/** Returns the entries that this run's deployment had when the run began. */
export const entriesBefore = (state: WizardState): readonly ContextEntry[] => formerContext(state)?.entries ?? [];

/**
 * Whether the run plans the entries of assistants: always, unless it is about a sign-in only and no assistant is
 * connected.
 */
export const hasTargets = (state: WizardState): boolean => !isLogin(state) || chosenTargets(state).length > 0;

/** Returns the assistants to connect: those that the person chose, or the connected ones when a sign-in is renewed. */
const chosenTargets = (state: WizardState): readonly Target[] => {
  const {settings, answers, facts} = state;
  if (isLogin(state)) {
    const {unreadable = []} = facts;
    const isReadable = ({renews}: Target) => !unreadable.some(({path}) => renews && isSamePath(path, renews.path));
    return connectedTargets(state).filter(isReadable);
  }
  const {connect} = answers;
  const {found} = facts;
  if (!connect || !found) return [];
  const isDetected = connect.assistants === 'detected';
  const byOrganisation = found.filter(({providedBy}) => providedBy !== undefined).map(({id}) => id);
  const ids = (isDetected ? detectedOf(state) : connect.assistants).filter(id => !byOrganisation.includes(id));
  const before = connect.keepsConnected
    ? connectedTargets(state).filter(({assistant}) => ids.includes(assistant.id))
    : [];
  const tools = connect.tools ?? usualTools(state);
  const isKnownThere = tools === 'look' || toolSetsIn(state) !== undefined;
  const narrowing = tools === 'all' || !isKnownThere ? {} : {tools};
  const added = ids.flatMap((id): readonly Target[] => {
    const assistant = settings.assistants.find(one => one.id === id);
    const {methods = ['bridge'] as const, paths, blockedBy} = found.find(one => one.id === id) ?? {};
    if (!assistant || before.some(target => target.assistant.id === id)) return [];
    const possible = scopeFor(assistant, connect.scope, settings.place);
    const spared = paths && paths[possible] === undefined ? assistant.losesByNew?.(possible) : undefined;
    const scope = spared === undefined ? possible : 'project';
    const {clientId, refused = {}} = connect.method === 'oauth' ? (facts.oauthClient ?? {}) : {};
    // Only the bridge can hold back tools, so it comes before a helper, which is the better way otherwise.
    const wanted = connect.method === 'auto' && tools === 'look' ? 'bridge' : connect.method;
    const method = methodFor(wanted, id in refused ? withoutOAuth(methods) : methods);
    const isOther = connect.method !== 'auto' && connect.method !== method;
    return [
      {
        ...{assistant, scope, method},
        ...(connect.isShared && scope === 'project' && startsProgram(method) ? {isShared: true as const} : {}),
        ...(method === 'oauth' && clientId !== undefined ? {oauthClient: clientId} : {}),
        ...narrowing,
        ...(refused[id] === undefined ? {} : {refused: refused[id]}),
        ...(isOther ? {wanted: connect.method} : {}),
        ...(spared === undefined ? {} : {spared}),
        ...(blockedBy === undefined ? {} : {blockedBy}),
      },
    ];
  });
  // The set of tools is independent of the way of connecting: a choice of tools applies to every assistant.
  const renewed =
    connect.tools === undefined ? before : before.map(({tools: _, ...target}) => ({...target, ...narrowing}));
  return [...renewed, ...added];
};

const connectedTargets = (state: WizardState): readonly Target[] =>
  entriesBefore(state).flatMap(entry => {
    const assistant = state.settings.assistants.find(({id}) => id === entry.assistant);
    const {scope, method, oauthClient} = entry;
    const tools = toolLimitOf(entry);
    const options = {...(oauthClient ? {oauthClient} : {}), ...(tools ? {tools} : {})};
    return assistant ? [{assistant, scope, method, ...options, renews: entry}] : [];
  });

/** Returns the assistants whose entries were not renewed because their file cannot be edited, each with the problem. */
export const unreadableIn = (state: WizardState) =>
  state.settings.assistants.flatMap(assistant => {
    const {unreadable = []} = state.facts;
    const own = entriesBefore(state).filter(one => one.assistant === assistant.id);
    const found = unreadable.find(({path}) => own.some(one => isSamePath(one.path, path)));
    return found ? [{assistant, problem: found.problem}] : [];
  });

/**
 * Returns the assistants that are ticked unless the person says otherwise: those that are installed or connected
 * already, else the file for any client, unless an organisation has connected an assistant.
 */
const detectedOf = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const connected = connectedOf(state);
  const installed = (facts.found ?? [])
    .filter(one => one.installed && !one.blockedBy && !one.providedBy)
    .map(({id}) => id);
  const anyClient = anyClientOf(settings);
  // The demonstration shows the file for any client too, and a person who names its shape wants it.
  const isWanted = settings.demo !== undefined || settings.isDocumentedShape;
  const ids = [...new Set([...installed, ...connected, ...(isWanted ? [anyClient] : [])])];
  const isGiven = (facts.found ?? []).some(one => one.installed && one.providedBy);
  return ids.length > 0 || isGiven ? ids : [anyClient];
};

/**
 * Returns the ID of the assistant that stands for any client: the one with the file `.mcp.json`, or the one with
 * `mcp.json` in the shape that the platform documents.
 */
export const anyClientOf = ({isDocumentedShape}: Pick<Settings, 'isDocumentedShape'>): string =>
  isDocumentedShape ? documented.id : generic.id;

/** Returns the assistants that were connected when this run began; none if the run is about a sign-in only. */
export const connectedOf = (state: WizardState): readonly string[] =>
  isLogin(state) ? [] : connectedTargets(state).map(({assistant}) => assistant.id);

/** How the assistants of this context are connected. If they differ: what a new assistant would get. */
export type Connected = Pick<AssistantSelection, 'scope' | 'method'> & {
  /** True if the entries are in different places, or in another project. */
  readonly isScopeMixed: boolean;
  /** True if the entries stay signed in in different ways. */
  readonly isMethodMixed: boolean;
};

/**
 * Returns how the connected assistants are connected, if this run may leave them as they are; undefined if none is
 * connected.
 */
export const connectedAs = (state: WizardState): Connected | undefined => {
  const {settings} = state;
  const entries = connectedEntries(state);
  const [first] = entries;
  if (!first) return undefined;
  const placeOf = ({scope, project}: ContextEntry) =>
    scope === 'user' ? scope : isSamePath(project, settings.place.project) ? 'project' : 'elsewhere';
  const wayOf = ({method}: ContextEntry) => (method === 'header' || method === 'oauth' ? method : 'auto');
  const isScopeMixed = placeOf(first) === 'elsewhere' || entries.some(one => placeOf(one) !== placeOf(first));
  const isMethodMixed = entries.some(one => wayOf(one) !== wayOf(first));
  return {
    scope: isScopeMixed ? 'user' : first.scope,
    method: isMethodMixed ? 'auto' : wayOf(first),
    ...{isScopeMixed, isMethodMixed},
  };
};

/** Returns the initial choice: what flags or the company file say, else how the connected assistants are connected. */
export const selectionAtFirst = (state: WizardState): Omit<AssistantSelection, 'assistants'> => {
  const preset = connectIn(state);
  const connected = preset.scope === undefined && preset.method === undefined ? connectedAs(state) : undefined;
  if (!connected) return {scope: 'user', method: 'auto', ...preset};
  const {isScopeMixed: _, isMethodMixed: __, ...as} = connected;
  return {...as, keepsConnected: true, ...preset};
};

/** Returns what the person has selected. An assistant that was connected and is no longer ticked is disconnected. */
export const selectionOf = (
  state: WizardState,
  {
    ticked,
    scope,
    isShared,
    method,
    keepsConnected,
    tools,
    actsAs,
  }: Omit<AssistantSelection, 'assistants'> & {readonly ticked: ReadonlySet<string>},
): AssistantSelection => {
  const assistants = (state.facts.found ?? []).flatMap(({id}) => (ticked.has(id) ? [id] : []));
  const disconnecting = [...new Set(connectedOf(state))].filter(id => !ticked.has(id));
  const options = {
    ...(isShared ? {isShared} : {}),
    ...(keepsConnected ? {keepsConnected} : {}),
    ...(tools === undefined ? {} : {tools}),
    ...(actsAs === undefined ? {} : {actsAs}),
  };
  return {assistants, scope, method, ...options, ...(disconnecting.length > 0 ? {disconnecting} : {})};
};

/** Returns the entries to disconnect: the person's own and this project's, but not those of other projects. */
const disconnectionsOf = (state: WizardState): readonly Disconnection[] => {
  const {settings, answers} = state;
  const {assistants, place} = settings;
  return entriesBefore(state).flatMap(entry => {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    const isHere = entry.scope === 'user' || isSamePath(entry.project, place.project);
    return assistant && isHere && answers.connect?.disconnecting?.includes(entry.assistant) ? [{assistant, entry}] : [];
  });
};

/**
 * Returns what the person has last ticked and set for assistants, in this run or in the one that it continues, else the
 * choice with which the run began.
 */
export const chosenIn = ({chosen, answers, settings, initialAnswers}: WizardState): AssistantSelection | undefined =>
  chosen ?? (answers.begun === 'go-on' ? settings.unfinished?.chosen : undefined) ?? initialAnswers.connect;

/**
 * Returns the assistants that are ticked when the question is put: the last choice, else those that are connected, so
 * that Enter adds none that the person has left out. If none is connected, the suggestion.
 */
export const tickedOf = (state: WizardState): ReadonlySet<string> => {
  const chosen = chosenIn(state);
  const connected = connectedOf(state);
  if (!chosen && connected.length > 0) return new Set(connected);
  const assistants = chosen?.assistants ?? suggestedAssistants(state);
  if (assistants === 'detected') return new Set(detectedOf(state));
  // A command that names assistants adds them to those that are connected.
  return new Set([...assistants, ...(chosen === state.initialAnswers.connect ? connected : [])]);
};

/**
 * Returns the suggested assistants: the detected ones that the company file names, or all detected ones if it names
 * none of them.
 */
export const suggestedAssistants = (state: WizardState): readonly string[] | 'detected' => {
  const {assistants} = companyDefaultsIn(state);
  if (!assistants) return 'detected';
  const named = detectedOf(state).filter(id => assistants.includes(id));
  return named.length > 0 ? named : 'detected';
};

const withoutOAuth = (methods: readonly Method[]) => methods.filter(method => method !== 'oauth');

/** Returns the wanted method if the assistant has it, else the best one that it has. */
export const methodFor = (wanted: Method | 'auto', methods: readonly Method[]): Method =>
  wanted !== 'auto' && methods.includes(wanted) ? wanted : (methods[0] ?? 'bridge');

/** Returns the assistants to connect, the entries to write for them, and the command that the entries start. */
export const targetsOf = (state: WizardState) => {
  const {settings} = state;
  const {servers, place} = settings;
  const context = contextNameIn(state);
  const every = entriesOf(context, deploymentOf(state), platformOf(state), toolSetsIn(state));
  return {
    targets: chosenTargets(state),
    place,
    entries: servers ? every.filter(({server}) => servers.includes(server)) : every,
    every,
    own: ownCommandIn(state),
    context,
  };
};

/** Returns which of this program's own files change when a saved context is connected. */
const changingFiles = (state: WizardState): 'account' | 'secret' | 'config' | 'contexts' => {
  if (createsAccount(state)) return isSameAccount(state) ? 'secret' : 'account';
  if (givesUpAccount(state)) return 'account';
  return changesAccount(state) ? 'config' : 'contexts';
};

/** Returns the input of the plan: the targets, the earlier entries, and the person's answers about obstacles. */
export const planInputOf = (state: WizardState) => {
  const {answers} = state;
  const targets = targetsOf(state);
  const isRenewal = isLogin(state);
  const agreed = agreedIn(state);
  return {
    ...targets,
    tokens: entryTokensOf(state),
    disconnecting: disconnectionsOf(state),
    ownFiles: isRenewal ? ('none' as const) : answers.resume === 'connect' ? changingFiles(state) : ('all' as const),
    // A renewal writes what the person agreed to when the entries were first written.
    ...agreed,
    ...(isRenewal ? {overwriteReadOnly: 'with-ours' as const, inGit: 'write' as const} : {}),
  };
};

/** Whether an entry to write holds a token itself. */
export const holdsToken = (state: WizardState): boolean =>
  targetsOf(state).targets.some(({method}) => method === 'header');

/** Returns the client ID for assistants that sign in by themselves: the person's, otherwise the installation's own. */
export const oauthClientOf = (state: WizardState): string | undefined =>
  state.settings.oauthClient ?? assistantClientOf(platformOf(state), deploymentOf(state).version);

/** Whether assistants are meant to sign in by themselves. */
export const wantsOAuth = (state: WizardState): boolean => !isLogin(state) && state.answers.connect?.method === 'oauth';

/** Returns the assistants that sign in by themselves, each with its redirect URIs. */
export const oauthRedirectsOf = (state: WizardState): readonly AssistantRedirect[] => {
  const {targets, entries} = targetsOf(state);
  return targets.flatMap(({assistant, method, tools}) => {
    const {id, name, signsInOverTls} = assistant;
    const redirectUris = [...new Set(entries.flatMap(entry => redirectsTo(assistant, addressIn(entry, tools))))];
    return method === 'oauth' ? [{id, name, redirectUris, ...(signsInOverTls ? {signsInOverTls} : {})}] : [];
  });
};

/**
 * Returns the token request of assistants that sign in by themselves: that of the saved context, unless this run has
 * found out a client; then that of a person who signs in now.
 */
export const oauthWantedOf = (state: WizardState): WantedToken => {
  const {settings, facts} = state;
  return settings.saved && !facts.cliClient ? wantedOf(settings.saved) : personWantedOf(state);
};
