import type {WizardState} from '../model.ts';
import {assumesPkceIn, redirectUriOf} from './context-of.ts';
import {platformOf} from './deployment-of.ts';

/** Returns how a person signs in: through a browser or a code, with which redirect URI, and whether to assume PKCE. */
export const personWay = (state: WizardState) => {
  const {openBrowser: open, isUnseen} = state.settings;
  const redirectUri = redirectUriOf(state) ?? platformOf(state).callbackUrl;
  const {signInBy: by = 'browser'} = state.answers;
  return {by, open, ...(isUnseen ? {isUnseen} : {}), redirectUri, assumesPkce: assumesPkceIn(state)};
};
