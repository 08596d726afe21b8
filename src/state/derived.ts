import {allAssistants} from '../assistants/all.ts';
import type {Deployment} from '../flows/find-deployment.ts';
import {contextNameOf, entriesOf} from '../flows/mcp-entries.ts';
import {externalClientValues} from '../platform/values.ts';
import type {Context, SignInMethod} from '../ports/storage.ts';
import type {Settings, WizardState} from './model.ts';

export const savedOf = ({saved}: Settings): Context => {
  if (!saved) throw new Error('Only a saved context is resumed.');
  return saved;
};

export const deploymentIn = ({
  baseDomain,
  layout,
  controlPlaneUrl,
  observerUrl,
  authUrl,
  issuer,
}: Context): Deployment => ({
  baseDomain,
  layout,
  evidence: 'As it was saved.',
  controlPlaneUrl,
  ...(observerUrl ? {observerUrl} : {}),
  authUrl,
  issuer,
});

export const deploymentOf = ({facts}: WizardState) => {
  if (!facts.deployment) throw new Error('No step after the search runs without a deployment.');
  return facts.deployment;
};

/** The control plane values that register the client with which a person signs in (platform access 2.4). */
export const clientValuesOf = ({settings, answers, facts}: WizardState): string => {
  const {platform} = settings;
  const {clientId, scopes} = facts.cliClient ?? platform.cliClient;
  return externalClientValues(platform, {clientId: answers.clientId ?? clientId, scopes});
};

export const tokenOf = ({facts}: WizardState) => {
  if (!facts.token) throw new Error('No step after the sign-in runs without a token.');
  return facts.token;
};

/** The client that a person who names none gets. */
export const DEFAULT_CLIENT_ID = 'mcp_client';

export const clientIdOf = ({answers, facts}: WizardState) =>
  facts.cliClient?.clientId ?? facts.client?.clientId ?? answers.clientId ?? DEFAULT_CLIENT_ID;

/** A client that was just created signs in as one that was there before. */
export const methodOf = ({answers}: WizardState): SignInMethod =>
  answers.signIn === 'create-mcp-client' || answers.signIn === undefined ? 'mcp-client' : answers.signIn;

const contextNameIn = (state: WizardState) => {
  const {saved, contextName, taken = []} = state.settings;
  if (isResumed(state) && saved) return saved.name;
  const {baseDomain} = deploymentOf(state);
  const short = contextNameOf(baseDomain);
  // Two deployments whose names begin alike are told apart by their whole names.
  const isTaken = taken.some(one => one.name === short && one.baseDomain !== baseDomain);
  return contextName ?? (isTaken ? baseDomain : short);
};

/** Whether this run goes on with the saved context. */
export const isResumed = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'sign-in' || answers.resume === 'renew';

/** Whether this run is about a sign-in only: it is kept at once, and what changes is known, so it is not reviewed. */
export const isLogin = ({settings, answers}: WizardState): boolean => settings.login === true || isResumed({answers});

/** Whether there is a file of an assistant to write. */
export const hasTargets = (state: WizardState): boolean => !isLogin(state) || placesOf(state).assistants.length > 0;

/** Whose files are written, and where: those of the saved entries when their sign-in is renewed. */
const placesOf = ({settings, answers}: WizardState) => {
  const {assistants, place, saved} = settings;
  if (!isResumed({answers})) return {assistants, place};
  const kept = saved?.entries ?? [];
  const project = kept[0]?.project ?? place.project;
  return {
    assistants: allAssistants.filter(({id}) => kept.some(({assistant}) => assistant === id)),
    place: {...place, project},
  };
};

/** What is written, and where. */
export const targetsOf = (state: WizardState) => ({
  ...placesOf(state),
  entries: entriesOf(contextNameIn(state), deploymentOf(state), state.settings.platform),
});

export const contextOf = (state: WizardState): Context => {
  const {cliClient} = state.facts;
  const redirectUri = state.settings.redirectUri ?? state.settings.saved?.redirectUri;
  const {assistants, place} = targetsOf(state);
  const {baseDomain, layout, controlPlaneUrl, observerUrl, authUrl, issuer} = deploymentOf(state);
  return {
    name: contextNameIn(state),
    platform: state.settings.platform.id,
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
    ...(redirectUri ? {redirectUri} : {}),
    ...(state.settings.login ? {} : {entries: assistants.map(({id}) => ({assistant: id, project: place.project}))}),
  };
};
