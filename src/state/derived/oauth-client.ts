import {redirectsTo} from '../../assistants/redirects.ts';
import {addressIn} from '../../domain/mcp-servers.ts';
import {type WantedToken, wantedOf} from '../../domain/token-request.ts';
import type {AssistantRedirect} from '../../flows/sign-in/assistant-clients.ts';
import {assistantClientOf} from '../../platform/recognise.ts';
import type {WizardState} from '../model.ts';
import {personWantedOf} from './context-of.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';
import {isLogin} from './purpose.ts';
import {targetsOf} from './targets.ts';

/** The client that assistants sign in with by themselves: the one that the person named, else the installation's own. */
export const oauthClientOf = (state: WizardState): string | undefined =>
  state.settings.oauthClient ?? assistantClientOf(platformOf(state), deploymentOf(state).version);

/** Whether assistants are to sign in by themselves. */
export const wantsOAuth = (state: WizardState): boolean => !isLogin(state) && state.answers.connect?.method === 'oauth';

/** Those that do, and where each is sent back to. */
export const oauthRedirectsOf = (state: WizardState): readonly AssistantRedirect[] => {
  const {targets, entries} = targetsOf(state);
  return targets.flatMap(({assistant, method, tools}) => {
    const {id, name, signsInOverTls} = assistant;
    const redirectUris = [...new Set(entries.flatMap(entry => redirectsTo(assistant, addressIn(entry, tools))))];
    return method === 'oauth' ? [{id, name, redirectUris, ...(signsInOverTls ? {signsInOverTls} : {})}] : [];
  });
};

/** What they ask for: what the control plane says, or what the person did. */
export const oauthWantedOf = (state: WizardState): WantedToken => {
  const {settings, facts} = state;
  return settings.saved && !facts.cliClient ? wantedOf(settings.saved) : personWantedOf(state);
};
