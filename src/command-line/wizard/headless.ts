import {cancelled, SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Answers, WizardState} from '../../state/model.ts';
import {foundBy} from '../../state/names.ts';
import type {WizardEvent} from '../../state/reducer.ts';
import {currentStep, type Step} from '../../state/steps.ts';
import {createWizard} from '../../state/wizard.ts';

type Options = {
  /** Every default is taken, the writing of files among them. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  readonly tell: (event: WizardEvent) => void;
};

/**
 * Runs the wizard to its end without a person: the same steps, with flags and defaults for answers.
 *
 * @throws SetupError `input-required` naming the flag that is missing, or what a step failed with
 */
export const runHeadless = (initial: WizardState, ports: Ports, {yes, signal, tell}: Options): Promise<WizardState> => {
  const wizard = createWizard(initial, ports);
  return new Promise<WizardState>((resolve, reject) => {
    const end = (settle: () => void) => {
      unsubscribe();
      signal.removeEventListener('abort', cancel);
      wizard.stop().then(settle, reject);
    };
    const cancel = () => end(() => reject(cancelled()));

    const goOn = () => {
      const state = wizard.state();
      const step = currentStep(state);
      if (state.failure) {
        const {code, message, remedy} = state.failure;
        end(() => reject(new SetupError(code, message, {remedy})));
      } else if (step.id === 'done') {
        end(() => resolve(state));
      } else if (step.kind === 'ask') {
        const answers = answerFor(step, state, yes);
        if (answers) wizard.dispatch({type: 'answered', answers});
        else end(() => reject(inputRequired(step, state)));
      }
    };

    const unsubscribe = wizard.subscribe(event => {
      tell(event);
      // After a result or an answer the next step may be a question; what a flow tells on its way never leads to one.
      if (event.type === 'learned' || event.type === 'answered' || event.type === 'failed') queueMicrotask(goOn);
    });
    signal.addEventListener('abort', cancel, {once: true});
    if (signal.aborted) cancel();
    else {
      wizard.start();
      goOn();
    }
  });
};

/** What a question is answered with when nobody is there to ask; undefined when only a person can say. */
const answerFor = (step: Step, {settings}: WizardState, yes: boolean): Partial<Answers> | undefined => {
  const {suggested, presets, connect} = settings;
  if (step.id === 'deployment') return {deploymentAccepted: true};
  if (step.id === 'sign-in' && suggested) return {signIn: suggested, ...presets[suggested]};
  if (step.id === 'assistants') return {connect: {assistants: 'detected', scope: 'user', method: 'auto', ...connect}};
  // Another program's sign-in is changed only where somebody says so.
  if (step.id === 'own-cli') return {ownCli: false};
  if (step.id === 'review' && yes) return {changesAccepted: true};
  return undefined;
};

const inputRequired = (step: Step & {kind: 'ask'}, {facts}: WizardState) => {
  if (step.id === 'review') {
    return new SetupError('input-required', 'Files would be written, and nobody is here to look at the changes.', {
      remedy: 'Pass --yes to write them.',
      about: {flag: 'yes'},
    });
  }
  if (step.id === 'which-deployment') return whichDeployment(facts.deploymentChoices ?? []);
  return new SetupError('input-required', `Nobody is here to answer what ${step.flag} would.`, {
    remedy: `Pass ${step.flag}, or run in a terminal.`,
    about: {flag: step.flag.replace(/^--/, '')},
  });
};

/** Taking one of several platforms is never left to chance. */
const whichDeployment = (choices: NonNullable<WizardState['facts']['deploymentChoices']>) => {
  const found = choices.map(({name, controlPlaneUrl, source}) => `${name} at ${controlPlaneUrl}, ${foundBy[source]}`);
  const flags = choices.map(({controlPlaneUrl}) => `--base-domain ${controlPlaneUrl}`);
  return new SetupError('input-required', `There is more than one platform: ${found.join('; and ')}.`, {
    remedy: `Say which one: ${flags.join(' or ')}.`,
    about: {flag: 'base-domain'},
  });
};
