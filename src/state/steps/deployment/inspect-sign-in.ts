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
  forgets: learns('inspectedSignIn', 'otherContexts'),
  run: async ({settings}, run) => {
    const {ports} = run;
    const saved = savedOf(settings);
    const {inspectOthers} = await import('../../../flows/sign-in/resume-sign-in.ts');
    const others = inspectOthers(saved, ports);
    // What fails meanwhile is told by the sign-in first.
    others.catch(() => undefined);
    const {inspectSignIn: inspectSignInFlow} = await import('../../../flows/sign-in/resume-sign-in.ts');
    return {
      inspectedSignIn: await inspectSignInFlow(saved, run),
      otherContexts: await others,
    };
  },
} satisfies RunStep;
