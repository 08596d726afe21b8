import type {Context} from '../../../domain/context.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Plan} from '../../../flows/assistants/plan-files.ts';
import {createsAccount, givesUpAccount, purposeIn, savedAccount} from '../../derived/assistants-account.ts';
import {isNewToOwnCli} from '../../derived/own-cli.ts';
import {deploymentOf, isLogin} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {Failure, WizardState} from '../../model.ts';
import {type AskStep, asks, type Recovery} from '../../step.ts';
import {purposeOf, showFile} from '../../view/names.ts';

/** Shows the person every change before it is made. */
export const review = {
  id: 'review',
  stage: 'review',
  kind: 'ask',
  title: 'These files will change',
  flag: '--yes',
  when: state => !isLogin(state) || isNewToOwnCli(state),
  done: ({answers}) => answers.changesAccepted === true,
  forgets: asks('changesAccepted'),
  ask: state => {
    const {plan} = state.facts;
    const {settings} = state;
    if (!plan) throw new Error('Nothing is reviewed before it is planned.');
    const changing = changingIn(plan);
    const files = (changing.length > 0 ? changing : plan.files).map(file => {
      const {change, summary, diff} = file;
      return {path: showFile(file, settings), change, summary, diff};
    });
    const heading = changing.length > 0 ? {} : {heading: 'No file has to change'};
    const warnings = [...aboutAccount(state), ...state.warnings.map(({message}) => message)];
    return {type: 'review', ...heading, plan, files, warnings, accept: answered({changesAccepted: true})};
  },
  // If no file changes, there is nothing to agree to.
  defaultAnswer: ({facts: {plan}}, yes) =>
    yes || (plan && changingIn(plan).length === 0) ? {changesAccepted: true} : undefined,
  inputRequired: ({facts: {plan}, settings}) => {
    const paths = plan ? changingIn(plan).map(file => showFile(file, settings)) : [];
    return new SetupError(
      'input-required',
      `These files would change: ${paths.join(', ')}. There is no terminal to review them in.`,
      {
        remedy: 'Pass --yes to write them.',
        about: {flag: 'yes'},
      },
    );
  },
} satisfies AskStep;

/** Says what the run changes at the platform, besides files. */
const aboutAccount = (state: WizardState): readonly string[] => {
  const account = savedAccount(state);
  if (givesUpAccount(state) && account)
    return [
      `Your assistants will act as you again. Their account, ${account.clientId}, will be signed out${account.granted ? ' and lose its role' : '. A role that it has stays: setup did not grant it'}.`,
    ];
  const purpose = purposeIn(state);
  const changed =
    account && !createsAccount(state) && purpose !== undefined && purpose !== account.purpose
      ? [`Your assistants’ account, ${account.clientId}, will from now on be ${purposeOf[purpose]}.`]
      : [];
  const {manifest, kubeContext} = state.facts.accountAccess ?? {};
  if (manifest === undefined) return changed;
  const names = [...manifest.matchAll(/^kind: (.*)\nmetadata:\n {2}name: (.*)$/gm)].map(
    ([, kind, name]) => `${kind} ${name}`,
  );
  const {controlPlaneUrl} = deploymentOf(state);
  const where =
    kubeContext === undefined
      ? `at ${controlPlaneUrl}, with your sign-in`
      : `in the kube context ${kubeContext}, with kubectl`;
  return [...changed, `Also created ${where}, unless it exists: ${names.join(', ')}.`];
};

const changingIn = ({files}: Plan) => files.filter(({change}) => change !== 'unchanged');

/**
 * Offers to review the changes again, if another program has changed a file since it was planned; or to set the
 * deployment up again, if another run has removed it.
 */
export const changesAgain = ({code, about}: Failure, {settings}: Pick<WizardState, 'settings'>): Recovery => {
  if (code !== 'local-file-changed') return {offers: []};
  if (about?.isContextGone && settings.saved) return setUpAgain(settings.saved);
  const again = {type: 'went-back', to: 'plan'} as const;
  return {
    offers: [{label: 'Review the changes again', event: again}],
    // Writing the same plan once more would find the same change.
    retry: again,
    advice: 'Review the changes again. They are now based on the current file.',
  };
};

/** Offers to find the same platform again, and to sign in there as if it had never been saved. */
const setUpAgain = ({name, baseDomain, controlPlaneUrl, observerUrl = 'none', authUrl, issuer}: Context): Recovery => {
  const label = 'Set it up again';
  const event = answered({
    resume: 'anew',
    isContextGone: true,
    baseDomain,
    addresses: {controlPlaneUrl, observerUrl, authUrl, issuer},
  });
  return {
    heading: `${name} is no longer set up on this machine`,
    offers: [{label, event}],
    retry: event,
    advice: `${label}.`,
  };
};
