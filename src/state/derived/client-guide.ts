import type {Assistant} from '../../assistants/assistant.ts';
import {redirectAddresses} from '../../assistants/redirects.ts';
import {serversOf} from '../../domain/mcp-servers.ts';
import {OFFLINE_ACCESS, type WantedToken} from '../../domain/token-request.ts';
import {providerOf} from '../../identity-providers/catalogue.ts';
import {type Guide, guideOf, guideText} from '../../identity-providers/guide.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';
import type {Platform} from '../../platform/platform.ts';
import {externalClientValues} from '../../platform/role-binding.ts';
import type {WizardState} from '../model.ts';
import type {ClientGuide} from '../view/view.ts';
import {personWantedOf} from './context-of.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import {personWay} from './person-way.ts';

/** How the client with which a person signs in is registered: at this identity provider, and at the platform. */
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

type Registration = {
  readonly platform: Platform;
  /** Absent where nobody knows it yet. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly wanted: WantedToken;
  /** Those that may sign in by themselves. */
  readonly assistants: readonly Assistant[];
  /** The addresses of the MCP servers; none where nobody knows them yet. */
  readonly servers: readonly string[];
};

/** How both clients are registered at a kind of identity provider, with what is known filled in. */
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

/** The scopes with the one that brings a refresh token, where that is needed. */
export const withOffline = (scopes: readonly string[], offline: string | undefined): readonly string[] =>
  offline === undefined || scopes.includes(OFFLINE_ACCESS) ? scopes : [...scopes, offline];
