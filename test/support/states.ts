import {generic} from '../../src/assistants/catalogue/generic.ts';
import type {Deployment} from '../../src/domain/context.ts';
import {Secret} from '../../src/domain/secret.ts';
import type {FoundAssistant} from '../../src/flows/assistants/find-assistants.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import {bundled} from '../../src/platform/platforms.ts';
import type {Answers, Facts, Settings, WizardState} from '../../src/state/model.ts';
import {initialState} from '../../src/state/model.ts';

/** States of the wizard as literals, for plain functions and screens. */
export const settings: Settings = {
  platform: bundled,
  place: {home: '/home/ann', project: '/home/ann/project', system: 'linux', env: {}},
  assistants: [generic],
  own: {command: '/usr/bin/node', args: ['/opt/setup.js']},
  layout: 'auto',
  presets: {},
  openBrowser: true,
};

export const deployment: Deployment = {
  platform: 'bundled',
  baseDomain: 'acme.localhost',
  layout: 'single',
  evidence: 'Control plane and observer run in one cluster.',
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  observerUrl: 'http://observer.acme.localhost:11080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
  version: '0.14.0',
};

const facts = {account: 'mcp_client', expiresAt: 3_600_000, fingerprint: 'abcdef123456', renewable: true};
const token = {...facts, access: new Secret('the-access-token')};

const check = {
  servers: [
    {
      server: 'control-plane',
      url: 'http://api.acme.localhost:8080/mcp',
      tools: 25,
      tokens: 6083,
      reading: {tools: 15, tokens: 3010},
    },
    {
      server: 'observability',
      url: 'http://observer.acme.localhost:11080/mcp',
      tools: 6,
      tokens: 1490,
      reading: {tools: 6, tokens: 1490},
    },
  ],
} as const;

const path = '/home/ann/project/.mcp.json';

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
  entries: [],
} as const;

const found: readonly FoundAssistant[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    installed: true,
    version: '2.1.328',
    paths: {user: '/home/ann/.claude.json', project: '/home/ann/project/.mcp.json'},
    methods: ['helper', 'bridge', 'header'],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    installed: false,
    paths: {user: '/home/ann/.cursor/mcp.json', project: '/home/ann/project/.cursor/mcp.json'},
    methods: ['bridge', 'header'],
  },
  {id: 'generic', name: 'MCP JSON', installed: false, paths: {project: path}, methods: ['bridge', 'header']},
];

const verified = [
  {assistant: 'MCP JSON', server: 'control-plane', name: 'acme-control-plane', path, tools: 25, tokens: 6083},
  {assistant: 'MCP JSON', server: 'observability', name: 'acme-observability', path, tools: 6, tokens: 1490},
] as const;

const located: Facts = {deployment};
/** No client was saved by an earlier run. */
const locatedAnew: Facts = {deployment, keptClient: {clientId: 'mcp_client', isKept: false}};
/** No client of the assistants was saved by an earlier run. */
const keptAnew: Facts = {keptClient: {clientId: 'mcp_client_assistants', isKept: false}};
const accepted: Answers = {deploymentAccepted: true};

/** Returns a state in which the person has given these answers, without flags. */
const answering = (answers: Answers): WizardState => ({...initialState(settings), answers});

/** A state for each step at which the wizard can stop, by the name of the step. */
export const at = {
  'find-deployment': initialState(settings),
  deployment: {...initialState(settings), facts: located},
  'sign-in': {...answering(accepted), facts: located},
  client: {...answering({...accepted, signIn: 'service-account'}), facts: located},
  admin: {...answering({...accepted, signIn: 'create-mcp-client'}), facts: locatedAnew},
  'create-client': {
    ...answering({...accepted, signIn: 'create-mcp-client', adminUsername: 'admin', adminEntered: true}),
    facts: locatedAnew,
  },
  'obtain-token': {
    ...answering({...accepted, signIn: 'mcp-client', clientId: 'mcp_client', clientEntered: true}),
    facts: located,
  },
  check: withFacts({deployment, token}),
  assistants: withFacts({deployment, token, check, found}, {connect: undefined}),
  review: withFacts({deployment, token, check, found, plan}),
  write: withFacts({deployment, token, check, found, plan}, {changesAccepted: true}),
  verify: withFacts({deployment, token, check, found, plan, written: {paths: [path]}}, {changesAccepted: true}),
  done: withFacts({deployment, token, check, found, plan, written: {paths: [path]}, verified}, {changesAccepted: true}),
} as const satisfies Record<string, WizardState>;

function withFacts(
  facts: Facts,
  answers: Omit<Answers, 'connect'> & {connect?: Answers['connect'] | undefined} = {},
): WizardState {
  const connect = {assistants: ['generic'], scope: 'user', method: 'header'} as const;
  const all = {
    ...accepted,
    signIn: 'mcp-client',
    clientId: 'mcp_client',
    clientEntered: true,
    connect,
    ...answers,
  } as const;
  const {connect: chosen, ...others} = all;
  const given: Answers = {...others, ...(chosen ? {connect: chosen} : {})};
  return {...answering(given), facts};
}

/** The steps of an account for the assistants, each in a state in which it is the current one. */
export const atAccount = {
  account: accountAt({}),
  'account-client': accountAt({signIn: 'mcp-client'}),
  'account-kept-client': accountAt({signIn: 'create-mcp-client'}),
  'account-admin': accountAt({signIn: 'create-mcp-client'}, keptAnew),
  'account-create-client': accountAt(
    {signIn: 'create-mcp-client', adminUsername: 'admin', adminEntered: true},
    keptAnew,
  ),
  'account-token': accountAt({signIn: 'mcp-client', clientId: 'theirs', clientEntered: true}),
  'account-access': accountAt({signIn: 'mcp-client', clientId: 'theirs', clientEntered: true}, {token}),
} as const satisfies Record<string, WizardState>;

function accountAt(account: Answers, learnt: Partial<Facts> = {}): WizardState {
  const state = withFacts({deployment, token, check, found, account: learnt});
  const connect = {assistants: ['generic'], scope: 'user', method: 'header', actsAs: 'look'} as const;
  return {...state, answers: {...state.answers, connect, account}};
}

/** The choice of assistants, at a release with tool sets to choose from. */
export const withToolSets: WizardState = {
  ...at.assistants,
  facts: {...at.assistants.facts, deployment: {...deployment, version: '1.2.3'}},
};

/** Returns a state in which the current step has told these events. */
export const having = (state: WizardState, ...progress: readonly FlowEvent[]): WizardState => ({...state, progress});
