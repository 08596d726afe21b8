import {savedOf} from '../../derived/purpose.ts';
import {learns, type RunStep} from '../../step.ts';

/** How the sign-in stands that was saved before. */
export const savedSignIn = {
  id: 'saved-sign-in',
  stage: 'deployment',
  kind: 'run',
  title: 'Looking at your sign-in',
  when: ({settings, answers}) =>
    settings.saved !== undefined && answers.resume === undefined && answers.begun !== 'go-on',
  done: ({facts}) => facts.savedSignIn !== undefined,
  forgets: learns('savedSignIn'),
  run: async function* ({settings}, ports, signal) {
    const {savedSignIn} = await import('../../../flows/sign-in/kept/saved-sign-in.ts');
    return {savedSignIn: yield* savedSignIn(savedOf(settings), ports, signal)};
  },
} satisfies RunStep;
