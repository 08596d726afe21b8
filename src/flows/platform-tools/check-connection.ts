import type {AccountContent} from '../../domain/account-content.ts';
import {addressOf} from '../../domain/address.ts';
import type {Deployment} from '../../domain/context.ts';
import {type McpServer, serversOf} from '../../domain/mcp-servers.ts';
import {inspectToken, type RunTokens, tokenFor} from '../../domain/tokens.ts';
import type {ToolCost} from '../../domain/tool-sets.ts';
import {knownFault, remedyText} from '../../errors/describe-error.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import type {KnownFault} from '../../errors/known-fault.ts';
import {CLOCK_REMEDY} from '../../errors/shared-advice.ts';
import type {Platform} from '../../platform/platform.ts';
import {readingToolsOf} from '../../platform/recognise.ts';
import type {Purpose} from '../../platform/role-binding.ts';
import type {HttpReply, Ports} from '../../ports/ports.ts';
import {clockSkew} from '../clock-skew.ts';
import type {Flow, Run} from '../flow.ts';
import {requireHealth} from '../http-answers.ts';
import {readMetadata} from '../metadata.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {type ControlPlane, describeAccess, noRole, readAccess, readVersion} from './account-roles.ts';
import {listTools} from './list-tools.ts';
import {inPlaceOfMcp, refusalCause} from './mcp-failure-cause.ts';
import {contentReader} from './read-content.ts';
import {createRoleWait} from './role-wait.ts';

export type CheckedServer = ToolCost & {
  readonly server: McpServer;
  readonly url: string;
  /** The cost of the tools that only read. */
  readonly reading: ToolCost;
  /** What the account sees there, if that was asked for and could be read. */
  readonly content?: AccountContent;
};

export type ConnectionReport = {
  readonly servers: readonly CheckedServer[];
  readonly serverVersion?: string;
  /** The permissions of the account in a few words, if the control plane reports them. */
  readonly access?: string;
  /** Set if the account may grant roles, because it may do everything. */
  readonly mayGrant?: true;
  /** Set if the account has no role, and the person goes on nevertheless. */
  readonly withoutRole?: KnownFault;
  /** Set if the identity provider was asked and did not answer as it should: the sign-in cannot be renewed then. */
  readonly providerFault?: {readonly message: string; readonly remedy: string};
};

export type ConnectionInput = {
  readonly platform: Platform;
  readonly deployment: Deployment;
  readonly tokens: RunTokens;
  /** The client to which the tokens were issued, if known: the fault of a token is fixed there. */
  readonly clientId?: string;
  /** The treatment of an account without a role: `wait` for a role, or go on `without`. If absent, it is a failure. */
  readonly role?: 'wait' | 'without';
  /** When the wait for a role ends, in milliseconds since the epoch; absent for the usual time from now. */
  readonly waitsUntil?: number;
  /** The purpose of the chosen tools, if these are not all. */
  readonly purpose?: Purpose;
  /** The contact that the operators named for roles, if they did. */
  readonly contact?: string;
  /** Whether the release matters afterwards, and is asked for if it is unknown. */
  readonly asksVersion?: boolean;
  /** Whether to read what the account sees at the control plane, too. */
  readonly readsContent?: boolean;
  /** Whether the identity provider is checked too, because nothing else in this run has called it. */
  readonly asksProvider?: boolean;
};

/**
 * Verifies that the sign-in works where it will be used: health of both services, the token's claims, then `initialize`
 * and `tools/list` on each MCP server, all in parallel, and that the account may do anything there at all.
 *
 * @throws SetupError the first failure in the order above; the others show only in the events of their calls.
 *   `auth-no-role` if the account is signed in and may do nothing
 */
export const checkConnection: Flow<ConnectionInput, ConnectionReport> = (input, run) =>
  stoppable(run, async run => {
    const {ports, signal, tell} = run;
    const {deployment, platform, tokens, role} = input;
    const health = [
      checkHealth('control-plane', deployment.controlPlaneUrl, input, run),
      ...(deployment.observerUrl ? [checkHealth('observer', deployment.observerUrl, input, run)] : []),
    ];
    const claims = inspectToken(tokens.signIn.reveal(), deployment.issuer, ports.clock.now());
    tell({type: 'token-checked', ...claims});
    for (const message of claims.warnings) tell({type: 'warning', message});

    const {contact} = input;
    const asked = {
      ...{...deployment, platform, token: tokens.signIn.reveal()},
      ...(contact === undefined ? {} : {contact}),
    };
    const versioned = markHandled(versionOf(input, run));
    const provided = markHandled(providerFault(input, run));
    const permitted = markHandled(permission(asked, input, run));
    // The role decides which tools there are, so an awaited role comes first.
    if (role === 'wait') await permitted;
    const servers = serversOf(deployment, platform).map(async ({server, url}) => {
      const headers = {Authorization: `Bearer ${tokenFor(server, tokens).reveal()}`};
      const reads = input.readsContent === true && server === 'control-plane';
      const options = {reading: readingToolsOf(platform), ...(reads ? contentReader(ports) : {})};
      const list = await listTools({url, headers}, run, options).catch(async error => {
        // If the service itself does not answer, that is the failure.
        const isAnswering = (await Promise.allSettled(health)).every(({status}) => status === 'fulfilled');
        throw isAnswering && error instanceof SetupError ? inPlaceOfMcp(error, new URL(url)) : error;
      });
      const cost = {tools: list.names.length, tokens: list.tokens};
      tell({type: 'server-checked', server, url, ...cost, ms: list.ms});
      return {server, url, ...cost, reading: list.reading, ...(list.content ? {content: list.content} : {})};
    });
    const settled = await Promise.allSettled([...health, ...servers]);
    signal.throwIfAborted();
    const failed = settled.find(({status}) => status === 'rejected');
    if (failed?.status === 'rejected') throw await explained(failed.reason, input, {warnings: claims.warnings, ports});
    return {
      servers: await Promise.all(servers),
      ...(await versioned),
      ...(await permitted),
      ...(await provided),
    };
  });

const versionOf = async (
  {deployment, platform, asksVersion}: ConnectionInput,
  run: Run,
): Promise<Pick<ConnectionReport, 'serverVersion'>> => {
  const known = deployment.version || (asksVersion ? await readVersion({...deployment, platform}, run) : undefined);
  return known ? {serverVersion: known} : {};
};

/**
 * Returns the fault that keeps the identity provider from renewing the sign-in. A token that is still valid works
 * without the provider.
 */
const providerFault = async (
  {deployment: {issuer}, asksProvider}: ConnectionInput,
  {ports, signal, tell}: Run,
): Promise<Pick<ConnectionReport, 'providerFault'>> => {
  if (!asksProvider) return {};
  try {
    const get = (url: URL) => ports.http.send({method: 'GET', url}, {signal, report: tell});
    const {address, ms} = await readMetadata(issuer, get);
    tell({type: 'health-checked', service: 'identity-provider', url: address.href, ms});
    return {};
  } catch (error) {
    signal.throwIfAborted();
    const fault = toSetupError(error);
    const {message} = fault;
    tell({type: 'warning', message});
    return {providerFault: {message, remedy: remedyText(fault)}};
  }
};

/** Returns the permissions of the account. @throws SetupError `auth-no-role` */
const permission = async (
  asked: ControlPlane & {readonly token: string},
  {role, waitsUntil, purpose}: Pick<ConnectionInput, 'role' | 'waitsUntil' | 'purpose'>,
  run: Run,
): Promise<Pick<ConnectionReport, 'access' | 'withoutRole' | 'mayGrant'>> => {
  const mayLookAgain = createRoleWait(run, waitsUntil);
  for (;;) {
    const access = await readAccess(asked, run);
    const missing = noRole(access, asked, purpose === undefined ? {} : {purpose});
    if (!missing) {
      if (access.kind === 'unknown') return {};
      return {access: describeAccess(access), ...(access.isEverything ? {mayGrant: true as const} : {})};
    }
    if (role === 'without') {
      run.tell({type: 'warning', message: missing.message});
      return {access: describeAccess(access), withoutRole: knownFault(missing)};
    }
    if (role !== 'wait' || !(await mayLookAgain(missing))) throw missing;
  }
};

const checkHealth = async (
  service: 'control-plane' | 'observer',
  baseUrl: string,
  {platform}: ConnectionInput,
  {ports, signal, tell}: Run,
) => {
  const url = addressOf(baseUrl, platform.paths.health);
  const here = ports.clock.now();
  const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
  requireHealth(service, reply, url);
  requireClock(here, reply, service);
  tell({type: 'health-checked', service, url: url.href, ms: reply.ms});
};

/** Requires that this machine's clock is right enough, by the control plane's clock, which decides about tokens. */
const requireClock = (here: number, reply: HttpReply, service: 'control-plane' | 'observer') => {
  const server = Date.parse(reply.header('date') ?? '');
  if (service !== 'control-plane' || Number.isNaN(server)) return;
  const {judgement, sentence} = clockSkew(here, server);
  if (judgement === 'wrong') throw new SetupError('auth-clock', sentence, {remedy: CLOCK_REMEDY});
};

type Known = {readonly warnings: readonly string[]; readonly ports: Ports};

/** Adds the cause to the error for a refused token, or else the first oddity in the token as the most likely reason. */
const explained = async (error: unknown, input: ConnectionInput, {warnings, ports}: Known): Promise<unknown> => {
  if (!(error instanceof SetupError) || error.code !== 'auth-token-refused') return error;
  const {tokens, deployment, clientId} = input;
  const {issuer, identityProvider: provider} = deployment;
  const token = tokens.signIn.reveal();
  const cause = clientId === undefined ? error : await refusalCause(error, {token, issuer, clientId, provider}, ports);
  return cause.message !== error.message || warnings[0] === undefined ? cause : cause.saying(` ${warnings[0]}`);
};
