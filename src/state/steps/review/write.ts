import type {ErrorCode} from '../../../errors/errors.ts';
import {setupAwaited} from '../../../flows/flow.ts';
import {LOCK_TIME} from '../../../flows/time-limits.ts';
import {wantsOwnCli} from '../../derived/own-cli.ts';
import {hasTargets} from '../../derived/wizard-targets.ts';
import {learns, ok, type RunStep, type StepFlow, waiting} from '../../step.ts';
import {showFile} from '../../view/names.ts';
import {withoutGrant} from '../account/account-access.ts';
import {changesAgain} from './review.ts';

/** What writes is loaded when the wizard gets there, long after its first screen. */
const run: StepFlow = async (state, run) => (await import('./write-changes.ts')).writeChanges(state, run);

const outcomeOf = ({change}: {readonly change: string}): string => (change === 'unchanged' ? 'Unchanged' : 'Written');

/** The error codes for a role that the control plane, or the cluster, refuses to create. */
const refusalsOfRole: ReadonlySet<ErrorCode> = new Set(['auth-permission-missing', 'platform-rejected']);

/** Writes what was reviewed, together with the sign-in. */
export const write = {
  id: 'write',
  stage: 'review',
  kind: 'run',
  title: 'Writing',
  when: state => hasTargets(state) || wantsOwnCli(state),
  done: ({facts}) => facts.written !== undefined,
  forgets: learns('written'),
  run,
  recovery: (state, failure) =>
    state.facts.accountAccess?.manifest !== undefined && refusalsOfRole.has(failure.code)
      ? {offers: withoutGrant}
      : changesAgain(failure, state),
  eventTexts: {
    'file-written': {
      row: (file, settings) => ok(`file ${file.path}`, outcomeOf(file), showFile(file, settings)),
      line: (file, shownAs) => `${outcomeOf(file)}: ${showFile(file, shownAs)}`,
    },
    'setup-awaited': {
      row: () => waiting('setup', 'Another setup', LOCK_TIME, 'is changing assistants. Waiting…'),
      line: () => setupAwaited,
    },
  },
} satisfies RunStep;
