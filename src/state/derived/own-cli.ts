import type {OwnCliInput} from '../../flows/own-cli/compose-cli.ts';
import type {WizardState} from '../model.ts';
import {clientSecretOf, methodOf, tokenOf} from './client-of.ts';
import {contextOf} from './context-of.ts';
import {platformOf} from './deployment-of.ts';
import {isLogin, isSignedIn, savedOf} from './purpose.ts';

/** How the platform's own CLI is called; undefined where it has none. */
export const ownCliName = (state: WizardState): string | undefined => platformOf(state).ownCli?.name;

/** Its file, as a person writes it. */
export const ownCliFile = (state: WizardState): string =>
  ['~', ...(platformOf(state).ownCli?.configPath ?? [])].join('/');

/** Whether it is asked if the CLI is to be signed in too. */
export const asksForOwnCli = (state: WizardState): boolean =>
  ownCliName(state) !== undefined && !isLogin(state) && state.answers.resume !== 'connect';

/** Whether the CLI's file is written: because the person wants it, or because it was before and the sign-in is renewed. */
export const wantsOwnCli = (state: WizardState): boolean => {
  if (ownCliName(state) === undefined) return false;
  return state.answers.ownCli === true || (isLogin(state) && state.settings.saved?.cli !== undefined);
};

/** Whether the CLI's file changes in a way that nobody has agreed to yet. */
export const isNewToOwnCli = (state: WizardState): boolean =>
  wantsOwnCli(state) && state.settings.saved?.cli === undefined;

export const ownCliInputOf = (state: WizardState): OwnCliInput => {
  const {settings, answers, facts} = state;
  const version = facts.deployment?.version;
  return {
    platform: platformOf(state),
    // What a saved sign-in was asked for is known with it.
    context: isSignedIn(state) ? savedOf(settings) : contextOf(state),
    ...(version === undefined ? {} : {version}),
    home: settings.place.home,
    ...unsavedIn(state),
    replace: isLogin(state) || (answers.replace ?? settings.replace ?? false),
  };
};

/** What nobody keeps yet. A sign-in that is kept is read where it is, as others may have renewed it. */
const unsavedIn = (state: WizardState): Pick<OwnCliInput, 'unsaved'> => {
  if (isSignedIn(state) || state.facts.signInSaved) return {};
  const {access, refresh} = tokenOf(state);
  const isPerson = methodOf(state) === 'browser';
  const clientSecret = isPerson ? undefined : clientSecretOf(state);
  return {unsaved: {access, ...(isPerson && refresh ? {refresh} : {}), ...(clientSecret ? {clientSecret} : {})}};
};
