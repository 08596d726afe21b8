import type {ContextEntry} from '../domain/context.ts';
import {askedResource} from '../domain/server-tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
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
  signInOf,
  targetsOf,
  tokenOf,
  wantedClientId,
} from './derived.ts';
import type {Facts, WizardState} from './model.ts';
import {ownCliInputOf, wantsOwnCli} from './own-cli.ts';
import {unaskedServers, wantedResource} from './own-tokens.ts';

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
  const {savedSignIn} = await import('../flows/sign-in/kept/saved-sign-in.ts');
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
  const {findKeptClient} = await import('../flows/sign-in/clients/create-client.ts');
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
  const {createClient} = await import('../flows/sign-in/clients/create-client.ts');
  return {client: yield* createClient(input, ports, signal)};
};

export const obtainToken: Run = async function* (state, ports, signal) {
  // Who is signed in already only needs a token that is good.
  if (isSignedIn(state)) {
    const {resumeSignIn} = await import('../flows/sign-in/kept/resume-sign-in.ts');
    return {token: yield* resumeSignIn(savedOf(state.settings), ports, signal)};
  }
  const {issuer, controlPlaneUrl} = deploymentOf(state);
  const method = methodOf(state);
  if (method !== 'browser') {
    const {secretFrom: from} = state.settings;
    if (from && !state.facts.client) yield {type: 'secret-taken', clientId: clientIdOf(state), from};
    const {obtainToken} = await import('../flows/sign-in/obtain-token.ts');
    return {token: yield* obtainToken({issuer, clientId: clientIdOf(state), method}, ports, signal)};
  }
  const platform = platformOf(state);
  const {clientId} = state.answers;
  const given = clientId === undefined ? {} : {clientId};
  const {signInPerson} = await import('../flows/sign-in/sign-in-person.ts');
  const {client, token} = yield* signInPerson(
    {
      ...{platform, controlPlaneUrl, issuer},
      ...wayOf(state),
      ...given,
      withoutResource: isResumed(state) && state.settings.saved?.resource === 'none',
    },
    ports,
    signal,
  );
  return {cliClient: client, token};
};

/** How a person signs in. */
const wayOf = (state: WizardState) => {
  const {openBrowser: open, saved} = state.settings;
  const redirectUri = state.settings.redirectUri ?? saved?.redirectUri ?? platformOf(state).callbackUrl;
  const {signInBy: by = 'browser'} = state.answers;
  return {by, open, redirectUri};
};

export const ownToken: Run = async function* (state, ports, signal) {
  const {facts} = state;
  const wanted = wantedResource(state);
  if (!wanted) throw new Error('A token is asked for where the check has found a resource.');
  const {issuer} = deploymentOf(state);
  const {account} = tokenOf(state);
  const method = methodOf(state);
  const clientId = clientIdOf(state);
  const by =
    method === 'browser' ? {...wayOf(state), clientId, scopes: facts.cliClient?.scopes ?? []} : {method, clientId};
  const {obtainOwnToken} = await import('../flows/sign-in/kept/own-token.ts');
  const token = yield* obtainOwnToken({...wanted, issuer, account, by}, ports, signal);
  const isSignIn = wanted.server === 'control-plane' && token !== 'refused';
  return {ownTokens: {...facts.ownTokens, [wanted.server]: token}, ...(isSignIn ? {token} : {})};
};

export const saveSignIn: Run = async function* (state, ports, signal) {
  const {saveSignIn} = await import('../flows/sign-in/kept/save-sign-in.ts');
  yield* saveSignIn(signInOf(state), ports, signal);
  return {signInSaved: true};
};

export const check: Run = async function* (state, ports, signal) {
  const {role} = state.answers;
  const input = {platform: platformOf(state), deployment: deploymentOf(state), ...(role ? {role} : {})};
  const {checkConnection} = await import('../flows/platform-tools/check-connection.ts');
  try {
    const check = yield* checkConnection(input, ports, signal);
    // A sign-in is kept before it is checked, and so before it is known that a server takes only a token of its own.
    if (isLogin(state) && state.facts.ownTokens) {
      const {saveSignIn} = await import('../flows/sign-in/kept/save-sign-in.ts');
      // A client's may have been replaced by one for the control plane; a person's may have been renewed by others.
      yield* saveSignIn({...signInOf(state), isKept: methodOf(state) === 'browser'}, ports, signal);
    }
    return {check};
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-token-refused') throw error;
    if (isSignedIn(state)) {
      // A token that was kept may have been refused since: the identity provider has other keys.
      const {renewSignIn} = await import('../flows/sign-in/kept/resume-sign-in.ts');
      yield* renewSignIn(savedOf(state.settings), ports, signal);
      return {check: yield* checkConnection(input, ports, signal)};
    }
    const {findOwnResource} = await import('../flows/sign-in/kept/find-own-resource.ts');
    const asked = askedResource(contextOf(state));
    // The token of a person is for the control plane already, where there is a resource to ask for.
    const among = unaskedServers(state).filter(server => methodOf(state) !== 'browser' || server !== 'control-plane');
    const known = {...input, among, ...(asked === undefined ? {} : {asked})};
    const found = yield* findOwnResource(known, ports, signal);
    if (!found) throw error;
    return {ownResources: {...state.facts.ownResources, [found.server]: found.resource}};
  }
};

export const findAssistants: Run = async function* (state, ports, signal) {
  const {assistants, place, demo} = state.settings;
  const {findAssistants} = await import('../flows/assistants/find-assistants.ts');
  const urls = targetsOf(state).entries.map(({url}) => url);
  // The demonstration has nothing to do with what is on the machine.
  return {found: yield* findAssistants({assistants, place, commands: !demo, urls}, ports, signal)};
};

export const findOwnCli: Run = async function* (state, ports, signal) {
  const {findOwnCli} = await import('../flows/own-cli/find-own-cli.ts');
  return {ownCli: yield* findOwnCli({platform: platformOf(state), place: state.settings.place}, ports, signal)};
};

export const plan: Run = async function* (state, ports, signal) {
  const {planFiles} = await import('../flows/assistants/plan-files.ts');
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
  const signIn = isKept ? {} : {signIn: signInOf(state)};
  const input = {...planInputOf(state), plan, ...signIn};
  const {writeFiles} = await import('../flows/assistants/write-files.ts');
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
  const {disconnectAssistants} = await import('../flows/assistants/disconnect-assistants.ts');
  const isLeaving = ({assistant, path}: ContextEntry) =>
    leaving.some(({entry}) => entry.assistant === assistant && entry.path === path);
  const assistants = leaving.map(({assistant}) => assistant);
  yield* disconnectAssistants({context, assistants, chosen: isLeaving}, ports, signal);
};

export const verify: Run = async function* (state, ports, signal) {
  const {verifyEntries} = await import('../flows/assistants/verify-entries.ts');
  const chosen = targetsOf(state);
  const verified = yield* verifyEntries(chosen, ports, signal);
  const context = contextOf(state);
  // A way of its own is what a program that starts without this shell could miss.
  if (context.network && tokenOf(state).renewable && chosen.targets.some(({method}) => method !== 'header')) {
    const {verifyRenewal} = await import('../flows/sign-in/kept/verify-renewal.ts');
    yield* verifyRenewal({own: state.settings.own, context}, ports, signal);
  }
  return {verified};
};
