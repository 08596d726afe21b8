import type {Assistant} from '../../assistants/assistant.ts';
import {addressOf} from '../../domain/address.ts';
import {OFFLINE_ACCESS} from '../../domain/sign-in/token-request.ts';
import {guideOf, guideText, type OtherRedirect} from '../../identity-providers/guide.ts';
import {providerOf} from '../../identity-providers/recognise.ts';
import {externalClientValues} from '../../platform/values.ts';
import type {WizardState} from '../model.ts';
import type {ClientGuide} from '../view/view.ts';
import {asksOf} from './context-of.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import {personWay} from './person-way.ts';

/** How the client with which a person signs in is registered: at this identity provider, and at the platform. */
export const clientGuideOf = (state: WizardState): ClientGuide => {
  const {answers, facts, settings} = state;
  const platform = platformOf(state);
  const {issuer, identityProvider, controlPlaneUrl} = deploymentOf(state);
  const provider = providerOf(identityProvider);
  const client = facts.cliClient ?? platform.cliClient;
  const clientId = answers.clientId ?? client.clientId;
  const scopes = withOffline(asksOf(state)?.scopes ?? client.scopes, provider.refreshToken.scope);
  const values = {
    issuer,
    clientId,
    redirect: personWay(state).redirectUri,
    scopes: scopes.join(' '),
    audience: asksOf(state)?.audience ?? addressOf(controlPlaneUrl, platform.paths.mcp).href,
    serviceClientId: 'platform-service',
  };
  const block = externalClientValues(platform, {clientId, scopes});
  const guide = guideOf(provider, values, redirectsOf(settings.assistants), block);
  return {...guide, text: guideText(guide)};
};

/** The scopes with the one that brings a refresh token, where that is needed. */
export const withOffline = (scopes: readonly string[], offline: string | undefined): readonly string[] =>
  offline === undefined || scopes.includes(OFFLINE_ACCESS) ? scopes : [...scopes, offline];

/** Where the assistants are sent back to that can sign in by themselves. */
export const redirectsOf = (assistants: readonly Assistant[]): readonly OtherRedirect[] =>
  assistants.flatMap(({name, redirects = []}) => redirects.map(address => ({name, address})));
