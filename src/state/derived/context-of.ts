import {addressOf} from '../../domain/address.ts';
import type {Context, NetworkSettings, ProxyPasswords} from '../../domain/context.ts';
import {contextNameOf} from '../../domain/context.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import {requestToKeep, type SaidRequest, type WantedToken, wantedWith} from '../../domain/token-request.ts';
import {networkToKeep, urlsOf} from '../../flows/deployment/network.ts';
import type {SignInToKeep} from '../../flows/sign-in/save-sign-in.ts';
import type {Terms, WizardState} from '../model.ts';
import {clientIdOf, clientSecretOf, methodOf, tokenOf} from './client-of.ts';
import {contactIn} from './company.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import {ownTokensIn, resourcesIn} from './own-tokens.ts';
import {isResumed} from './purpose.ts';

/** Returns the name of this run's context, which is also the name of its entries. */
export const contextNameIn = (state: WizardState) => {
  const {saved, taken = []} = state.settings;
  const contextName = state.answers.contextName ?? state.settings.contextName;
  if (isResumed(state) && saved) return saved.name;
  const {baseDomain} = deploymentOf(state);
  const short = contextNameOf(baseDomain);
  // A deployment that is saved already, under whatever name, is not saved a second time.
  const known = taken.filter(one => one.baseDomain === baseDomain);
  const [only] = known.length === 1 ? known : [];
  if (contextName === undefined && only) return only.name;
  // Two deployments whose short names are the same are told apart by their whole base domains.
  const isTaken = taken.some(one => one.name === short && one.baseDomain !== baseDomain);
  return contextName ?? (isTaken ? baseDomain : short);
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
export const ownIn = ({settings: {own}, answers: {allowedOnce = []}}: WizardState): OwnCommand => {
  const hosts = [...(own.allowHttp ? [own.allowHttp] : []), ...allowedOnce];
  return hosts.length > 0 ? {...own, allowHttp: hosts.join(',')} : own;
};

/**
 * Returns the person's own settings for token requests (scopes, resource, audience): those of this run, added to those
 * of an earlier sign-in to the same deployment.
 */
export const asksOf = (state: WizardState): SaidRequest | undefined => {
  const {asks: said} = state.settings;
  const {answers} = state;
  const kept = answers.resume === 'anew' ? undefined : earlierTerms(state).asks;
  const asks =
    answers.scopes || answers.level
      ? {...said, ...(answers.scopes ? {scopes: answers.scopes} : {}), ...answers.level}
      : said;
  return asks || kept ? {...kept, ...asks} : undefined;
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
    ...(cliClient ? {scopes: cliClient.scopes} : {}),
    ...(cliClient?.resource ? {resource: cliClient.resource} : {}),
    ...resourcesIn(state),
    ...(asks ? {asks} : {}),
    ...(assumesPkceIn(state) ? {assumesPkce: true} : {}),
    ...(network ? {network} : {}),
    ...(redirectUri ? {redirectUri} : {}),
  };
};

/** Returns what is saved of this run's sign-in. */
export const signInOf = (state: WizardState): SignInToKeep => ({
  context: contextOf(state),
  token: tokenOf(state),
  clientSecret: clientSecretOf(state),
  ownTokens: ownTokensIn(state),
});
