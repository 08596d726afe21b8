import {clusterAuthorityStep} from './cluster-authority.ts';
import {hasTargets, isByClient, isCreating, isLogin, isNobody, isSignedIn, wantedClientId} from './derived.ts';
import type {WizardState} from './model.ts';
import {asksForOwnCli, isNewToOwnCli, wantsOwnCli} from './own-cli.ts';
import {wantedResource} from './own-tokens.ts';
import * as runs from './runs.ts';
import {asks, learns, nothing, type StepShape} from './step-shape.ts';

/**
 * The wizard, in order. The current step is the first that is not done; nobody ever jumps. An `ask` waits for a person,
 * or for the flag that it names; a `run` is a flow, whose result becomes facts.
 */
export const steps = [
  {
    id: 'unfinished',
    stage: 'deployment',
    kind: 'ask',
    flag: '--yes',
    when: ({settings}) => settings.unfinished !== undefined,
    done: ({answers}) => answers.begun !== undefined,
    forgets: asks('begun'),
  },
  clusterAuthorityStep,
  {
    id: 'saved-sign-in',
    stage: 'deployment',
    kind: 'run',
    when: ({settings, answers}) =>
      settings.saved !== undefined && answers.resume === undefined && answers.begun !== 'go-on',
    done: ({facts}) => facts.savedSignIn !== undefined,
    forgets: learns('savedSignIn'),
    run: runs.savedSignIn,
  },
  {
    id: 'home',
    stage: 'deployment',
    kind: 'ask',
    flag: '--yes',
    when: ({facts}) => facts.savedSignIn !== undefined && facts.savedSignIn.state !== 'ended',
    done: ({answers}) => answers.resume !== undefined,
    forgets: asks('resume'),
  },
  {
    id: 'signed-out',
    stage: 'deployment',
    kind: 'ask',
    flag: '--yes',
    when: ({facts}) => facts.savedSignIn?.state === 'ended',
    done: ({answers}) => answers.resume !== undefined,
    forgets: asks('resume'),
  },
  {
    id: 'find-deployment',
    stage: 'deployment',
    kind: 'run',
    done: ({facts}) => facts.deployment !== undefined || facts.deploymentChoices !== undefined,
    forgets: learns('deployment', 'deploymentChoices'),
    run: runs.findDeployment,
  },
  {
    // Its answer is a base domain, with which the search begins again.
    id: 'which-deployment',
    stage: 'deployment',
    kind: 'ask',
    flag: '--base-domain',
    when: ({facts}) => facts.deploymentChoices !== undefined,
    done: ({facts}) => facts.deployment !== undefined,
    forgets: nothing,
  },
  {
    id: 'deployment',
    stage: 'deployment',
    kind: 'ask',
    flag: '--base-domain',
    done: ({answers}) => answers.deploymentAccepted === true,
    forgets: asks('deploymentAccepted'),
  },
  {
    id: 'sign-in',
    stage: 'sign-in',
    kind: 'ask',
    flag: '--sign-in',
    done: ({answers}) => answers.signIn !== undefined,
    forgets: asks('signIn', 'signInBy'),
  },
  {
    id: 'client',
    stage: 'sign-in',
    kind: 'ask',
    flag: '--client-id and --client-secret-stdin',
    when: state => isByClient(state) && !isSignedIn(state),
    done: ({answers}) => answers.clientEntered === true,
    forgets: asks('clientEntered'),
  },
  {
    id: 'kept-client',
    stage: 'sign-in',
    kind: 'run',
    when: ({answers}) => answers.signIn === 'create-mcp-client',
    done: state => state.facts.keptClient?.clientId === wantedClientId(state),
    forgets: learns('keptClient', 'client'),
    run: runs.findKeptClient,
  },
  {
    id: 'admin',
    stage: 'sign-in',
    kind: 'ask',
    flag: '--admin-username and --admin-password-stdin',
    when: isCreating,
    done: ({answers}) => answers.adminEntered === true,
    forgets: asks('adminEntered', 'existingClient'),
  },
  {
    id: 'create-client',
    stage: 'sign-in',
    kind: 'run',
    when: isCreating,
    done: ({facts}) => facts.client !== undefined,
    forgets: learns('client'),
    run: runs.createClient,
  },
  {
    id: 'obtain-token',
    stage: 'sign-in',
    kind: 'run',
    done: ({facts}) => facts.token !== undefined,
    forgets: learns('token', 'cliClient'),
    run: runs.obtainToken,
  },
  {
    id: 'save-sign-in',
    stage: 'sign-in',
    kind: 'run',
    when: state => isLogin(state) && state.answers.resume !== 'renew',
    done: ({facts}) => facts.signInSaved === true,
    forgets: learns('signInSaved'),
    run: runs.saveSignIn,
  },
  {
    // Its turn comes again when the check has found a server that takes only a token of its own.
    id: 'own-token',
    stage: 'sign-in',
    kind: 'run',
    when: ({facts}) => facts.ownResources !== undefined,
    done: state => wantedResource(state) === undefined,
    forgets: learns('ownTokens'),
    run: runs.ownToken,
  },
  {
    id: 'check',
    stage: 'check',
    kind: 'run',
    done: ({facts}) => facts.check !== undefined,
    forgets: {answers: ['role'], facts: ['check', 'ownResources']},
    run: runs.check,
  },
  {
    id: 'find-assistants',
    stage: 'assistants',
    kind: 'run',
    when: state => !isLogin(state) && !isNobody(state),
    done: ({facts}) => facts.found !== undefined,
    forgets: learns('found'),
    run: runs.findAssistants,
  },
  {
    id: 'assistants',
    stage: 'assistants',
    kind: 'ask',
    flag: '--assistants',
    when: state => !isLogin(state) && !isNobody(state),
    done: ({answers}) => answers.connect !== undefined,
    forgets: asks('connect', 'contextName', 'replace', 'inGit'),
  },
  {
    id: 'find-own-cli',
    stage: 'assistants',
    kind: 'run',
    when: state => asksForOwnCli(state) && state.given.ownCli === undefined,
    done: ({facts}) => facts.ownCli !== undefined,
    forgets: learns('ownCli'),
    run: runs.findOwnCli,
  },
  {
    id: 'own-cli',
    stage: 'assistants',
    kind: 'ask',
    flag: '--cli-config',
    when: asksForOwnCli,
    done: ({answers}) => answers.ownCli !== undefined,
    forgets: asks('ownCli'),
  },
  {
    id: 'plan',
    stage: 'review',
    kind: 'run',
    when: state => hasTargets(state) || wantsOwnCli(state),
    done: ({facts}) => facts.plan !== undefined,
    forgets: learns('plan', 'plannedCli'),
    run: runs.plan,
  },
  {
    id: 'review',
    stage: 'review',
    kind: 'ask',
    flag: '--yes',
    when: state => !isLogin(state) || isNewToOwnCli(state),
    done: ({answers}) => answers.changesAccepted === true,
    forgets: asks('changesAccepted'),
  },
  {
    id: 'write',
    stage: 'review',
    kind: 'run',
    when: state => hasTargets(state) || wantsOwnCli(state),
    done: ({facts}) => facts.written !== undefined,
    forgets: learns('written'),
    run: runs.write,
  },
  {
    id: 'verify',
    stage: 'review',
    kind: 'run',
    when: hasTargets,
    done: ({facts}) => facts.verified !== undefined,
    forgets: learns('verified'),
    run: runs.verify,
  },
  {id: 'done', stage: 'review', kind: 'ask', flag: '', done: () => false, forgets: nothing},
] as const satisfies readonly StepShape[];

export type Step = StepShape & {readonly id: StepId};
export type StepId = (typeof steps)[number]['id'];

/** The steps that this run has, in order: those whose condition holds. */
export const stepsOf = (state: WizardState): readonly Step[] =>
  (steps as readonly Step[]).filter(step => step.when?.(state) ?? true);

/** The first step that is not done. The last one never is. */
export const currentStep = (state: WizardState): Step => {
  const step = stepsOf(state).find(one => !one.done(state));
  if (!step) throw new Error('The last step is never done.');
  return step;
};
