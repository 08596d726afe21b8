import type {Source} from '../domain/deployment.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import type {FlowEvent} from '../flows/flow.ts';
import {LIST_TIMEOUT, ROLE_TIME, TOOL_TIMEOUT, VERSION_TIMEOUT} from '../flows/time-limits.ts';
import type {Service} from '../platform/platform.ts';
import {CALL_TIMEOUT} from '../ports/network/http.ts';
import {targetsOf} from './derived.ts';
import type {Settings, WizardState} from './model.ts';
import {serverName, serviceName, sourceName} from './names.ts';
import {showPath} from './show-path.ts';
import type {StepId} from './steps.ts';

/** One line of a running step: what it is about, how far it is, what came of it. */
export type ProgressRow = {
  readonly key: string;
  readonly status: 'waiting' | 'ok' | 'warning' | 'failed' | 'none';
  readonly label: string;
  readonly value: string;
  readonly ms?: number;
  /** For one that waits: after how many milliseconds it is given up. */
  readonly atMost?: number;
};

/** What the current step is doing, for a person. */
export const headingOf: Readonly<Record<StepId, string>> = {
  unfinished: 'You left before the end',
  'saved-sign-in': 'Looking at your sign-in',
  home: 'Home',
  'signed-out': 'Your sign-in has ended',
  'cluster-authority': 'Reading the authority from the cluster',
  'find-deployment': 'Looking for your deployment',
  'which-deployment': 'Which platform do you mean?',
  deployment: 'Your deployment',
  'sign-in': 'How do you want to sign in?',
  client: 'Which client?',
  admin: 'Who creates the MCP client?',
  'kept-client': 'Looking for an MCP client of an earlier run',
  'create-client': 'Creating an MCP client',
  'obtain-token': 'Signing in',
  'save-sign-in': 'Keeping your sign-in',
  'own-token': 'Signing in to a server that takes only a token of its own',
  check: 'Checking that everything answers',
  'find-assistants': 'Looking for your assistants',
  assistants: 'Which assistants should use the platform?',
  'find-own-cli': 'Looking for the platform’s own CLI',
  'own-cli': 'Sign in the platform’s own CLI too?',
  plan: 'Working out what will change',
  review: 'These files will change',
  write: 'Writing',
  verify: 'Checking through what was written',
  done: 'Done',
};

/** The rows of the step that runs, or ran last: what was told so far, and what is still to come where that is known. */
export const progressRows = (state: WizardState, step: StepId): readonly ProgressRow[] => {
  // Between an answer and the step that it leads to there is a frame, which must not show the step before.
  const told = state.progressOf === undefined || state.progressOf === step ? state.progress : [];
  const rows = told.flatMap(event => rowOf(event, state.settings) ?? []);
  // A later event about the same thing takes the place of the earlier one.
  const latest = [...new Map([...expected(state, step), ...rows].map(row => [row.key, row])).values()];
  return latest;
};

const waiting = (key: string, label: string, atMost: number, value = ''): ProgressRow => ({
  key,
  status: 'waiting',
  label,
  value,
  atMost,
});

const expected = (state: WizardState, step: StepId): readonly ProgressRow[] => {
  const {facts} = state;
  const servers: readonly McpServer[] = facts.deployment?.observerUrl
    ? ['control-plane', 'observability']
    : ['control-plane'];
  switch (step) {
    case 'create-client':
      return [
        waiting('application', 'Application ID', CALL_TIMEOUT),
        waiting('admin', 'Administrator', CALL_TIMEOUT),
        waiting('client', 'MCP client', CALL_TIMEOUT),
      ];
    case 'obtain-token':
    case 'own-token':
      return [waiting('token', 'Access token', CALL_TIMEOUT)];
    case 'check':
      return [
        waiting('health control-plane', serviceName['control-plane'], CALL_TIMEOUT),
        ...(facts.deployment?.observerUrl ? [waiting('health observer', serviceName.observer, CALL_TIMEOUT)] : []),
        ...servers.map(server => waiting(`server ${server}`, serverName[server], LIST_TIMEOUT)),
      ];
    case 'find-assistants':
      return [waiting('assistants', 'Assistants', VERSION_TIMEOUT, 'asking those that are here for their versions…')];
    case 'verify':
      return targetsOf(state).targets.flatMap(({assistant}) =>
        servers.map(server =>
          waiting(`verified ${assistant.name} ${server}`, assistant.name, LIST_TIMEOUT, serverName[server]),
        ),
      );
    default:
      return [];
  }
};

const rowOf = (event: FlowEvent, settings: Settings): ProgressRow | undefined => {
  switch (event.type) {
    case 'source-started':
      return waiting(`source ${event.source}`, sourceName[event.source], TOOL_TIMEOUT, asking[event.source]);
    case 'source-answered':
      return {
        ...base(`source ${event.source}`, sourceName[event.source], event.ms),
        status: sourceStatus[event.outcome],
        value: event.detail,
      };
    case 'probe-started':
      return waiting(`probe ${event.url}`, serviceName[event.service], event.atMost, event.url);
    case 'probe-answered':
      return {
        ...base(`probe ${event.url}`, serviceName[event.service], event.ms),
        status: probeStatus[event.outcome],
        value: event.url,
      };
    case 'application-found':
      return {...base('application', 'Application ID'), status: 'ok', value: event.applicationId};
    case 'admin-signed-in':
      return {...base('admin', 'Administrator'), status: 'ok', value: event.username};
    case 'client-created':
      return {...base('client', 'MCP client'), status: 'ok', value: event.clientId};
    case 'token-obtained':
      return {
        ...base('token', 'Access token'),
        status: 'ok',
        value: `for ${event.account}${event.server === undefined ? '' : `, ${serverName[event.server]}`}`,
      };
    case 'health-checked':
      return {...base(`health ${event.service}`, serviceName[event.service], event.ms), status: 'ok', value: event.url};
    case 'role-awaited':
      return waiting('role', 'Role', ROLE_TIME, 'waiting for one to be given…');
    case 'server-checked':
      return {
        ...base(`server ${event.server}`, serverName[event.server], event.ms),
        status: 'ok',
        value: `${event.tools} tools`,
      };
    case 'assistant-found':
      return {...base(`assistant ${event.id}`, event.name), status: 'ok', value: event.version ?? ''};
    case 'file-written':
      return {...base(`file ${event.path}`, 'Written'), status: 'ok', value: showPath(event.path, settings)};
    case 'server-verified':
      return {
        ...base(`verified ${event.assistant} ${event.server}`, event.assistant, event.ms),
        status: 'ok',
        value: `${serverName[event.server]}, ${event.tools} tools`,
      };
    default:
      return undefined;
  }
};

const base = (key: string, label: string, ms?: number) => ({key, label, ...(ms === undefined ? {} : {ms})});

const asking: Readonly<Record<Source, string>> = {
  given: '',
  'saved-context': 'reading…',
  'helm-release': 'asking helm…',
  'gateway-route': 'asking kubectl…',
  'local-address': '',
};

const sourceStatus = {found: 'ok', absent: 'none', failed: 'warning'} as const;
const probeStatus = {up: 'ok', unhealthy: 'warning', down: 'none'} as const;

/** The address at which a service answered, with the time that it took; from the last search. */
export const probedMs = (state: WizardState, service: Service): number | undefined => {
  const answer = state.progress.findLast(
    event => event.type === 'probe-answered' && event.service === service && event.outcome !== 'down',
  );
  return answer?.type === 'probe-answered' ? answer.ms : undefined;
};
