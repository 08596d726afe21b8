import type {OwnCliInput} from '../../flows/own-cli/compose-cli.ts';
import type {WizardState} from '../model.ts';
import {agreedIn} from '../selection.ts';
import {clientSecretOf, contextOf, methodOf, tokenOf} from './wizard-context.ts';
import {isLogin, isSignedIn, platformOf, savedOf} from './wizard-deployment.ts';

/** Returns the name of the platform's own CLI; undefined if the platform has none. */
export const ownCliName = (state: WizardState): string | undefined => platformOf(state).ownCli?.name;

/** Returns the path of the CLI's file as a person writes it, with `~`. */
export const ownCliFile = (state: WizardState): string =>
  ['~', ...(platformOf(state).ownCli?.configPath ?? [])].join('/');

/** Whether the wizard asks if the CLI is to be signed in too. */
export const asksForOwnCli = (state: WizardState): boolean =>
  ownCliName(state) !== undefined && !isLogin(state) && state.answers.resume !== 'connect';

/** Whether the CLI's file is written: the person wants it, or it holds a sign-in that this run renews. */
export const wantsOwnCli = (state: WizardState): boolean => {
  if (ownCliName(state) === undefined) return false;
  return state.answers.ownCli === true || (isLogin(state) && state.settings.saved?.cli !== undefined);
};

/** Whether the CLI's file changes in a way that the person has not agreed to yet. */
export const isNewToOwnCli = (state: WizardState): boolean =>
  wantsOwnCli(state) && state.settings.saved?.cli === undefined;

export const ownCliInputOf = (state: WizardState): OwnCliInput => {
  const {settings, facts} = state;
  const version = facts.deployment?.version;
  return {
    platform: platformOf(state),
    // A saved context records what its sign-in was requested with.
    context: isSignedIn(state) ? savedOf(settings) : contextOf(state),
    ...(version === undefined ? {} : {version}),
    home: settings.place.home,
    ...unsavedIn(state),
    replace: isLogin(state) || agreedIn(state).replace,
  };
};

/**
 * Returns the tokens and the secret that are not saved yet. A saved sign-in is read from the store instead, because
 * another process may have renewed it.
 */
const unsavedIn = (state: WizardState): Pick<OwnCliInput, 'unsaved'> => {
  if (isSignedIn(state) || state.facts.signInSaved) return {};
  const {access, refresh} = tokenOf(state);
  const isPerson = methodOf(state) === 'browser';
  const clientSecret = isPerson ? undefined : clientSecretOf(state);
  return {unsaved: {access, ...(isPerson && refresh ? {refresh} : {}), ...(clientSecret ? {clientSecret} : {})}};
};
