import {FIRST_VERSION_TIMEOUT} from '../../../flows/time-limits.ts';
import type {Ports} from '../../../ports/ports.ts';
import {contextOfAccount} from '../../derived/assistants-account.ts';
import {connectsNoAssistant, isLogin, isResumed} from '../../derived/wizard-deployment.ts';
import {connectedOf, targetsOf} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import {learns, ok, type RunStep, waiting} from '../../step.ts';

/**
 * Finds out whether the account that the assistants have is signed out. A run that continues a saved deployment has
 * learnt that on the home screen.
 */
const inspectedAccount = async (
  state: WizardState,
  ports: Ports,
): Promise<Pick<WizardState['facts'], 'accountSignedOut'>> => {
  const theirs = isResumed(state) ? undefined : contextOfAccount(state);
  if (!theirs) return {};
  const {isSignedOut} = await import('../../../flows/sign-in/resume-sign-in.ts');
  return {accountSignedOut: await isSignedOut(theirs, ports)};
};

/** Finds the installed assistants, and how each can stay signed in. */
export const findAssistants = {
  id: 'find-assistants',
  stage: 'assistants',
  kind: 'run',
  title: 'Looking for your assistants',
  when: state => !isLogin(state) && !connectsNoAssistant(state),
  done: ({facts}) => facts.found !== undefined,
  forgets: learns('found'),
  run: async (state, run) => {
    const {assistants, place, demo} = state.settings;
    const {entries, own, context} = targetsOf(state);
    const urls = entries.map(({url}) => url);
    // The demonstration does not depend on what is installed on the machine.
    const {findAssistants: findAssistantsFlow} = await import('../../../flows/assistants/find-assistants.ts');
    const found = await findAssistantsFlow({assistants, place, commands: !demo, urls}, run);
    if (demo) return {found};
    const within = {assistants, found, entries, place, own, context, connected: connectedOf(state)};
    const {applyRules} = await import('../../../flows/assistants/organisation-rules.ts');
    return {found: await applyRules(within, run), ...(await inspectedAccount(state, run.ports))};
  },
  pendingRows: () => [
    waiting('assistants', 'Assistants', FIRST_VERSION_TIMEOUT, 'asking the installed ones for their versions…'),
  ],
  eventTexts: {
    'no-assistant-found': {
      row: () => ({key: 'assistants', status: 'none', label: 'Assistants', value: 'none found'}),
      line: () => 'No assistant was found here',
    },
    'assistant-found': {
      row: ({id, name, version}) => ok(`assistant ${id}`, name, version ?? ''),
      line: ({name, version}) => `${name} is here${version ? `, version ${version}` : ''}`,
    },
    'assistant-provided': {
      row: ({id, name}) => ok(`assistant ${id}`, name, 'connected by your organisation'),
      line: ({name, path}) => `Your organisation has connected ${name} (${path}), so setup writes nothing for it`,
    },
  },
} satisfies RunStep;
