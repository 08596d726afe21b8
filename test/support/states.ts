import {generic} from '../../src/assistants/generic.ts';
import type {Deployment} from '../../src/flows/find-deployment.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import {bundled} from '../../src/platform/bundled.ts';
import type {Answers, Facts, Settings, WizardState} from '../../src/state/model.ts';
import {initialState} from '../../src/state/model.ts';

/** Literal states of the wizard, for plain functions and screens. */
export const settings: Settings = {
  platform: bundled,
  place: {home: '/home/ann', project: '/home/ann/project', system: 'linux', env: {}},
  assistants: [generic],
  layout: 'auto',
  presets: {},
  openBrowser: true,
};

export const deployment: Deployment = {
  baseDomain: 'acme.localhost',
  layout: 'single',
  evidence: 'The observer answers next to the control plane; there is no separate plane.',
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  observerUrl: 'http://observer.acme.localhost:11080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
  version: '0.14.0',
};

const token = {account: 'mcp_client', expiresAt: 3_600_000, fingerprint: 'abcdef123456', renewable: true};

const check = {
  servers: [
    {server: 'control-plane', url: 'http://api.acme.localhost:8080/mcp', tools: 25},
    {server: 'observability', url: 'http://observer.acme.localhost:11080/mcp', tools: 6},
  ],
} as const;

const path = '/home/ann/project/mcp.json';

const plan = {
  files: [
    {
      path,
      change: 'new',
      summary: '2 entries set',
      diff: '+{\n+  "mcpServers": {\n+    "acme-control-plane": {\n+      "url": "http://api.acme.localhost:8080/mcp"',
      before: null,
    },
    {
      path: '/home/ann/.config/platform-setup/config.json',
      change: 'new',
      summary: 'addresses, no secrets',
      diff: '',
      before: null,
    },
  ],
} as const;

const verified = [
  {server: 'control-plane', label: 'acme-control-plane', path, url: 'http://api.acme.localhost:8080/mcp', tools: 25},
  {
    server: 'observability',
    label: 'acme-observability',
    path,
    url: 'http://observer.acme.localhost:11080/mcp',
    tools: 6,
  },
] as const;

const found: Facts = {deployment};
const accepted: Answers = {deploymentAccepted: true};

/** A state for each point at which the wizard can stand, under the name of its step. */
export const at = {
  'find-deployment': initialState(settings),
  deployment: {...initialState(settings), facts: found},
  'sign-in': {...initialState(settings, accepted), facts: found},
  client: {...initialState(settings, {...accepted, signIn: 'service-account'}), facts: found},
  admin: {...initialState(settings, {...accepted, signIn: 'create-mcp-client'}), facts: found},
  'create-client': {
    ...initialState(settings, {...accepted, signIn: 'create-mcp-client', adminUsername: 'admin', adminEntered: true}),
    facts: found,
  },
  'obtain-token': {
    ...initialState(settings, {...accepted, signIn: 'mcp-client', clientId: 'mcp_client', clientEntered: true}),
    facts: found,
  },
  check: withFacts({deployment, token}),
  review: withFacts({deployment, token, check, plan}),
  write: withFacts({deployment, token, check, plan}, {changesAccepted: true}),
  verify: withFacts({deployment, token, check, plan, written: {paths: [path]}}, {changesAccepted: true}),
  done: withFacts({deployment, token, check, plan, written: {paths: [path]}, verified}, {changesAccepted: true}),
} as const satisfies Record<string, WizardState>;

function withFacts(facts: Facts, answers: Answers = {}): WizardState {
  const given: Answers = {...accepted, signIn: 'mcp-client', clientId: 'mcp_client', clientEntered: true, ...answers};
  return {...initialState(settings, given), facts};
}

/** A state in which the current step has told these events. */
export const having = (state: WizardState, ...progress: readonly FlowEvent[]): WizardState => ({...state, progress});
