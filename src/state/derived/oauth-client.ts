import {redirectsTo} from '../../assistants/assistant.ts';
import {addressIn} from '../../domain/mcp-servers.ts';
import {type WantedToken, wantedOf} from '../../domain/token-request.ts';
import type {AssistantRedirect} from '../../flows/sign-in/assistant-clients.ts';
import {assistantClientOf} from '../../platform/recognise.ts';
import type {WizardState} from '../model.ts';
import {personWantedOf} from './context-of.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import {isLogin} from './purpose.ts';
import {targetsOf} from './targets.ts';

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

/** Returns the token request of these assistants: the control plane's defaults, changed by the person's settings. */
export const oauthWantedOf = (state: WizardState): WantedToken => {
  const {settings, facts} = state;
  return settings.saved && !facts.cliClient ? wantedOf(settings.saved) : personWantedOf(state);
};
