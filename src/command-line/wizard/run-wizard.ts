import {cancelled} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {toError} from '../../state/failure.ts';
import type {WizardState} from '../../state/model.ts';
import {signInAgainEvent} from '../../state/steps/sign-in/sign-in-recovery.ts';
import {currentStep} from '../../state/steps.ts';
import {isWorthResuming, type ResumeStore, unfinishedOf} from '../../state/stores/resume-store.ts';
import type {Ending} from '../../state/view/view.ts';
import {createWizard, type Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {isSpoken} from '../output/terminal-abilities.ts';

let [dialogue, screens]: readonly (Promise<Face> | undefined)[] = [];

/**
 * How the wizard is put to a person, loaded ahead of its use: as screens, or as lines that stay. Whoever asks gets the
 * same import, because Deno answers a second one before the modules of the first have run.
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
 * The wizard at a terminal, to its end.
 *
 * @throws SetupError `cancelled` on Ctrl-C or a signal; the failure that the person left on
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
    const {diagnoseFrom} = await import('../diagnosis/diagnose.ts');
    const shown = await diagnoseFrom(wizard.state(), wizard.ports(), invocation);
    if (shown?.ending === 'cancelled') {
      ending = 'cancelled';
      break;
    }
    if (shown?.ending === 'sign-in') wizard.dispatch(signInAgainEvent(wizard.state()));
    else if (shown?.verdict) wizard.dispatch({type: 'diagnosed', verdict: shown.verdict});
    ending = await face(wizard, ports, invocation);
  }
  await wizard.stop();
  const isSaved = await stopKeeping();

  const {failure, answers, facts} = wizard.state();
  // What is kept is said by the next run as well, but who leaves wants to know it now.
  const unfinished = unfinishedOf(wizard.state());
  const isKept = isSaved && !facts.written && (answers.resume ?? 'anew') === 'anew' && isWorthResuming(unfinished);
  if (ending === 'cancelled' && isKept && !invocation.flags.quiet) {
    const {savedClient} = unfinished;
    const secrets =
      savedClient === undefined ? ' (no secrets)' : `, with the secret of the MCP client ${savedClient} only`;
    invocation.terminal.stderr.write(`Progress saved${secrets}. Run ${SETUP} to continue.\n`);
  }
  if (failure && ending === 'failed') throw toError(failure);
  if (ending !== 'done' && currentStep(wizard.state()).id !== 'done') throw cancelled();
};

/**
 * Keeps the answers as they come, so that also a kill leaves the last of them, and forgets them at the end. Returns how
 * to wait for what is still being written, and to know whether anything is kept now.
 */
const keepAnswers = (wizard: Wizard, resume: ResumeStore | undefined): (() => Promise<boolean>) => {
  let writing: Promise<boolean> = Promise.resolve(false);
  const then = (work: () => Promise<boolean>) => {
    writing = writing.then(work);
  };
  // Who only looks and leaves has not begun anything that an earlier run would have to make room for.
  let hasSaid = false;
  wizard.subscribe(({type}) => {
    const {answers} = wizard.state();
    const isOwn = answers.resume === undefined || answers.resume === 'anew';
    const {facts} = wizard.state();
    // That the platform answered is learned after the person has named it.
    const isSaid = type === 'answered' || type === 'went-back' || type === 'reconsidered';
    hasSaid ||= isSaid;
    const isAnswer = isSaid || (hasSaid && type === 'learned' && facts.deployment !== undefined);
    const unfinished = unfinishedOf(wizard.state());
    if (resume && isOwn && isAnswer) then(() => resume.save(unfinished));
    // Once it is written the next run begins at home, whatever the proof says.
    const isKept = facts.written !== undefined || facts.signInSaved || currentStep(wizard.state()).id === 'done';
    if (resume && type === 'learned' && isKept) then(() => resume.clear().then(() => false));
  });
  return () => writing;
};
