import {documented, generic} from '../../../assistants/catalogue/generic.ts';
import {type AccountContent, describeContent, firstProject} from '../../../domain/account-content.ts';
import {withoutRoleIn} from '../../derived/assistants-account.ts';
import {contextCommand} from '../../derived/context-command.ts';
import {isLogin, leavesObserverOut} from '../../derived/wizard-deployment.ts';
import {entriesBefore, targetsOf, unreadableIn} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import type {DoneView} from '../../view/view.ts';
import {actsForAssistants, organisationOutcomes, outcomesOf, seesNoTools, shownOutcomes} from './outcome.ts';

/**
 * What works at the end of a run. `file`: the only entries are in the file for any client, so it is unknown which
 * assistant reads them. `signed-in`: nothing is connected. `without-tools`: the control plane offers the assistants
 * no tools.
 */
export type WhatWorks = 'assistants' | 'file' | 'signed-in' | 'without-role' | 'without-tools';

export const whatWorks = (state: WizardState): WhatWorks => {
  const {settings} = state;
  if (withoutRoleIn(state)) return 'without-role';
  if (organisationOutcomes(state).length > 0) return 'assistants';
  const outcomes = outcomesOf(state);
  if (outcomes.length === 0) return 'signed-in';
  if (seesNoTools(state)) return 'without-tools';
  // The demonstration reads that file itself.
  const isRead = settings.demo !== undefined || outcomes.some(({assistant}) => !isForAny.has(assistant));
  return isRead ? 'assistants' : 'file';
};

const isForAny: ReadonlySet<string> = new Set([generic.name, documented.name]);

/**
 * Returns the result of a run as a headline: what works, without hiding that something was left out. `platform` is the
 * platform's name, such as its base domain if the line stands alone.
 */
export const headlineOf = (state: WizardState, platform = 'the platform'): string => {
  const works = whatWorks(state);
  if (works === 'without-role')
    return shownOutcomes(state).length > 0
      ? 'Connected, but the account lacks a role'
      : 'Signed in, but the account lacks a role';
  if (works === 'without-tools') return 'Connected, but the control plane offers your assistants no tools';
  if (state.facts.check?.providerFault) return 'Everything works for now, but your sign-in can’t be renewed';
  if (works === 'signed-in')
    return `${actsForAssistants(state) ? 'Your assistants are' : 'You are'} signed in to ${platform} as ${state.facts.token?.account}`;
  if (state.answers.resume === 'renew' && !state.answers.signInAnew)
    return isWhole(state)
      ? 'Everything works. Every entry is up to date.'
      : state.facts.unreadable
        ? 'The platform answers, but at least one assistant’s file cannot be changed.'
        : 'The platform answers. Some entries were left as you changed them.';
  if (isLogin(state))
    return isWhole(state) ? 'Signed in again. Every entry works.' : 'Signed in again. Not every entry was renewed.';
  const [{path = ''} = {}] = shownOutcomes(state);
  const file = path.split(/[\\/]/).at(-1);
  if (state.answers.resume === 'connect' && !isWhole(state))
    return `Your assistants can reach ${platform}, but some entries were left as you changed them`;
  return works === 'file' ? `${file} is ready for your assistant` : `All set: your assistants can reach ${platform}`;
};

/** Returns what the account sees through the entry that was tried first. */
export const contentIn = ({facts}: WizardState): AccountContent | undefined =>
  facts.verified?.find(({content}) => content !== undefined)?.content;

/** Says what the account sees; undefined if that was not read. */
export const whatIsSeen = (state: WizardState): string | undefined => {
  const content = contentIn(state);
  return content && describeContent(content, 'Your assistants');
};

/** Names the command that creates the first project, if there is none yet. */
export const leftToCreate = (state: WizardState): DoneView['next'] => {
  const content = contentIn(state);
  const command = content && firstProject(content);
  return command === undefined ? [] : [{before: 'To create the first project: ', strong: command}];
};

/**
 * Whether every entry to be renewed was renewed and tested. An entry that the person has changed is left as it is. An
 * assistant may have entries of the same name in several files, and their files may have moved, so they are counted.
 */
const isWhole = (state: WizardState): boolean => {
  const {verified = [], unreadable} = state.facts;
  const wanted = targetsOf(state).targets.flatMap(({assistant, renews}) =>
    (renews?.names ?? []).map(name => `${assistant.name} ${name}`),
  );
  const tested = verified.map(({assistant, name}) => `${assistant} ${name}`);
  const countIn = (all: readonly string[], entry: string) => all.filter(one => one === entry).length;
  return !unreadable && wanted.every(entry => countIn(tested, entry) >= countIn(wanted, entry));
};

/** Says which assistants are not connected, with the command that connects them. */
export const leftToConnect = (state: WizardState): DoneView['next'] => {
  if (isLogin(state)) return leftUnread(state);
  const works = whatWorks(state);
  const left = leftOut(state);
  const names = left.map(id => state.settings.assistants.find(one => one.id === id)?.name ?? id).join(', ');
  const are = left.length === 1 ? 'is' : 'are';
  const [{path = ''} = {}] = shownOutcomes(state);
  return [
    ...(works === 'file'
      ? [
          {
            before: 'If your assistant does not find this file by itself, add its path to the assistant’s settings: ',
            strong: path,
          },
        ]
      : []),
    ...(left.length > 0
      ? [
          {
            before: `${names} ${are} not connected. To connect later: `,
            strong: contextCommand(state, `mcp connect ${left.join(' ')}`),
          },
        ]
      : []),
    ...withoutObserver(state),
    ...(works === 'signed-in' && left.length === 0 && connectedBefore(state).length === 0
      ? [{before: 'No assistant is connected. To connect one: ', strong: contextCommand(state, 'mcp connect')}]
      : []),
  ];
};

/** Says what the assistants lack if the person left the observer out, and how to add it. */
const withoutObserver = (state: WizardState): DoneView['next'] =>
  leavesObserverOut(state)
    ? [
        {
          before: 'Without the observer, assistants cannot read logs, metrics or traces. To add it later: ',
          strong: contextCommand(state, '--observer-url ADDRESS'),
        },
      ]
    : [];

/** Says which assistants' files could not be read, and how to connect them afterwards. */
const leftUnread = (state: WizardState): DoneView['next'] =>
  unreadableIn(state).map(({assistant: {id, name}, problem}) => ({
    before: `${problem} ${name} was left out. Fix the file, or make it writable, then run: `,
    strong: contextCommand(state, `mcp connect ${id}`),
  }));

/** Returns the IDs of the assistants that were connected to this run's context when the run began. */
const connectedBefore = (state: WizardState): readonly string[] => entriesBefore(state).map(({assistant}) => assistant);

/** Returns the IDs of the assistants that this run could have connected but did not: those installed, or asked for. */
export const leftOut = (state: WizardState): readonly string[] => {
  const {facts, settings, answers} = state;
  if (settings.demo) return [];
  const connected = new Set([
    ...(facts.found ? targetsOf(state).targets.map(({assistant}) => assistant.id) : []),
    // An assistant that was connected before and is not in the targets keeps its entries, or the person has just
    // disconnected it.
    ...connectedBefore(state),
  ]);
  const here = (facts.found ?? []).filter(
    ({installed, providedBy, blockedBy}) => installed && !providedBy && !blockedBy,
  );
  const ids = new Set([...(answers.connect?.leftOut ?? []), ...here.map(({id}) => id)]);
  const unread = unreadableIn(state).map(({assistant: {id}}) => id);
  return [...unread, ...[...ids].filter(id => !connected.has(id))];
};
