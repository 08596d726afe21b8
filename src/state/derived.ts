import type {Method} from '../assistants/assistant.ts';
import {generic} from '../assistants/catalogue/generic.ts';
import type {Target} from '../flows/assistants/assistant-entry.ts';
import {scopeFor} from '../flows/assistants/assistant-file.ts';
import type {Leaving} from '../flows/assistants/leaving-entries.ts';
import {contextNameOf, entriesOf} from '../flows/assistants/mcp-entries.ts';
import {networkToKeep, urlsOf} from '../flows/deployment/network.ts';
import type {SignInToKeep} from '../flows/sign-in/kept/save-sign-in.ts';
import {externalClientValues} from '../platform/values.ts';
import type {NetworkSettings} from '../ports/network/network-settings.ts';
import type {Context, SignInMethod} from '../ports/storage.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import type {Choice, Settings, WizardState} from './model.ts';
import {ownTokensIn, resourcesIn} from './own-tokens.ts';

export const savedOf = ({saved}: Settings): Context => {
  if (!saved) throw new Error('Only a saved context is resumed.');
  return saved;
};

/** The control plane values that register the client with which a person signs in (platform access 2.4). */
export const clientValuesOf = (state: WizardState): string => {
  const {answers, facts} = state;
  const platform = platformOf(state);
  const {clientId, scopes} = facts.cliClient ?? platform.cliClient;
  return externalClientValues(platform, {clientId: answers.clientId ?? clientId, scopes});
};

export const tokenOf = ({facts}: WizardState) => {
  if (!facts.token) throw new Error('No step after the sign-in runs without a token.');
  return facts.token;
};

/** The client that a person who names none gets. */
export const DEFAULT_CLIENT_ID = 'mcp_client';

/** The client that the person named, or gets. */
export const wantedClientId = ({answers}: Pick<WizardState, 'answers'>): string =>
  answers.clientId ?? DEFAULT_CLIENT_ID;

export const clientIdOf = (state: WizardState): string => {
  const {cliClient, client} = state.facts;
  return cliClient?.clientId ?? client?.clientId ?? wantedClientId(state);
};

/** A client that was just created signs in as one that was there before. */
export const methodOf = ({answers}: WizardState): SignInMethod =>
  answers.signIn === 'create-mcp-client' || answers.signIn === undefined ? 'mcp-client' : answers.signIn;

/** What this run's context is called, and its entries after it. */
export const contextNameIn = (state: WizardState) => {
  const {saved, taken = []} = state.settings;
  const contextName = state.answers.contextName ?? state.settings.contextName;
  if (isResumed(state) && saved) return saved.name;
  const {baseDomain} = deploymentOf(state);
  const short = contextNameOf(baseDomain);
  // Two deployments whose names begin alike are told apart by their whole names.
  const isTaken = taken.some(one => one.name === short && one.baseDomain !== baseDomain);
  return contextName ?? (isTaken ? baseDomain : short);
};

/** Whether this run goes on with the saved context. */
export const isResumed = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'sign-in' || isSignedIn({answers});

/** Whether this run goes on with a sign-in that is there, for which nothing is asked. */
export const isSignedIn = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'renew' || answers.resume === 'connect';

/** Whether a client signs in by a secret of its own that a person has. */
export const isByClient = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.signIn === 'mcp-client' || answers.signIn === 'service-account';

/** Whether an MCP client is created: none is kept from an earlier run, or that one is to have a new secret. */
export const isCreating = ({answers, facts}: Pick<WizardState, 'answers' | 'facts'>): boolean =>
  answers.signIn === 'create-mcp-client' && (!facts.keptClient?.isKept || answers.existingClient === 'reset-secret');

/** Whether this run is about a sign-in only: it is kept at once, and what changes is known, so it is not reviewed. */
export const isLogin = ({settings, answers}: WizardState): boolean =>
  settings.login === true || (isResumed({answers}) && answers.resume !== 'connect');

/** Whether no assistant is to be connected at all. */
export const isNobody = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  Array.isArray(answers.connect?.assistants) && answers.connect.assistants.length === 0;

/** Whether there is a file of an assistant to write. */
export const hasTargets = (state: WizardState): boolean => !isLogin(state) || chosenTargets(state).length > 0;

/** Who is connected: as the person chose, or who was before when a sign-in is renewed. */
const chosenTargets = (state: WizardState): readonly Target[] => {
  const {settings, answers, facts} = state;
  if (isLogin(state)) return connectedTargets(settings);
  const {connect} = answers;
  const {found} = facts;
  if (!connect || !found) return [];
  const isDetected = connect.assistants === 'detected';
  const ids = isDetected ? detectedOf(state) : connect.assistants;
  // Who is connected already stays as it was agreed to then, unless the person wants it otherwise.
  const isAsBefore = answers.resume === 'connect' && connect.scope === 'user' && connect.method === 'auto';
  const before = isAsBefore ? connectedTargets(settings).filter(({assistant}) => ids.includes(assistant.id)) : [];
  const added = ids.flatMap((id): readonly Target[] => {
    const assistant = settings.assistants.find(one => one.id === id);
    const methods = found.find(one => one.id === id)?.methods ?? ['bridge'];
    if (!assistant || before.some(target => target.assistant.id === id)) return [];
    const scope = scopeFor(assistant, connect.scope, settings.place);
    const method = methodFor(id, connect.method, methods);
    const isOther = connect.method !== 'auto' && connect.method !== method;
    return [{assistant, scope, method, ...(isOther ? {wanted: connect.method} : {})}];
  });
  return [...before, ...added];
};

const connectedTargets = ({assistants, saved}: Settings): readonly Target[] =>
  (saved?.entries ?? []).flatMap(entry => {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    return assistant ? [{assistant, scope: entry.scope, method: entry.method, renews: entry}] : [];
  });

/**
 * The assistants that are ticked unless the person says otherwise: those that are here, those that are connected already,
 * else any client's own file.
 */
const detectedOf = ({facts, settings, answers}: WizardState): readonly string[] => {
  const connected = connectedOf({settings, answers});
  const installed = (facts.found ?? []).filter(one => one.installed).map(({id}) => id);
  // The demonstration shows the documented file as well.
  const ids = [...new Set([...installed, ...connected, ...(settings.demo ? [generic.id] : [])])];
  return ids.length > 0 ? ids : [generic.id];
};

/** Who was connected when this run began, where it is about that. */
export const connectedOf = ({settings, answers}: Pick<WizardState, 'settings' | 'answers'>): readonly string[] =>
  answers.resume === 'connect' ? connectedTargets(settings).map(({assistant}) => assistant.id) : [];

/** The person's choice, by what is ticked: who was connected and is not ticked any more leaves. */
export const choiceOf = (
  state: WizardState,
  ticked: ReadonlySet<string>,
  {scope, method}: Pick<Choice, 'scope' | 'method'>,
): Choice => {
  const assistants = (state.facts.found ?? []).flatMap(({id}) => (ticked.has(id) ? [id] : []));
  const leaving = [...new Set(connectedOf(state))].filter(id => !ticked.has(id));
  return {assistants, scope, method, ...(leaving.length > 0 ? {leaving} : {})};
};

/** The entries of those that leave: the person's own, and this project's. Another project's are not in question here. */
const leavingOf = ({settings, answers}: WizardState): readonly Leaving[] => {
  const {saved, assistants, place} = settings;
  return (saved?.entries ?? []).flatMap(entry => {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    const isHere = entry.scope === 'user' || entry.project === place.project;
    return assistant && isHere && answers.connect?.leaving?.includes(entry.assistant) ? [{assistant, entry}] : [];
  });
};

/** What is ticked when assistants are chosen: what was chosen last, else what suggests itself. */
export const tickedOf = (state: WizardState): ReadonlySet<string> => {
  const {assistants = 'detected'} = state.chosen ?? {};
  return new Set(assistants === 'detected' ? detectedOf(state) : assistants);
};

/** The documented `mcp.json` has one shape, with a token in it; everybody else is kept signed in as well as they allow. */
export const methodFor = (id: string, wanted: Method | 'auto', methods: readonly Method[]): Method => {
  const best = id === generic.id ? 'header' : (methods[0] ?? 'bridge');
  return wanted !== 'auto' && methods.includes(wanted) ? wanted : best;
};

/** What is written, and where. */
export const targetsOf = (state: WizardState) => {
  const {settings} = state;
  const {servers, place} = settings;
  const context = contextNameIn(state);
  const every = entriesOf(context, deploymentOf(state), platformOf(state));
  return {
    targets: chosenTargets(state),
    place,
    entries: servers ? every.filter(({server}) => servers.includes(server)) : every,
    every,
    own: settings.own,
    context,
  };
};

/** What is planned beside: what is known of earlier entries, and what the person said about what stands in the way. */
export const planInputOf = (state: WizardState) => {
  const {settings, answers} = state;
  const targets = targetsOf(state);
  const isRenewal = isLogin(state);
  return {
    ...targets,
    leaving: leavingOf(state),
    withOwnFiles: !isRenewal && answers.resume !== 'connect',
    // What was written before is renewed as it was agreed to then.
    replace: isRenewal || (answers.replace ?? settings.replace ?? false),
    inGit: isRenewal ? ('write' as const) : (answers.inGit ?? settings.inGit ?? 'refuse'),
  };
};

/** The way to the platform that calls take from here on. */
export const networkIn = ({settings, answers, facts}: WizardState): NetworkSettings => {
  const authority = answers.authority === 'cluster' ? facts.clusterAuthority : answers.authority;
  return {...settings.network, ...(authority ? {authority} : {})};
};

export const contextOf = (state: WizardState): Context => {
  const {cliClient} = state.facts;
  const redirectUri = state.settings.redirectUri ?? state.settings.saved?.redirectUri;
  const {baseDomain, layout, controlPlaneUrl, observerUrl, authUrl, issuer} = deploymentOf(state);
  const network = networkToKeep(urlsOf(deploymentOf(state)), networkIn(state));
  return {
    name: contextNameIn(state),
    platform: platformOf(state).id,
    baseDomain,
    layout,
    controlPlaneUrl,
    ...(observerUrl ? {observerUrl} : {}),
    authUrl,
    issuer,
    signIn: methodOf(state),
    clientId: clientIdOf(state),
    ...(cliClient ? {scopes: cliClient.scopes} : {}),
    ...(cliClient?.resource ? {resource: cliClient.resource} : {}),
    ...resourcesIn(state),
    ...(network ? {network} : {}),
    ...(redirectUri ? {redirectUri} : {}),
  };
};

/** What is kept of the sign-in of this run. */
export const signInOf = (state: WizardState): SignInToKeep => ({
  context: contextOf(state),
  token: tokenOf(state),
  ownTokens: ownTokensIn(state),
});
