import {addressOf} from '../../domain/address.ts';
import {type Context, contextNameOf, type NetworkSettings, type ProxyPasswords} from '../../domain/context.ts';
import {type McpServer, takesOnlyItsOwn} from '../../domain/mcp-servers.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import type {Secret} from '../../domain/secret.ts';
import {
  requestToKeep,
  type SaidRequest,
  type SignInMethod,
  type WantedToken,
  wantedWith,
} from '../../domain/token-request.ts';
import type {OwnTokens, RunTokens} from '../../domain/tokens.ts';
import {networkToKeep, urlsOf} from '../../flows/deployment/context-network.ts';
import type {SignInToKeep} from '../../flows/sign-in/save-sign-in.ts';
import type {OwnResource} from '../../flows/sign-in/server-token.ts';
import type {Terms, WizardState} from '../model.ts';
import {contactIn, deploymentOf, isResumed, platformOf} from './wizard-deployment.ts';

/** The ID of the MCP client that is used if the person names none. */
export const DEFAULT_CLIENT_ID = 'mcp_client';

/**
 * Returns the ID of the MCP client: the one that the person named, else one of their own, else the usual one. With IDs
 * of their own, people do not share a secret.
 */
export const wantedClientId = ({answers, settings}: Pick<WizardState, 'answers' | 'settings'>): string =>
  answers.clientId ?? settings.ownClientId ?? DEFAULT_CLIENT_ID;

/** Returns the ID of the client that this run signs in with. */
export const clientIdOf = (state: WizardState): string => {
  const {cliClient, client} = state.facts;
  return cliClient?.clientId ?? client?.clientId ?? wantedClientId(state);
};

/** Returns how this run signs in. A client that was just created signs in like one that existed before. */
export const methodOf = ({answers}: Pick<WizardState, 'answers'>): SignInMethod =>
  answers.signIn === 'create-mcp-client' || answers.signIn === undefined ? 'mcp-client' : answers.signIn;

export const tokenOf = ({facts}: Pick<WizardState, 'facts'>) => {
  if (!facts.token) throw new Error('No step after the sign-in runs without a token.');
  return facts.token;
};

/** A token that expires sooner than this, in milliseconds, would expire before what needs it is done. */
const SOON = 5_000;

/** Whether a token has expired, or is about to. False if nothing says when it expires. */
export const isOver = ({expiresAt}: {readonly expiresAt?: number} = {}, now: number): boolean =>
  expiresAt !== undefined && expiresAt - now < SOON;

/** Returns the access tokens that entries hold: those of the assistants' account if they have one, else of this run. */
export const entryTokensOf = (state: Pick<WizardState, 'facts'>): RunTokens =>
  state.facts.entryTokens ?? runTokensOf(state);

/** Returns the access tokens of this run. */
export const runTokensOf = (state: Pick<WizardState, 'facts'>): RunTokens => ({
  signIn: tokenOf(state).access,
  ...state.facts.serverTokens,
});

/** Returns the secret of the client that this run signs in with, if it has one. */
export const clientSecretOf = ({facts, answers}: Pick<WizardState, 'facts' | 'answers'>): Secret | undefined =>
  facts.client?.secret ?? answers.clientSecret;

type Learned = Pick<WizardState, 'facts'>;

/** Returns the server that still needs a token of its own, and its resource. */
export const wantedResource = ({facts}: Learned): OwnResource | undefined => {
  const {ownResources = {}, ownTokens = {}} = facts;
  const found = servers.flatMap(server => {
    const resource = ownResources[server];
    return resource === undefined || ownTokens[server] !== undefined ? [] : [{server, resource}];
  });
  return found[0];
};

/** Returns why a person has to sign in once more, as long as such a sign-in is outstanding. */
export const whyAgain = (state: Learned): string | undefined => {
  const wanted = wantedResource(state);
  return wanted && secondSignIn(wanted.resource);
};

/** Returns the servers for which a token of their own has not been requested yet. */
export const unaskedServers = ({facts}: Learned): readonly McpServer[] =>
  servers.filter(server => facts.ownResources?.[server] === undefined);

/** Returns the tokens for one server only. The control plane's is not one of them: it is the token of the sign-in. */
export const ownTokensIn = ({facts: {ownTokens}}: Learned): OwnTokens => {
  const {observability} = ownTokens ?? {};
  return observability === undefined || observability === 'refused' ? {} : {observability};
};

/** Returns the resources that the context has to record, so that later tokens are renewed for the same ones. */
export const resourcesIn = (state: Learned): Pick<Context, 'resource' | 'resources'> => {
  const {ownResources = {}, ownTokens = {}} = state.facts;
  const has = (server: McpServer) => ownTokens[server] !== undefined && ownTokens[server] !== 'refused';
  const {'control-plane': resource, observability} = ownResources;
  return {
    ...(resource !== undefined && has('control-plane') ? {resource} : {}),
    ...(observability !== undefined && has('observability') ? {resources: {observability}} : {}),
  };
};

/** Returns the sentence that explains to a person why they sign in a second time. */
export const secondSignIn = (resource: string): string =>
  `You need to sign in a second time: ${takesOnlyItsOwn(resource)}.`;

const servers: readonly McpServer[] = ['control-plane', 'observability'];

/** Returns the MCP servers that the deployment has. */
export const serversIn = ({facts}: Learned): readonly McpServer[] =>
  facts.deployment?.observerUrl ? servers : ['control-plane'];

/** Returns the name of this run's context, which is also the name of its entries. */
export const contextNameIn = (state: WizardState) => {
  const {saved, contexts = []} = state.settings;
  const contextName = state.answers.contextName ?? state.settings.contextName;
  if (isResumed(state) && saved) return saved.name;
  const {baseDomain} = deploymentOf(state);
  const short = contextNameOf(baseDomain);
  // A deployment that is saved already, under whatever name, is not saved a second time.
  const known = contexts.filter(one => one.baseDomain === baseDomain);
  const [only] = known.length === 1 ? known : [];
  if (contextName === undefined && only) return only.name;
  // Two deployments whose short names are the same are told apart by their whole base domains.
  const isTaken = contexts.some(one => one.name === short && one.baseDomain !== baseDomain);
  return contextName ?? (isTaken ? baseDomain : short);
};

/**
 * Returns the saved context that this run continues, or replaces because it sets up a deployment of the same name.
 * Undefined if there is none, or if the run has not found its deployment yet.
 */
export const formerContext = (state: WizardState): Context | undefined => {
  const {saved, contexts = []} = state.settings;
  if (isResumed(state)) return saved;
  if (!state.facts.deployment || state.answers.isContextGone) return undefined;
  const name = contextNameIn(state);
  return contexts.find(one => one.name === name);
};

/** Returns the network settings for the platform, as far as they are known now. */
export const networkIn = ({settings, answers, facts}: WizardState): NetworkSettings => {
  const authority = answers.authority === 'cluster' ? facts.clusterAuthority : answers.authority;
  const {allowHttp = []} = answers.network ?? {};
  const plain = [...(settings.network?.allowHttp ?? []), ...allowHttp];
  return {
    ...settings.network,
    ...answers.network,
    ...(authority ? {authority} : {}),
    ...(plain.length > 0 ? {allowHttp: plain} : {}),
  };
};

/**
 * Returns the network settings for the calls of this run. They include the hosts that are allowed for this run only,
 * and the passwords that the person typed.
 */
export const routeIn = (
  state: WizardState,
): {readonly settings: NetworkSettings; readonly passwords: ProxyPasswords} => {
  const settings = networkIn(state);
  const {allowedOnce = [], proxyPasswords = {}} = state.answers;
  return {
    settings:
      allowedOnce.length > 0 ? {...settings, allowHttp: [...(settings.allowHttp ?? []), ...allowedOnce]} : settings,
    passwords: Object.fromEntries(Object.entries(proxyPasswords).map(([proxy, one]) => [proxy, one.reveal()])),
  };
};

/** Returns the command by which assistants start this program. It may call the same plain-http hosts as this run. */
export const ownCommandIn = ({settings: {own}, answers: {allowedOnce = []}}: WizardState): OwnCommand => {
  const hosts = [...(own.allowHttp ? [own.allowHttp] : []), ...allowedOnce];
  return hosts.length > 0 ? {...own, allowHttp: hosts.join(',')} : own;
};

/**
 * Returns the person's own settings for token requests (scopes, resource, audience): those of this run, added to those
 * of an earlier sign-in to the same deployment.
 */
export const asksOf = (state: WizardState): SaidRequest | undefined => {
  const {asks: requested} = state.settings;
  const {answers} = state;
  const earlier = answers.resume === 'anew' ? undefined : earlierTerms(state).asks;
  const asks =
    answers.scopes || answers.level
      ? {...requested, ...(answers.scopes ? {scopes: answers.scopes} : {}), ...answers.level}
      : requested;
  return asks || earlier ? {...earlier, ...asks} : undefined;
};

/** Returns the request for a person's token: the control plane's defaults, changed by the person's own settings. */
export const personWantedOf = (state: WizardState): WantedToken => {
  const platform = platformOf(state);
  const {scopes} = state.facts.cliClient ?? platform.cliClient;
  const resource = addressOf(deploymentOf(state).controlPlaneUrl, platform.paths.mcp).href;
  return wantedWith(asksOf(state), {scopes, resource});
};

/** Whether the person goes on with an identity provider that does not list PKCE. */
export const assumesPkceIn = (state: WizardState): boolean => {
  const {settings, answers} = state;
  const earlier = answers.resume !== 'anew' && earlierTerms(state).assumesPkce === true;
  return answers.assumesPkce ?? settings.assumesPkce ?? earlier;
};

/** Returns the redirect URI, if it is not the platform's own. */
export const redirectUriOf = (state: WizardState): string | undefined =>
  state.settings.redirectUri ?? earlierTerms(state).redirectUri;

/**
 * Returns the earlier settings for the sign-in of people: those of the run that is continued, otherwise those of the
 * saved deployment.
 */
const earlierTerms = ({settings: {saved, unfinished}, answers}: WizardState): Terms =>
  (answers.begun === 'go-on' ? unfinished?.terms : saved) ?? {};

export const contextOf = (state: WizardState): Context => {
  const {cliClient} = state.facts;
  const redirectUri = redirectUriOf(state);
  const deployment = deploymentOf(state);
  const {baseDomain, layout, controlPlaneUrl, observerUrl, authUrl, issuer, identityProvider} = deployment;
  const asks = requestToKeep(asksOf(state));
  const network = networkToKeep(urlsOf(deploymentOf(state)), networkIn(state));
  const {changes: descriptor} = platformOf(state);
  const contact = contactIn(state);
  return {
    name: contextNameIn(state),
    platform: platformOf(state).id,
    ...(descriptor ? {descriptor} : {}),
    baseDomain,
    ...(contact === undefined ? {} : {contact}),
    layout,
    controlPlaneUrl,
    ...(observerUrl ? {observerUrl} : {}),
    authUrl,
    issuer,
    ...(identityProvider === undefined ? {} : {identityProvider}),
    ...(deployment.versionByPaths && deployment.version ? {release: deployment.version} : {}),
    signIn: methodOf(state),
    clientId: clientIdOf(state),
    ...(methodOf(state) === 'browser' && signInByIn(state) === 'device' ? {signInBy: 'device'} : {}),
    ...(cliClient ? {scopes: cliClient.scopes} : {}),
    ...(cliClient?.resource ? {resource: cliClient.resource} : {}),
    ...resourcesIn(state),
    ...(asks ? {asks} : {}),
    ...(assumesPkceIn(state) ? {assumesPkce: true} : {}),
    ...(network ? {network} : {}),
    ...(redirectUri ? {redirectUri} : {}),
    ...(state.settings.saved?.actsAs === undefined ? {} : {actsAs: state.settings.saved.actsAs}),
  };
};

/** Returns what is saved of this run's sign-in. */
export const signInOf = (state: WizardState): SignInToKeep => ({
  context: contextOf(state),
  token: tokenOf(state),
  clientSecret: clientSecretOf(state),
  ownTokens: ownTokensIn(state),
});

/**
 * Returns how the identity provider's answer comes back: as the person chose in this run, else as at their last sign-in
 * to the saved deployment. A person who asks for an address to open gets one.
 */
const signInByIn = ({answers, settings: {saved, login, wantsAddress}}: WizardState) => {
  const isSavedOne = isResumed({answers}) || login === true;
  return answers.signInBy ?? (isSavedOne && !wantsAddress ? saved?.signInBy : undefined) ?? 'browser';
};

/** Returns how a person signs in: through a browser or a code, with which redirect URI, and whether to assume PKCE. */
export const personWay = (state: WizardState) => {
  const {openBrowser: open, isUnseen} = state.settings;
  const redirectUri = redirectUriOf(state) ?? platformOf(state).callbackUrl;
  return {by: signInByIn(state), open, ...(isUnseen ? {isUnseen} : {}), redirectUri, assumesPkce: assumesPkceIn(state)};
};
