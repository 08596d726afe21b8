import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
import type {ContextEntry} from '../ports/storage.ts';
import {deploymentIn, deploymentOf, kindsOf, platformOf} from './deployment-of.ts';
import {
  clientIdOf,
  contextOf,
  isLogin,
  isResumed,
  isSignedIn,
  methodOf,
  planInputOf,
  savedOf,
  targetsOf,
  tokenOf,
  wantedClientId,
} from './derived.ts';
import type {Facts, WizardState} from './model.ts';
import {ownCliInputOf, wantsOwnCli} from './own-cli.ts';

/**
 * What a step does when it is its turn: a flow with its input from the state, whose result becomes facts. Each flow is
 * loaded when it starts, as the first screen needs none of them.
 */
export type Run = (
  state: WizardState,
  ports: Ports,
  signal: AbortSignal,
) => AsyncGenerator<FlowEvent, Partial<Facts>, void>;

export const savedSignIn: Run = async function* ({settings}, ports, signal) {
  const {savedSignIn} = await import('../flows/saved-sign-in.ts');
  return {savedSignIn: yield* savedSignIn(savedOf(settings), ports, signal)};
};

export const findDeployment: Run = async function* (state, ports, signal) {
  const {settings, answers} = state;
  if (isResumed(state)) return {deployment: deploymentIn(savedOf(settings))};
  const {layout} = settings;
  const given = answers.baseDomain === undefined ? {} : {baseDomain: answers.baseDomain};
  const named = settings.contextName === undefined ? {} : {context: settings.contextName};
  const input = {platforms: kindsOf(settings), layout, addresses: answers.addresses ?? {}, ...given, ...named};
  const {findDeployment} = await import('../flows/deployment/find-deployment.ts');
  const found = yield* findDeployment(input, ports, signal);
  return 'deployment' in found ? found : {deploymentChoices: found.choices};
};

export const findKeptClient: Run = async function* (state, ports, signal) {
  const {issuer} = deploymentOf(state);
  const {findKeptClient} = await import('../flows/create-client.ts');
  const clientId = wantedClientId(state);
  const client = yield* findKeptClient({issuer, clientId}, ports, signal);
  return {keptClient: {clientId, isKept: client !== undefined}, ...(client ? {client} : {})};
};

export const createClient: Run = async function* (state, ports, signal) {
  const platform = platformOf(state);
  const {adminUsername: username = '', applicationId, existingClient} = state.answers;
  const existing = existingClient ?? (state.created.includes(clientIdOf(state)) ? 'reset-secret' : 'refuse');
  const {authUrl, issuer, version, withoutRecipe} = deploymentOf(state);
  const input = {
    ...{platform, authUrl, issuer, username, clientId: clientIdOf(state), existing},
    ...(applicationId ? {applicationId} : {}),
    ...(version ? {version} : {}),
    ...(withoutRecipe ? {withoutRecipe} : {}),
  };
  const {createClient} = await import('../flows/create-client.ts');
  return {client: yield* createClient(input, ports, signal)};
};

export const obtainToken: Run = async function* (state, ports, signal) {
  // Who is signed in already only needs a token that is good.
  if (isSignedIn(state)) {
    const {resumeSignIn} = await import('../flows/resume-sign-in.ts');
    return {token: yield* resumeSignIn(savedOf(state.settings), ports, signal)};
  }
  const {issuer, controlPlaneUrl} = deploymentOf(state);
  const method = methodOf(state);
  if (method !== 'browser') {
    const {secretFrom: from} = state.settings;
    if (from && !state.facts.client) yield {type: 'secret-taken', clientId: clientIdOf(state), from};
    const {obtainToken} = await import('../flows/obtain-token.ts');
    return {token: yield* obtainToken({issuer, clientId: clientIdOf(state), method}, ports, signal)};
  }
  const {openBrowser: open, saved} = state.settings;
  const platform = platformOf(state);
  const redirectUri = state.settings.redirectUri ?? saved?.redirectUri ?? platform.callbackUrl;
  const {clientId, signInBy: by = 'browser'} = state.answers;
  const given = clientId === undefined ? {} : {clientId};
  const {signInPerson} = await import('../flows/sign-in-person.ts');
  const {client, token} = yield* signInPerson(
    {
      ...{platform, controlPlaneUrl, issuer, by, open, redirectUri},
      ...given,
      withoutResource: isResumed(state) && saved?.resource === 'none',
    },
    ports,
    signal,
  );
  return {cliClient: client, token};
};

export const saveSignIn: Run = async function* (state, ports, signal) {
  const {saveSignIn} = await import('../flows/save-sign-in.ts');
  yield* saveSignIn({context: contextOf(state), token: tokenOf(state)}, ports, signal);
  return {signInSaved: true};
};

export const check: Run = async function* (state, ports, signal) {
  const {role} = state.answers;
  const input = {platform: platformOf(state), deployment: deploymentOf(state), ...(role ? {role} : {})};
  const {checkConnection} = await import('../flows/check-connection.ts');
  if (!isSignedIn(state)) return {check: yield* checkConnection(input, ports, signal)};
  // A token that was kept may have been refused since: the identity provider has other keys.
  const {renewing} = await import('../flows/fresh-token.ts');
  const work = (token: string) => {
    ports.vault.set('access-token', token);
    return checkConnection(input, ports, signal);
  };
  return {check: yield* renewing(savedOf(state.settings), work, ports, signal)};
};

export const findAssistants: Run = async function* (state, ports, signal) {
  const {assistants, place, demo} = state.settings;
  const {findAssistants} = await import('../flows/find-assistants.ts');
  const urls = targetsOf(state).entries.map(({url}) => url);
  // The demonstration has nothing to do with what is on the machine.
  return {found: yield* findAssistants({assistants, place, commands: !demo, urls}, ports, signal)};
};

export const findOwnCli: Run = async function* (state, ports, signal) {
  const {findOwnCli} = await import('../flows/own-cli/find-own-cli.ts');
  return {ownCli: yield* findOwnCli({platform: platformOf(state), place: state.settings.place}, ports, signal)};
};

export const plan: Run = async function* (state, ports, signal) {
  const {planFiles} = await import('../flows/plan-files.ts');
  const plan = yield* planFiles(planInputOf(state), ports, signal);
  if (!wantsOwnCli(state)) {
    if (state.answers.ownCli) yield {type: 'warning', message: withoutOwnCli};
    return {plan};
  }
  const {planOwnCli} = await import('../flows/own-cli/plan-own-cli.ts');
  const plannedCli = yield* planOwnCli(ownCliInputOf(state), ports, signal);
  return {plan: {...plan, files: [...plan.files, plannedCli.file]}, plannedCli};
};

const withoutOwnCli = 'This platform has no CLI of its own, so --cli-config changes nothing.';

export const write: Run = async function* (state, ports, signal) {
  const {plan, plannedCli} = state.facts;
  if (!plan) throw new Error('Nothing is written before it is planned.');
  // A sign-in that was kept already, or that went on, is not written again.
  const isKept = isLogin(state) || state.answers.resume === 'connect';
  const signIn = isKept ? {} : {signIn: {token: tokenOf(state), context: contextOf(state)}};
  const input = {...planInputOf(state), plan, ...signIn};
  const {writeFiles} = await import('../flows/write-files.ts');
  const written = yield* writeFiles(input, ports, signal);
  if (input.leaving.length > 0) yield* disconnect(input, ports, signal);
  if (plannedCli) {
    const {writeOwnCli} = await import('../flows/own-cli/write-own-cli.ts');
    const path = yield* writeOwnCli({...ownCliInputOf(state), planned: plannedCli}, ports, signal);
    return {written: {paths: [...written.paths, path]}};
  }
  return {written};
};

const disconnect = async function* (
  {context: name, leaving}: ReturnType<typeof planInputOf>,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<FlowEvent, void, void> {
  const context = (await ports.config.read()).contexts.find(one => one.name === name);
  if (!context) return;
  const {disconnectAssistants} = await import('../flows/disconnect-assistants.ts');
  const isLeaving = ({assistant, path}: ContextEntry) =>
    leaving.some(({entry}) => entry.assistant === assistant && entry.path === path);
  const assistants = leaving.map(({assistant}) => assistant);
  yield* disconnectAssistants({context, assistants, chosen: isLeaving}, ports, signal);
};

export const verify: Run = async function* (state, ports, signal) {
  const {verifyEntries} = await import('../flows/verify-entries.ts');
  return {verified: yield* verifyEntries(targetsOf(state), ports, signal)};
};
