import {savedOf} from '../../derived/wizard-deployment.ts';
import {learns, type RunStep} from '../../step.ts';

/** Inspects the saved sign-in. */
export const inspectSignIn = {
  id: 'inspect-sign-in',
  stage: 'deployment',
  kind: 'run',
  title: 'Checking your sign-in',
  when: ({settings, answers}) =>
    settings.saved !== undefined && answers.resume === undefined && answers.begun !== 'go-on',
  done: ({facts}) => facts.inspectedSignIn !== undefined,
  forgets: learns('inspectedSignIn', 'otherContexts'),
  run: async ({settings}, run) => {
    const {ports} = run;
    const saved = savedOf(settings);
    const {inspectOthers} = await import('../../../flows/sign-in/resume-sign-in.ts');
    const others = inspectOthers(saved, ports);
    // Avoids an unhandled rejection: an error of the sign-in itself is reported first.
    others.catch(() => undefined);
    const {inspectSignIn: inspectSignInFlow} = await import('../../../flows/sign-in/resume-sign-in.ts');
    return {
      inspectedSignIn: await inspectSignInFlow(saved, run),
      otherContexts: await others,
    };
  },
} satisfies RunStep;
