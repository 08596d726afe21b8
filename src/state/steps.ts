import {checkConnection} from '../flows/check-connection.ts';
import {createClient} from '../flows/create-client.ts';
import {findDeployment} from '../flows/find-deployment.ts';
import type {FlowEvent} from '../flows/flow.ts';
import {contextNameOf, entriesOf} from '../flows/mcp-entries.ts';
import {obtainToken} from '../flows/obtain-token.ts';
import {planFiles} from '../flows/plan-files.ts';
import {verifyEntries} from '../flows/verify-entries.ts';
import {writeFiles} from '../flows/write-files.ts';
import type {Ports} from '../ports/ports.ts';
import type {Context, SignInMethod} from '../ports/storage.ts';
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
    id: 'find-deployment',
    stage: 'deployment',
    kind: 'run',
    done: ({facts}) => facts.deployment !== undefined,
    forgets: learns('deployment'),
    run: async function* ({settings, answers}, ports, signal) {
      const {platform, layout} = settings;
      const given = answers.baseDomain === undefined ? {} : {baseDomain: answers.baseDomain};
      const input = {platform, layout, addresses: answers.addresses ?? {}, ...given};
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
      const {adminUsername: username = '', applicationId, existingClient: existing = 'refuse'} = state.answers;
      const {authUrl, issuer} = deploymentOf(state);
      const application = applicationId ? {applicationId} : {};
      const input = {platform, authUrl, issuer, username, clientId: clientIdOf(state), existing, ...application};
      return {client: yield* createClient(input, ports, signal)};
    },
  },
  {
    id: 'obtain-token',
    stage: 'sign-in',
    kind: 'run',
    done: ({facts}) => facts.token !== undefined,
    forgets: learns('token'),
    run: async function* (state, ports, signal) {
      const {issuer} = deploymentOf(state);
      const input = {issuer, clientId: clientIdOf(state), method: methodOf(state)};
      return {token: yield* obtainToken(input, ports, signal)};
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
      return {check: yield* checkConnection(input, ports, signal)};
    },
  },
  {
    id: 'plan',
    stage: 'review',
    kind: 'run',
    done: ({facts}) => facts.plan !== undefined,
    forgets: learns('plan'),
    run: async function* (state, ports, signal) {
      return {plan: yield* planFiles(targetsOf(state), ports, signal)};
    },
  },
  {
    id: 'review',
    stage: 'review',
    kind: 'ask',
    flag: '--yes',
    done: ({answers}) => answers.changesAccepted === true,
    forgets: asks('changesAccepted'),
  },
  {
    id: 'write',
    stage: 'review',
    kind: 'run',
    done: ({facts}) => facts.written !== undefined,
    forgets: learns('written'),
    run: async function* (state, ports, signal) {
      const {plan = {files: []}, token} = state.facts;
      const expiry = token?.expiresAt === undefined ? {} : {expiresAt: token.expiresAt};
      const input = {...targetsOf(state), plan, context: contextOf(state), ...expiry};
      return {written: yield* writeFiles(input, ports, signal)};
    },
  },
  {
    id: 'verify',
    stage: 'review',
    kind: 'run',
    done: ({facts}) => facts.verified !== undefined,
    forgets: learns('verified'),
    run: async function* (state, ports, signal) {
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

const deploymentOf = ({facts}: WizardState) => {
  if (!facts.deployment) throw new Error('No step after the search runs without a deployment.');
  return facts.deployment;
};

/** The client that a person who names none gets. */
export const DEFAULT_CLIENT_ID = 'mcp_client';

const clientIdOf = ({answers, facts}: WizardState) => facts.client?.clientId ?? answers.clientId ?? DEFAULT_CLIENT_ID;

const methodOf = ({answers}: WizardState): SignInMethod =>
  answers.signIn === 'service-account' ? 'service-account' : 'mcp-client';

const contextNameIn = (state: WizardState) =>
  state.settings.contextName ?? contextNameOf(deploymentOf(state).baseDomain);

const targetsOf = (state: WizardState) => {
  const {assistants, place, platform} = state.settings;
  return {assistants, place, entries: entriesOf(contextNameIn(state), deploymentOf(state), platform)};
};

const contextOf = (state: WizardState): Context => {
  const {baseDomain, layout, controlPlaneUrl, observerUrl, authUrl, issuer} = deploymentOf(state);
  return {
    name: contextNameIn(state),
    platform: state.settings.platform.id,
    baseDomain,
    layout,
    controlPlaneUrl,
    ...(observerUrl ? {observerUrl} : {}),
    authUrl,
    issuer,
    signIn: methodOf(state),
    clientId: clientIdOf(state),
  };
};
