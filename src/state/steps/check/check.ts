import {canOnlyLook} from '../../../domain/context.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import {type SignInLevel, scopesOfClient} from '../../../domain/token-request.ts';
import {askedResource, type RunTokens} from '../../../domain/tokens.ts';
import {aboutTokens, describeCost, sumOf, type ToolChoice, type ToolLimit} from '../../../domain/tool-sets.ts';
import {type ErrorCode, familyOf, SetupError} from '../../../errors/errors.ts';
import {faultInWords} from '../../../errors/known-fault.ts';
import type {Run} from '../../../flows/flow.ts';
import type {ConnectionReport} from '../../../flows/platform-tools/check-connection.ts';
import {LIST_TIMEOUT, ROLE_TIME} from '../../../flows/time-limits.ts';
import {CALL_TIMEOUT} from '../../../ports/ports.ts';
import {
  clientIdOf,
  contextOf,
  isOver,
  methodOf,
  runTokensOf,
  serversIn,
  signInOf,
  tokenOf,
  unaskedServers,
} from '../../derived/wizard-context.ts';
import {contactIn, deploymentOf, isLogin, isSignedIn, platformOf, savedOf} from '../../derived/wizard-deployment.ts';
import {usualTools} from '../../derived/wizard-targets.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {ok, type RunStep, type StepFlow, silent, waiting} from '../../step.ts';
import {serverName, serviceName} from '../../view/names.ts';
import type {Offer} from '../../view/view.ts';
import {anotherWay, signInAgainEvent, signInRecovery} from '../sign-in/sign-in-recovery.ts';

const run: StepFlow = (state, run) =>
  checkUntil(state, run, state.answers.role === 'wait' ? run.ports.clock.now() + ROLE_TIME : undefined);

/** Checks the connection. A wait for a role ends at `waitsUntil`, in milliseconds since the epoch. */
const hasAccount = ({settings: {saved}}: WizardState): boolean =>
  saved?.actsAs !== undefined || saved?.assistantsAccount !== undefined;

const checkUntil = async (state: WizardState, run: Run, waitsUntil: number | undefined): ReturnType<StepFlow> => {
  const {role} = state.answers;
  const contact = contactIn(state);
  const input = {
    platform: platformOf(state),
    deployment: deploymentOf(state),
    tokens: runTokensOf(state),
    clientId: clientIdOf(state),
    ...(role ? {role} : {}),
    ...(waitsUntil === undefined ? {} : {waitsUntil}),
    ...purposeOf(state),
    ...(contact === undefined ? {} : {contact}),
    // A saved deployment may not record its release, and the platform may have been upgraded since. The release decides
    // which tools there are to choose from, and whether a role limits the assistants' own account. A sign-in may turn out
    // to need that account's as well.
    ...(state.answers.resume === 'connect' || hasAccount(state) ? {asksVersion: true} : {}),
    ...(asksProvider(state) ? {asksProvider: true} : {}),
  };
  try {
    const renewed = await renewedAfterFailure(state, run);
    const {checkConnection} = await import('../../../flows/platform-tools/check-connection.ts');
    const found = await checkConnection({...input, ...renewed}, run);
    const check = {...found, ...('providerFault' in renewed ? {providerFault: renewed.providerFault} : {})};
    // A login run saves the sign-in before this check, so before a server is found to need a token of its own.
    if (isLogin(state) && state.facts.ownTokens) {
      // A client's token may have been replaced by one for the control plane, so it is saved again. A person's may have
      // been renewed by another process, so the saved one stays.
      const {saveSignIn} = await import('../../../flows/sign-in/save-sign-in.ts');
      await saveSignIn({...signInOf(state), isKept: methodOf(state) === 'browser'}, run);
    }
    return {check, ...('tokens' in renewed ? heldNow(renewed.tokens, state) : {})};
  } catch (error) {
    const {checkRenewed, isTokenRefusal} = await import('../../../flows/platform-tools/saved-connection.ts');
    if (!isTokenRefusal(error)) throw error;
    if (isSignedIn(state)) {
      // A saved token may be refused by now, for example because the identity provider has changed its keys.
      const context = savedOf(state.settings);
      const {check, tokens} = await checkRenewed({context, input}, run);
      return {check, ...heldNow(tokens, state)};
    }
    if (isOver(tokenOf(state), run.ports.clock.now())) return checkAfterExpiry(state, run, waitsUntil);
    const asked = askedResource(contextOf(state));
    // A person's token is already for the control plane, if that has a resource to request.
    const among = unaskedServers(state).filter(server => methodOf(state) !== 'browser' || server !== 'control-plane');
    const known = {...input, among, ...(asked === undefined ? {} : {asked})};
    const {findOwnResource} = await import('../../../flows/sign-in/server-token.ts');
    const found = await findOwnResource(known, run);
    if (!found) throw error;
    return {ownResources: {...state.facts.ownResources, [found.server]: found.resource}};
  }
};

/**
 * Renews a sign-in that is not saved yet, whose token has expired while the person waited, for example for a role, and
 * checks again.
 *
 * @throws SetupError `auth-sign-in-required` if nothing renews it
 */
const checkAfterExpiry: typeof checkUntil = async (state, run, waitsUntil) => {
  const token = tokenOf(state);
  if (!token.renewable) {
    const message = 'Your token has expired, and this sign-in cannot be renewed.';
    throw new SetupError('auth-sign-in-required', message);
  }
  const {renewUnsavedSignIn} = await import('../sign-in/unsaved-sign-in.ts');
  const facts = await renewUnsavedSignIn(state, run);
  return {...facts, ...(await checkUntil({...state, facts: {...state.facts, ...facts}}, run, waitsUntil))};
};

/** Returns renewed tokens as the facts that later steps read. */
const heldNow = ({signIn: access, ...serverTokens}: RunTokens, state: WizardState) => {
  const {failure: _, ...token} = tokenOf(state);
  return {token: {...token, access}, serverTokens};
};

/**
 * Renews a sign-in whose last renewal failed although its token is still valid: the check has to show whether that
 * works again. An identity provider that cannot renew it does not stop the rest of the check.
 *
 * @throws SetupError `auth-sign-in-required` if the sign-in has ended
 */
async function renewedAfterFailure(state: WizardState, run: Run): Promise<RenewedNow> {
  const {signal} = run;
  if (!asksProvider(state) || tokenOf(state).failure === undefined) return {};
  try {
    const context = savedOf(state.settings);
    const {renewSignIn} = await import('../../../flows/sign-in/resume-sign-in.ts');
    return {tokens: await renewSignIn({context, tokens: runTokensOf(state)}, run)};
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError) || familyOf(error.code) === 'auth') throw error;
    const {message, remedy} = error;
    run.tell({type: 'warning', message});
    return {providerFault: {message, remedy}};
  }
}

type RenewedNow =
  | Record<never, never>
  | {readonly tokens: RunTokens}
  | Pick<Required<ConnectionReport>, 'providerFault'>;

/**
 * Whether the identity provider is checked too: a run that continues a sign-in may not have called it yet, but depends
 * on it for renewals.
 */
const asksProvider = (state: WizardState): boolean => isSignedIn(state) && state.facts.token?.renewable === true;

/** Returns the tools that are chosen so far: by a flag, or in an earlier run. */
const toolsNow = (state: WizardState): ToolChoice => state.settings.connect?.tools ?? usualTools(state);

/** Whether the assistants will see only the tools that read, as far as that is chosen. */
const seesReadingOnly = (state: WizardState): boolean =>
  toolsNow(state) === 'look' && canOnlyLook(state.settings.connect?.method ?? 'auto');

const purposeOf = (state: WizardState): {readonly purpose?: ToolLimit} => {
  const purpose = toolsNow(state);
  return purpose === 'all' ? {} : {purpose};
};

/** The error codes for a fault of the token itself, which another token may not have. */
const ofToken: ReadonlySet<ErrorCode> = new Set(['auth-token-opaque', 'auth-audience-wrong']);

/** Checks that every service answers and accepts the token. */
export const check = {
  id: 'check',
  stage: 'check',
  kind: 'run',
  title: 'Checking that everything answers',
  done: ({facts}) => facts.check !== undefined,
  forgets: {answers: ['role'], facts: ['check', 'ownResources', 'toolCosts']},
  run,
  pendingRows: state => [
    waiting('health control-plane', serviceName['control-plane'], CALL_TIMEOUT),
    ...(hasObserver(state) ? [waiting('health observer', serviceName.observer, CALL_TIMEOUT)] : []),
    ...(asksProvider(state)
      ? [waiting('health identity-provider', serviceName['identity-provider'], CALL_TIMEOUT)]
      : []),
    // The MCP servers are asked only once there is a role, so until then their time limit does not run.
    ...serversIn(state).map(server =>
      waiting(serverKey(server), serverName[server], state.answers.role === 'wait' ? undefined : LIST_TIMEOUT),
    ),
  ],
  recovery: (state, failure) => {
    if (failure.code === 'auth-no-role')
      return {heading: 'Signed in, but without a role', offers: [...withoutRole, anotherWay]};
    const {offers, ...recovery} = signInRecovery(state, failure);
    const {toRequest, level} = failure.about ?? {};
    return {
      ...recovery,
      ...(ofToken.has(failure.code) ? {retry: signInAgainEvent(state)} : {}),
      offers: [
        ...(toRequest ? [askingFor(toRequest, state)] : []),
        // A client has only one way to authenticate: by its secret.
        ...(level && methodOf(state) === 'browser' ? [atLevel(level, state)] : []),
        ...offers,
      ],
    };
  },
  // The cost of all servers together, because the line is cut at the terminal's width. The rows have shown each one.
  receipts: state => {
    const {check} = state.facts;
    return check
      ? [{label: 'Checked', text: `${costOf(check.servers, seesReadingOnly(state))} of the model’s context`}]
      : [];
  },
  eventTexts: {
    'health-checked': {
      row: ({service, url, ms}) => ok(`health ${service}`, serviceName[service], url, ms),
      line: ({service, ms}) => `${serviceName[service]} is healthy (${ms} ms)`,
    },
    'token-checked': silent,
    'role-awaited': {
      row: () => waiting('role', 'Role', ROLE_TIME, 'waiting for a role…'),
      line: ({missing}) =>
        ['Waiting for a role for up to a minute.', ...(missing ? [faultInWords(missing)] : [])].join(' '),
    },
    'server-checked': {
      row: ({server, ms, ...cost}) => ok(serverKey(server), serverName[server], describeCost(cost), ms),
      line: ({server, ms, ...cost}) => `${serverName[server]}: ${describeCost(cost)} (${ms} ms)`,
    },
  },
} satisfies RunStep;

const costOf = (servers: ConnectionReport['servers'], isReadingOnly: boolean): string => {
  const all = sumOf(servers);
  const reading = sumOf(servers.map(one => one.reading));
  if (!isReadingOnly) return describeCost(all);
  return `${all.tools} tools; assistants see ${reading.tools} of them, ${aboutTokens(reading.tokens)}`;
};

const serverKey = (server: McpServer) => `server ${server}`;

const hasObserver = ({facts}: WizardState) => facts.deployment?.observerUrl !== undefined;

/** Offers the same sign-in again, in the way that the server demands. */
const atLevel = (level: SignInLevel, state: WizardState): Offer => ({
  label: 'Sign in again as required',
  hint: hintOf(level, state),
  event: answered({level, ...(isSignedIn(state) ? {resume: 'sign-in'} : {})}),
});

const hintOf = ({acrValues}: SignInLevel, {answers}: WizardState): string => {
  if (answers.level) return 'You just did, and the server still refused.';
  return acrValues === undefined ? 'The identity provider asks you to prove who you are.' : `Requests ${acrValues}.`;
};

/** Offers the same sign-in again, with the scopes that the server found missing in the token. */
const askingFor = (all: readonly string[], state: WizardState): Offer => {
  const scopes = methodOf(state) === 'browser' ? all : scopesOfClient(all);
  return {
    label: 'Sign in again with the missing scope',
    hint: `Requests ${scopes.join(' ')}.`,
    event: answered({scopes, ...(isSignedIn(state) ? {resume: 'sign-in'} : {})}),
  };
};

/** The offers while an administrator is asked for a role. */
const withoutRole: readonly Offer[] = [
  {label: 'Wait for the role', hint: 'Checks again for up to a minute.', event: answered({role: 'wait'})},
  {
    label: 'Go on without a role',
    hint: 'Connects your assistants. Without a role, this account can’t do anything.',
    event: answered({role: 'without'}),
  },
];
