import type {Assistant} from '../../assistants/assistant.ts';
import {redirectAddresses} from '../../assistants/assistant.ts';
import {serversOf} from '../../domain/mcp-servers.ts';
import {OFFLINE_ACCESS, type WantedToken} from '../../domain/token-request.ts';
import {providerOf} from '../../identity-providers/catalogue.ts';
import {type Guide, guideOf, guideText} from '../../identity-providers/guide.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';
import type {Platform} from '../../platform/platform.ts';
import {externalClientValues} from '../../platform/role-binding.ts';
import type {WizardState} from '../model.ts';
import type {ClientGuide} from '../view/view.ts';
import {personWantedOf, personWay} from './wizard-context.ts';
import {deploymentOf, platformOf} from './wizard-deployment.ts';

/** Returns the guide for registering the client for people, at this identity provider and at the platform. */
export const clientGuideOf = (state: WizardState): ClientGuide => {
  const {answers, facts, settings} = state;
  const platform = platformOf(state);
  const {issuer, identityProvider} = deploymentOf(state);
  const client = facts.cliClient ?? platform.cliClient;
  const guide = guideFor(providerOf(identityProvider), {
    ...{platform, issuer, assistants: settings.assistants},
    servers: serversOf(deploymentOf(state), platform).map(({url}) => url),
    clientId: answers.clientId ?? client.clientId,
    redirectUri: personWay(state).redirectUri,
    wanted: personWantedOf(state),
  });
  return {...guide, text: guideText(guide)};
};

/** Returns the guide for registering a client that signs in with a secret: the account of the assistants. */
export const accountGuideOf = (state: WizardState): ClientGuide => {
  const {title, sections} = clientGuideOf(state);
  const guide = {title, sections: sections.filter(({isForPeople}) => !isForPeople)};
  return {...guide, text: guideText(guide)};
};

type Registration = {
  readonly platform: Platform;
  /** Absent as long as the issuer is unknown. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly wanted: WantedToken;
  /** The assistants that may sign in by themselves. */
  readonly assistants: readonly Assistant[];
  /** The addresses of the MCP servers; empty as long as they are unknown. */
  readonly servers: readonly string[];
};

/** Returns the guide for registering both clients at a kind of identity provider, with the known values filled in. */
export const guideFor = (
  provider: IdentityProvider,
  {platform, issuer, clientId, redirectUri, wanted, assistants, servers}: Registration,
): Guide => {
  const scopes = withOffline(wanted.scopes, provider.refreshToken.scope);
  const audience = wanted.audience ?? (wanted.resource === 'none' ? undefined : wanted.resource);
  const values = {
    ...(issuer === undefined ? {} : {issuer}),
    clientId,
    redirect: redirectUri,
    scopes: scopes.join(' '),
    ...(audience === undefined ? {} : {audience}),
    serviceClientId: 'platform-service',
  };
  return guideOf(
    provider,
    values,
    redirectAddresses(assistants, servers),
    externalClientValues(platform, {clientId, scopes}),
  );
};

/**
 * Returns the scopes, with the identity provider's scope for a refresh token added, if it has one and `offline_access`
 * is not there yet.
 */
export const withOffline = (scopes: readonly string[], offline: string | undefined): readonly string[] =>
  offline === undefined || scopes.includes(OFFLINE_ACCESS) ? scopes : [...scopes, offline];
