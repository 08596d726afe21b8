import {cancelled, SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {signInOf} from '../../state/derived/wizard-context.ts';
import {isLogin, isSignedIn} from '../../state/derived/wizard-deployment.ts';
import type {WizardEvent} from '../../state/events.ts';
import type {Answers, Failure, WizardState} from '../../state/model.ts';
import type {AskStep} from '../../state/step.ts';
import {currentStep} from '../../state/steps.ts';
import {createWizard} from '../../state/wizard.ts';
import {type Flag, type FlagName, flags} from '../flags.ts';

type Options = {
  /** True if every default is accepted, including the writing of files. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  readonly tell: (event: WizardEvent) => void;
  /** True if a person could be asked, but has passed a flag that forbids questions. */
  readonly isTerminal?: boolean;
};

/**
 * Runs the wizard to its end without a person: the same steps, with flags and defaults as answers.
 *
 * @throws SetupError `input-required` naming the missing flag, or the error of a step
 */
export const runHeadless = (
  initial: WizardState,
  ports: Ports,
  {yes, signal, tell, isTerminal = false}: Options,
): Promise<WizardState> => {
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
        const {failure} = state;
        end(() => {
          const keeping = yes ? keepSignIn(state, wizard.ports(), {signal, tell}) : Promise.resolve(false);
          keeping.then(isKept => failureIn(state, failure, isKept)).then(reject, reject);
        });
      } else if (step.id === 'done') {
        end(() => resolve(state));
      } else if (step.kind === 'ask') {
        const answers = step.defaultAnswer?.(state, yes);
        if (answers && !yes && losesSignIn(state, answers)) end(() => reject(signInLost(isTerminal)));
        else if (answers) wizard.dispatch({type: 'answered', answers});
        else end(() => reject(step.inputRequired?.(state) ?? inputRequired(step, state, {yes, isTerminal})));
      }
    };

    const unsubscribe = wizard.subscribe(event => {
      tell(event);
      // After a result or an answer the next step may be a question; an event during a flow never leads to one.
      if (event.type === 'learned' || event.type === 'answered' || event.type === 'failed') queueMicrotask(goOn);
    });
    signal.addEventListener('abort', cancel, {once: true});
    if (signal.aborted) cancel();
    else if (!yes && losesSignIn(initial, initial.answers)) end(() => reject(signInLost(isTerminal)));
    else {
      wizard.start();
      goOn();
    }
  });
};

/**
 * Saves the sign-in of a run that failed later, as `login` does, so that the next run can continue from there.
 *
 * @returns whether it is saved now and was not before
 */
const keepSignIn = async (
  state: WizardState,
  ports: Ports,
  {signal, tell}: Pick<Options, 'signal' | 'tell'>,
): Promise<boolean> => {
  const {facts, settings} = state;
  const isOver = facts.signInSaved || facts.written !== undefined || isSignedIn(state) || settings.demo !== undefined;
  if (facts.token === undefined || isOver) return false;
  try {
    const {saveSignIn} = await import('../../flows/sign-in/save-sign-in.ts');
    await saveSignIn(signInOf(state), {ports, signal, tell});
    return true;
  } catch {
    // The first failure is the one to report.
    return false;
  }
};

/**
 * Returns the failure as an error. If a scope is missing in a run that saves no sign-in by itself, the remedy repeats
 * this command: another command would renew the sign-in but not finish this run.
 */
const failureIn = async ({settings, facts}: WizardState, failure: Failure, isKept: boolean): Promise<SetupError> => {
  const {toError} = await import('../../state/failure.ts');
  const error = toError(failure);
  const savedNote = isKept ? ` The sign-in as ${facts.token?.account} is saved.` : '';
  const {toRequest} = error.about;
  if (toRequest === undefined || settings.saved || facts.signInSaved) return error.saying(savedNote);
  return error.saying(savedNote, `Run the same command again with --scopes "${toRequest.join(' ')}".`);
};

/**
 * Whether a person would sign in for nothing: a set-up that saves the sign-in at its end only, and writes nothing
 * without --yes. The sign-in of a client asks nobody, and shows which files would change.
 */
const losesSignIn = (state: WizardState, {signIn}: Partial<Answers>): boolean =>
  (signIn === 'browser' || signIn === 'create-mcp-client') && isFirstSetUp(state);

/** Whether the run sets up a deployment, and saves nothing before the review. */
const isFirstSetUp = (state: WizardState): boolean =>
  state.settings.saved === undefined && state.settings.demo === undefined && !isLogin(state);

const signInLost = (isTerminal: boolean): SetupError =>
  new SetupError('input-required', 'Without --yes nothing would be written here, so the sign-in would be lost.', {
    remedy: `Pass --yes to write without a review, or ${isTerminal ? 'leave --json out' : 'run in a terminal'}.`,
    about: {flag: 'yes'},
  });

const inputRequired = (
  step: AskStep,
  state: WizardState,
  {yes, isTerminal}: Pick<Options, 'yes' | 'isTerminal'>,
): SetupError => {
  const missing = missingFlags(step, state);
  const [first] = missing;
  const names = yes || isTerminal || !isFirstSetUp(state) ? missing : (['yes', ...missing] as const);
  const why = isTerminal
    ? 'This needs an answer, but --yes and --json forbid questions.'
    : 'Standard input or output is not a terminal, so I can’t ask.';
  return new SetupError('input-required', why, {
    remedy: `Pass ${names.map(withValues).join(' and ')}, or ${isTerminal ? 'leave that flag out' : 'run in a terminal'}.`,
    ...(first === undefined ? {} : {about: {flag: first}}),
  });
};

/**
 * Returns the flags that would answer a step, without those whose answer is known; all of them if every answer is
 * known.
 */
export const missingFlags = (
  {flag}: Pick<AskStep, 'flag'>,
  {answers, settings}: Pick<WizardState, 'answers' | 'settings'>,
): readonly FlagName[] => {
  const named = flag.split(' and ').map(name => name.replace(/^--/, '') as FlagName);
  const values: {readonly [N in FlagName]?: unknown} = {
    'client-id': answers.clientId ?? settings.presets['service-account']?.clientId,
    'client-secret-stdin': answers.clientSecret ?? settings.clientSecret,
    'admin-username': answers.adminUsername,
    'admin-password-stdin': answers.adminPassword,
  };
  const missing = named.filter(name => values[name] === undefined);
  return missing.length > 0 ? missing : named;
};

/** Returns a flag with its kind of value. */
const withValues = (name: FlagName): string => {
  const flag: Flag | undefined = flags[name];
  return flag?.value === undefined ? `--${name}` : `--${name} ${flag.value}`;
};
