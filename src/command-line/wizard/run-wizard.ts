import {cancelled} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {answered} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import {isWorthResuming, type ResumeStore, unfinishedOf} from '../../state/resume-store.ts';
import {signedInAnew} from '../../state/steps/account/account.ts';
import {signInAgainEvent} from '../../state/steps/sign-in/sign-in-recovery.ts';
import {currentStep} from '../../state/steps.ts';
import {secretsOf} from '../../state/view/names.ts';
import type {Ending} from '../../state/view/view.ts';
import {createWizard, type Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {isSpoken} from '../output/output.ts';

let [dialogue, screens]: readonly (Promise<Face> | undefined)[] = [];

/**
 * Loads the renderer of the wizard ahead of its use: screens, or lines that stay. Every caller gets the same import,
 * because Deno resolves a second one before the modules of the first have run.
 */
export const loadRenderer = ({flags, env}: Pick<Invocation, 'flags' | 'env'>): Promise<Face> => {
  if (isSpoken(flags, env)) {
    dialogue ??= import('./run-dialogue.ts').then(({runDialogue}) => runDialogue);
    return dialogue;
  }
  screens ??= import('./draw-wizard.tsx').then(({drawWizard}) => drawWizard);
  return screens;
};

type Face = (wizard: Wizard, ports: Ports, invocation: Invocation) => Promise<Ending>;

/**
 * Runs the wizard at a terminal to its end.
 *
 * @throws SetupError `cancelled` on Ctrl-C or a signal; the failure at which the person left
 */
export const runWizard = async (
  initial: WizardState,
  ports: Ports,
  invocation: Invocation,
  resume?: ResumeStore,
): Promise<void> => {
  const face = await loadRenderer(invocation);
  const wizard = createWizard(initial, ports);
  const stopKeeping = keepAnswers(wizard, resume);
  let ending = await face(wizard, ports, invocation);
  while (ending === 'diagnose') {
    const {diagnoseFrom} = await import('../diagnosis/run-doctor.ts');
    const shown = await diagnoseFrom(wizard, invocation);
    if (shown?.ending === 'cancelled') {
      ending = 'cancelled';
      break;
    }
    if (shown?.ending === 'sign-in') wizard.dispatch(signInAgainEvent(wizard.state()));
    else if (shown?.ending === 'assistants-sign-in') wizard.dispatch(answered(signedInAnew(wizard.state())));
    else if (shown?.verdict) wizard.dispatch({type: 'diagnosed', verdict: shown.verdict});
    ending = await face(wizard, ports, invocation);
  }
  await wizard.stop();
  const isSaved = await stopKeeping();

  const {failure, answers, facts} = wizard.state();
  // The next run says what is saved, but a person who leaves wants to know it now.
  const unfinished = unfinishedOf(wizard.state());
  const isKept = isSaved && !facts.written && (answers.resume ?? 'anew') === 'anew' && isWorthResuming(unfinished);
  if (ending === 'cancelled' && isKept && !invocation.flags.quiet) {
    const {savedClients} = unfinished;
    const secrets = savedClients ? `, with ${secretsOf(savedClients)} only` : ' (no secrets)';
    invocation.terminal.stderr.write(`Progress saved${secrets}. Run ${SETUP} to continue.\n`);
  }
  if (ending === 'cancelled' && !invocation.flags.quiet) {
    const {uncheckedNote} = await import('./unchecked-note.ts');
    const note = uncheckedNote(wizard.state());
    if (note !== undefined) invocation.terminal.stderr.write(`${note}\n`);
  }
  if (failure && ending === 'failed') {
    const {toError} = await import('../../state/failure.ts');
    throw toError(failure);
  }
  if (ending !== 'done' && currentStep(wizard.state()).id !== 'done') throw cancelled();
};

/**
 * Saves the answers as they come, so that even a killed run keeps the last one, and deletes them at the end. Returns a
 * function that waits for pending writes and resolves to whether anything is saved.
 */
const keepAnswers = (wizard: Wizard, resume: ResumeStore | undefined): (() => Promise<boolean>) => {
  let writing: Promise<boolean> = Promise.resolve(false);
  const then = (work: () => Promise<boolean>) => {
    writing = writing.then(work);
  };
  // A person who only looks and leaves must not replace the answers of an earlier run.
  let hasSaid = false;
  wizard.subscribe(({type}) => {
    const {answers} = wizard.state();
    const isOwn = answers.resume === undefined || answers.resume === 'anew';
    const {facts} = wizard.state();
    const isSaid = type === 'answered' || type === 'went-back' || type === 'reconsidered';
    hasSaid ||= isSaid;
    // Results that follow from an answer are saved too, such as the deployment at the address that the person gave.
    const isLater =
      type === 'selection-changed' || type === 'failed' || (type === 'learned' && facts.deployment !== undefined);
    const isAnswer = isSaid || (hasSaid && isLater);
    const unfinished = unfinishedOf(wizard.state());
    if (resume && isOwn && isAnswer) then(() => resume.save(unfinished));
    // Once the sign-in or the entries are written, the next run begins at the home screen, even if an entry does not
    // work.
    const isKept = facts.written !== undefined || facts.signInSaved || currentStep(wizard.state()).id === 'done';
    if (resume && type === 'learned' && isKept) then(() => resume.clear().then(() => false));
  });
  return () => writing;
};
