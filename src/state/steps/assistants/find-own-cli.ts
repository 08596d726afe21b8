import {asksForOwnCli} from '../../derived/own-cli.ts';
import {platformOf} from '../../derived/wizard-deployment.ts';
import {learns, type RunStep} from '../../step.ts';

/** Finds out whether the platform's own CLI is installed. */
export const findOwnCli = {
  id: 'find-own-cli',
  stage: 'assistants',
  kind: 'run',
  title: 'Looking for the platform’s own CLI',
  when: state => asksForOwnCli(state) && state.initialAnswers.ownCli === undefined,
  done: ({facts}) => facts.ownCli !== undefined,
  forgets: learns('ownCli'),
  run: async (state, run) => {
    const {place} = state.settings;
    const {findOwnCli: findOwnCliFlow} = await import('../../../flows/own-cli/own-cli-file.ts');
    return {ownCli: await findOwnCliFlow({platform: platformOf(state), place}, run)};
  },
} satisfies RunStep;
