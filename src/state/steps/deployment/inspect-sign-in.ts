import {inspectSignIn as inspectSignInFlow} from '../../../flows/sign-in/entry.ts';
import {savedOf} from '../../derived/purpose.ts';
import {learns, type RunStep} from '../../step.ts';

/** How the sign-in stands that was saved before. */
export const inspectSignIn = {
  id: 'inspect-sign-in',
  stage: 'deployment',
  kind: 'run',
  title: 'Checking your sign-in',
  failed: 'Your sign-in could not be checked',
  when: ({settings, answers}) =>
    settings.saved !== undefined && answers.resume === undefined && answers.begun !== 'go-on',
  done: ({facts}) => facts.inspectedSignIn !== undefined,
  forgets: learns('inspectedSignIn'),
  run: async function* ({settings}, ports, signal) {
    return {inspectedSignIn: yield* inspectSignInFlow(savedOf(settings), ports, signal)};
  },
} satisfies RunStep;
