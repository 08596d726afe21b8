import {documented, generic} from '../../../assistants/catalogue/generic.ts';
import {SETUP} from '../../../setup-command.ts';
import {isLogin} from '../../derived/purpose.ts';
import {targetsOf} from '../../derived/targets.ts';
import type {WizardState} from '../../model.ts';
import type {DoneView} from '../../view/view.ts';
import {givenOutcomes, outcomesOf, shownOutcomes} from './outcome.ts';

/**
 * What works at the end of a run. `file`: there are entries, but in an `mcp.json` alone, which no assistant reads that
 * this program knows. `signed-in`: nothing is connected.
 */
export type WhatWorks = 'assistants' | 'file' | 'signed-in' | 'without-role';

export const whatWorks = (state: WizardState): WhatWorks => {
  const {facts, settings} = state;
  if (facts.check?.withoutRole) return 'without-role';
  if (givenOutcomes(state).length > 0) return 'assistants';
  const outcomes = outcomesOf(state);
  if (outcomes.length === 0) return 'signed-in';
  // The demonstration reads that file itself.
  const isRead = settings.demo !== undefined || outcomes.some(({assistant}) => !isForAny.has(assistant));
  return isRead ? 'assistants' : 'file';
};

const isForAny: ReadonlySet<string> = new Set([generic.name, documented.name]);

/** What a run has come to, as the heading of the last screen: what works, and nothing that was left out. */
export const headlineOf = (state: WizardState): string => {
  const works = whatWorks(state);
  if (works === 'without-role')
    return shownOutcomes(state).length > 0
      ? 'Connected, but the account has no role yet'
      : 'Signed in, but the account has no role yet';
  if (works === 'signed-in') return `You are signed in as ${state.facts.token?.account}`;
  if (state.answers.resume === 'renew' && !state.answers.signInAnew)
    return 'Everything works. Every entry is up to date.';
  if (isLogin(state)) return 'Signed in again. Every entry works.';
  return works === 'file' ? 'mcp.json is ready for your client' : 'All set: your assistants can reach the platform';
};

/** What is left to do about assistants that are not connected, with the command that does it. */
export const leftToConnect = (state: WizardState): DoneView['next'] => {
  const {answers, settings} = state;
  if (isLogin(state)) return [];
  const left = (answers.connect?.leftOut ?? []).flatMap(id => settings.assistants.find(one => one.id === id) ?? []);
  if (left.length > 0) {
    const names = left.map(({name}) => name).join(' and ');
    const command = `${SETUP} mcp connect ${left.map(({id}) => id).join(' ')}`;
    return [
      {before: `${names} ${left.length === 1 ? 'is' : 'are'} not connected. To connect later: `, strong: command},
    ];
  }
  if (whatWorks(state) === 'signed-in') {
    return [{before: 'No assistant is connected. To connect some: ', strong: `${SETUP} mcp connect`}];
  }
  if (whatWorks(state) !== 'file') return [];
  const [{path = ''} = {}] = shownOutcomes(state);
  return [{before: 'Setup does not know which client that is. Have it read ', strong: path}];
};

/** The IDs of the assistants on this machine that this run could have connected, and did not. */
export const leftOut = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  if (settings.demo) return [];
  const connected = new Set([
    ...(facts.found ? targetsOf(state).targets.map(({assistant}) => assistant.id) : []),
    ...(settings.saved?.entries ?? []).map(({assistant}) => assistant),
  ]);
  return (facts.found ?? []).flatMap(({id, installed, providedBy, blockedBy}) =>
    installed && !providedBy && !blockedBy && !connected.has(id) ? id : [],
  );
};
