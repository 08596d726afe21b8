import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
import {
  clientIdOf,
  contextOf,
  deploymentIn,
  deploymentOf,
  hasTargets,
  isLogin,
  methodOf,
  savedOf,
  targetsOf,
  tokenOf,
} from './derived.ts';
import type {Answers, Facts, WizardState} from './model.ts';

/** The parts of the wizard that the rail at the top shows. */
export type Stage = 'deployment' | 'sign-in' | 'check' | 'review';

type Run = AsyncGenerator<FlowEvent, Partial<Facts>, void>;

type StepShape = {
  readonly id: string;
  readonly stage: Stage;
  when?(state: WizardState): boolean;
  done(state: WizardState): boolean;
  /** Answers and facts that came from this step: going back to it forgets these, and those of every later step. */
  readonly forgets: {readonly answers: readonly (keyof Answers)[]; readonly facts: readonly (keyof Facts)[]};
} & (
  | {readonly kind: 'ask'; readonly flag: string}
  | {readonly kind: 'run'; run(state: WizardState, ports: Ports, signal: AbortSignal): Run}
);

const nothing = {answers: [], facts: []} as const;
const learns = (...facts: readonly (keyof Facts)[]) => ({answers: [], facts});
const asks = (...keys: readonly (keyof Answers)[]) => ({answers: keys, facts: []});

/**
 * The wizard, in order. The current step is the first that is not done; nobody ever jumps. An `ask` waits for a person,
 * or for the flag that it names; a `run` is a flow, whose result becomes facts.
 */
export const steps = [
  {
    id: 'saved-sign-in',
    stage: 'deployment',
    kind: 'run',
    when: ({settings, answers}) => settings.saved !== undefined && answers.resume === undefined,
    done: ({facts}) => facts.savedSignIn !== undefined,
    forgets: learns('savedSignIn'),
    run: async function* ({settings}, ports, signal) {
      const {savedSignIn} = await import('../flows/saved-sign-in.ts');
      return {savedSignIn: yield* savedSignIn(savedOf(settings), ports, signal)};
    },
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
    done: ({facts}) => facts.deployment !== undefined,
    forgets: learns('deployment'),
    run: async function* ({settings, answers}, ports, signal) {
      if (answers.resume === 'sign-in') return {deployment: deploymentIn(savedOf(settings))};
      const {platform, layout} = settings;
      const given = answers.baseDomain === undefined ? {} : {baseDomain: answers.baseDomain};
      const named = settings.contextName === undefined ? {} : {context: settings.contextName};
      const input = {platform, layout, addresses: answers.addresses ?? {}, ...given, ...named};
      const {findDeployment} = await import('../flows/find-deployment.ts');
      return {deployment: yield* findDeployment(input, ports, signal)};
    },
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
    forgets: asks('signIn'),
  },
  {
    id: 'client',
    stage: 'sign-in',
    kind: 'ask',
    flag: '--client-id and --client-secret-stdin',
    when: ({answers}) => answers.signIn === 'mcp-client' || answers.signIn === 'service-account',
    done: ({answers}) => answers.clientEntered === true,
    forgets: asks('clientEntered'),
  },
  {
    id: 'admin',
    stage: 'sign-in',
    kind: 'ask',
    flag: '--admin-username and --admin-password-stdin',
    when: ({answers}) => answers.signIn === 'create-mcp-client',
    done: ({answers}) => answers.adminEntered === true,
    forgets: asks('adminEntered', 'existingClient'),
  },
  {
    id: 'create-client',
    stage: 'sign-in',
    kind: 'run',
    when: ({answers}) => answers.signIn === 'create-mcp-client',
    done: ({facts}) => facts.client !== undefined,
    forgets: learns('client'),
    run: async function* (state, ports, signal) {
      const {platform} = state.settings;
      const {adminUsername: username = '', applicationId, existingClient} = state.answers;
      const existing = existingClient ?? (state.created.includes(clientIdOf(state)) ? 'reset-secret' : 'refuse');
      const {authUrl, issuer} = deploymentOf(state);
      const application = applicationId ? {applicationId} : {};
      const input = {platform, authUrl, issuer, username, clientId: clientIdOf(state), existing, ...application};
      const {createClient} = await import('../flows/create-client.ts');
      return {client: yield* createClient(input, ports, signal)};
    },
  },
  {
    id: 'obtain-token',
    stage: 'sign-in',
    kind: 'run',
    done: ({facts}) => facts.token !== undefined,
    forgets: learns('token', 'cliClient'),
    run: async function* (state, ports, signal) {
      const {issuer, controlPlaneUrl} = deploymentOf(state);
      const method = methodOf(state);
      if (method !== 'browser') {
        const {secretFrom: from} = state.settings;
        if (from && !state.facts.client) yield {type: 'secret-taken', clientId: clientIdOf(state), from};
        const {obtainToken} = await import('../flows/obtain-token.ts');
        return {token: yield* obtainToken({issuer, clientId: clientIdOf(state), method}, ports, signal)};
      }
      const {platform, openBrowser: open, saved} = state.settings;
      const redirectUri = state.settings.redirectUri ?? saved?.redirectUri ?? platform.callbackUrl;
      const {clientId, signInBy: by = 'browser'} = state.answers;
      const given = clientId === undefined ? {} : {clientId};
      const {signInPerson} = await import('../flows/sign-in-person.ts');
      const {client, token} = yield* signInPerson(
        {platform, controlPlaneUrl, issuer, by, open, redirectUri, ...given},
        ports,
        signal,
      );
      return {cliClient: client, token};
    },
  },
  {
    id: 'save-sign-in',
    stage: 'sign-in',
    kind: 'run',
    when: isLogin,
    done: ({facts}) => facts.signInSaved === true,
    forgets: learns('signInSaved'),
    run: async function* (state, ports, signal) {
      const {saveSignIn} = await import('../flows/save-sign-in.ts');
      yield* saveSignIn({context: contextOf(state), token: tokenOf(state)}, ports, signal);
      return {signInSaved: true};
    },
  },
  {
    id: 'check',
    stage: 'check',
    kind: 'run',
    done: ({facts}) => facts.check !== undefined,
    forgets: learns('check'),
    run: async function* (state, ports, signal) {
      const input = {platform: state.settings.platform, deployment: deploymentOf(state)};
      const {checkConnection} = await import('../flows/check-connection.ts');
      return {check: yield* checkConnection(input, ports, signal)};
    },
  },
  {
    id: 'plan',
    stage: 'review',
    kind: 'run',
    when: hasTargets,
    done: ({facts}) => facts.plan !== undefined,
    forgets: learns('plan'),
    run: async function* (state, ports, signal) {
      const {planFiles} = await import('../flows/plan-files.ts');
      return {plan: yield* planFiles(targetsOf(state), ports, signal)};
    },
  },
  {
    id: 'review',
    stage: 'review',
    kind: 'ask',
    flag: '--yes',
    when: state => !isLogin(state),
    done: ({answers}) => answers.changesAccepted === true,
    forgets: asks('changesAccepted'),
  },
  {
    id: 'write',
    stage: 'review',
    kind: 'run',
    when: hasTargets,
    done: ({facts}) => facts.written !== undefined,
    forgets: learns('written'),
    run: async function* (state, ports, signal) {
      const {plan} = state.facts;
      if (!plan) throw new Error('Nothing is written before it is planned.');
      const input = {...targetsOf(state), plan, token: tokenOf(state), context: contextOf(state)};
      const {writeFiles} = await import('../flows/write-files.ts');
      return {written: yield* writeFiles(input, ports, signal)};
    },
  },
  {
    id: 'verify',
    stage: 'review',
    kind: 'run',
    when: hasTargets,
    done: ({facts}) => facts.verified !== undefined,
    forgets: learns('verified'),
    run: async function* (state, ports, signal) {
      const {verifyEntries} = await import('../flows/verify-entries.ts');
      return {verified: yield* verifyEntries(targetsOf(state), ports, signal)};
    },
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
