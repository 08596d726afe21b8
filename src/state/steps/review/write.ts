import {setupAwaited} from '../../../flows/setup-awaited.ts';
import {LOCK_TIME} from '../../../flows/time-limits.ts';
import {contextNameIn, signInOf} from '../../derived/context-of.ts';
import {isLogin} from '../../derived/deployment-of.ts';
import {wantsOwnCli} from '../../derived/own-cli.ts';
import {hasTargets} from '../../derived/targets.ts';
import {learns, ok, type RunStep, type StepFlow, waiting} from '../../step.ts';
import {showFile} from '../../view/names.ts';
import {changesAgain} from './review.ts';

const run: StepFlow = async (state, run) => {
  const {plan, plannedCli} = state.facts;
  if (!plan) throw new Error('Nothing is written before it is planned.');
  // A sign-in that is saved already, or that this run continues, is not written again.
  const isKept = isLogin(state) || state.answers.resume === 'connect';
  const signIn = isKept ? {} : {signIn: signInOf(state)};
  const context = contextNameIn(state);
  const {writeFiles} = await import('../../../flows/assistants/write-files.ts');
  const written = await writeFiles({plan, context, ...signIn}, run);
  if (plannedCli) {
    const {writeOwnCli} = await import('../../../flows/own-cli/write-own-cli.ts');
    const path = await writeOwnCli({context, planned: plannedCli}, run);
    return {written: {paths: [...written.paths, path]}};
  }
  return {written};
};

/** Writes what was reviewed, together with the sign-in. */
export const write = {
  id: 'write',
  stage: 'review',
  kind: 'run',
  title: 'Writing',
  failed: 'Not everything was written',
  when: state => hasTargets(state) || wantsOwnCli(state),
  done: ({facts}) => facts.written !== undefined,
  forgets: learns('written'),
  run,
  recovery: (_, failure) => changesAgain(failure),
  eventTexts: {
    'file-written': {
      row: (file, settings) => ok(`file ${file.path}`, 'Written', showFile(file, settings)),
      line: (file, shownAs) => `${file.change === 'unchanged' ? 'Unchanged' : 'Written'}: ${showFile(file, shownAs)}`,
    },
    'setup-awaited': {
      row: () => waiting('setup', 'Another setup', LOCK_TIME, 'is changing assistants. Waiting…'),
      line: () => setupAwaited,
    },
  },
} satisfies RunStep;
