import type {SignInStanding} from '../../domain/sign-in-lifecycle.ts';
import type {EntryStanding} from '../../flows/assistants/inspect-entries.ts';
import type {FlowEvent} from '../../flows/flow.ts';
import type {WizardEvent} from '../../state/events.ts';

/** The events of a run of the wizard without a terminal that `--json` prints. */
export type ToldEvent =
  | Exclude<FlowEvent, {readonly type: 'call-started' | 'check-started' | 'check-finished'}>
  | Extract<WizardEvent, {readonly type: 'step-started'}>;

type Told<Type extends ToldEvent['type']> = Extract<ToldEvent, {readonly type: Type}>;

type Members<Event> = {readonly [Member in Exclude<keyof Event, 'type'>]-?: string};

/** Each event that `--json` prints, with its members. A missing event or a missing member does not compile. */
export const toldEvents: {
  readonly [Type in ToldEvent['type']]: {readonly says: string; readonly members: Members<Told<Type>>};
} = {
  'step-started': {says: 'a step of the wizard begins', members: {step: 'its name'}},
  'source-started': {says: 'somewhere is looked for a platform', members: {source: 'where'}},
  'source-answered': {
    says: 'that came to an end',
    members: {
      source: 'where',
      outcome: '`found`, `absent` or `failed`',
      detail: 'what was found, or why nothing was',
      ms: 'how long it took',
    },
  },
  'probe-started': {
    says: 'a service is asked whether it is there',
    members: {
      service: '`control-plane`, `identity-provider` or `observer`',
      url: 'its address',
      atMost: 'the longest that an answer is waited for, in milliseconds',
    },
  },
  'probe-answered': {
    says: 'it answered, or did not',
    members: {
      service: 'as above',
      url: 'its address',
      outcome: '`up`, `unhealthy` or `down`',
      detail: 'its release, or what is wrong',
      ms: 'how long it took',
    },
  },
  'company-file-found': {
    says: 'the base domain has a company file',
    members: {source: 'its address', name: 'of the platform'},
  },
  'layout-decided': {
    says: 'the layout of the deployment is known',
    members: {
      baseDomain: 'of the platform',
      layout: '`single`, `multi` or `unknown`',
      evidence: 'what tells it, as a sentence',
    },
  },
  'application-found': {
    says: 'the sample application is known, by which an MCP client is created',
    members: {applicationId: 'its ID', by: '`given` or `authorization-redirect`'},
  },
  'admin-signed-in': {says: 'the administrator has signed in', members: {username: 'who'}},
  'client-created': {says: 'an MCP client was created', members: {clientId: 'its ID'}},
  'cli-client-found': {
    says: 'the control plane names the client with which people sign in',
    members: {clientId: 'its ID', scopes: 'what it asks for'},
  },
  'secret-taken': {
    says: 'a client secret was not typed',
    members: {clientId: 'whose', from: 'where it comes from, in words'},
  },
  'second-sign-in': {
    says: 'a person is asked once more, for a server that takes only tokens of its own',
    members: {resource: 'the address of that server'},
  },
  'sign-in-waiting': {
    says: 'the browser is waited for',
    members: {
      url: 'the address to open',
      redirectUri: 'where the browser returns to',
      until: 'when the time is up',
      listening: 'whether the answer is taken here, or only by paste',
      device: 'whether a sign-in with a code is offered instead',
    },
  },
  'port-awaited': {
    says: 'the callback port is held by a closed connection',
    members: {port: 'its number', until: 'how long it is tried'},
  },
  'browser-opened': {says: 'a browser was opened, or could not be', members: {opened: 'whether it was'}},
  'paste-refused': {
    says: 'what was pasted is of no use',
    members: {because: '`no-answer`, `other-sign-in`, `sign-in-address` or `error-page`'},
  },
  'device-code': {
    says: 'a code is to be typed into a browser',
    members: {
      verificationUri: 'where',
      userCode: 'the code',
      until: 'how long it is good',
      complete: 'the address with the code in it, where there is one',
    },
  },
  'token-obtained': {
    says: 'there is an access token',
    members: {
      account: 'whose',
      expiresAt: 'when it expires, where the identity provider says so',
      fingerprint: 'the first characters of its SHA-256',
      renewable: 'whether it is renewed without a person',
      server: 'the server that it is for alone; absent for the sign-in itself',
    },
  },
  'token-revoked': {
    says: 'a former sign-in was revoked, or could not be',
    members: {
      account: 'whose',
      outcome: '`revoked`, `not-offered`, `refused`, `failed`, `nothing`, `shared` or `unread`',
    },
  },
  'token-checked': {
    says: 'what the token says of itself',
    members: {issuer: 'who issued it', audience: 'whom it is for', warnings: 'what does not fit, as sentences'},
  },
  'health-checked': {
    says: 'a service is healthy',
    members: {service: 'which', url: 'what was asked', ms: 'how long it took'},
  },
  'role-awaited': {says: 'the account has no role, and one is waited for', members: {until: 'how long'}},
  'server-checked': {
    says: 'an MCP server listed its tools',
    members: {
      server: '`control-plane` or `observability`',
      url: 'its address',
      tools: 'how many',
      tokens: 'how much of a conversation their descriptions take, about',
      ms: 'how long it took',
    },
  },
  'assistants-seen': {says: 'the assistants that seem to be here', members: {names: 'of these'}},
  'assistant-found': {
    says: 'an assistant is installed',
    members: {id: 'as `--assistants` takes it', name: 'its name', version: 'where it says so'},
  },
  'assistant-provided': {
    says: 'an organisation has connected it by a file of its own',
    members: {id: 'as `--assistants` takes it', name: 'its name', path: 'that file'},
  },
  'no-assistant-found': {says: 'no assistant is installed', members: {}},
  'oauth-client-checked': {
    says: 'whether the identity provider takes an assistant’s own sign-in',
    members: {assistant: 'its name', taken: 'whether it does'},
  },
  'file-planned': {
    says: 'what would be written',
    members: {
      path: 'of the file',
      leadsTo: 'which file changes, where the path is a link',
      change: '`new`, `changed`, `unchanged` or `removed`',
      summary: 'in words',
      diff: 'line by line, secrets replaced',
    },
  },
  'file-written': {
    says: 'a file was written',
    members: {path: 'of the file', leadsTo: 'as above', change: 'as above'},
  },
  'setup-awaited': {says: 'another process writes entries, and is waited for', members: {}},
  'server-verified': {
    says: 'an entry was read back and used',
    members: {
      assistant: 'whose entry',
      server: 'as above',
      path: 'of the file',
      url: 'where it leads, for an entry with an address',
      command: 'what it starts, for one that starts a program',
      tools: 'how many it has',
      tokens: 'as above',
      ms: 'how long it took',
    },
  },
  'call-answered': {
    says: 'a call was answered',
    members: {
      call: 'its number',
      method: 'of HTTP',
      url: 'what was called',
      status: 'of the answer',
      ms: 'how long it took',
      curl: 'the call as a line for a shell, secrets replaced',
    },
  },
  'call-failed': {
    says: 'a call was not answered',
    members: {
      call: 'its number',
      method: 'of HTTP',
      url: 'what was called',
      message: 'why',
      ms: 'how long it took',
      curl: 'as above',
    },
  },
  warning: {says: 'something is to be known', members: {message: 'what, as a sentence'}},
};

/** The other lines with a `type`, each by the commands that print it. */
export const otherLines: readonly {readonly type: string; readonly by: string; readonly says: string}[] = [
  {
    type: 'done',
    by: 'the wizard, `login`, `mcp connect`, `demo`',
    says: 'it worked: `works`, `leftOut`, the deployment, `account`, `expiresAt`, `access`, `servers`, `files`, `written`. The last line',
  },
  {
    type: 'done',
    by: '`doctor`, `provider check`',
    says: 'everything was looked at: `summary`, and of `doctor` the `verdict` (`state`, `sentence`, `layer`, `check`, `code`). A failure follows it',
  },
  {
    type: 'done',
    by: '`platform check`',
    says: 'the company file is good: `name`, `baseDomain`, and the addresses that were found',
  },
  {
    type: 'done',
    by: '`platform init --output`, `org export`',
    says: 'it was written: `path`; `directory` and `files` (how many)',
  },
  {type: 'failed', by: 'every command', says: 'it failed: `code`, `message`, `remedy`. The last line'},
  {
    type: 'check',
    by: '`doctor`, `provider check`',
    says: 'what a check found: `id`, `title`, `layer`, `verdict` (`pass`, `warning`, `fail`, `skipped`), `saw`, `sentence`, `remedy`, `code`, `explain`, `fix`, `because`, `ms`',
  },
  {type: 'fault', by: '`platform check`', says: 'a fault of the company file: `code`, `path` (the field), `sentence`'},
  {type: 'note', by: '`platform check`', says: 'something to be known of it: `message`'},
  {type: 'file', by: '`org export`', says: 'a file of the kit: `path`, `does`, `checked`'},
  {type: 'paste', by: '`mcp connect`', says: 'what is to be pasted into an assistant: `assistant`, `where`, `paste`'},
  {
    type: 'sign-in-pending',
    by: '`login --no-wait`',
    says: 'a code is to be typed. The last line: `verificationUri`, `userCode`, `verificationUriComplete`, `expiresAt`, `secondsLeft`, `interval`, `resume` (the command that finishes it)',
  },
  {
    type: 'ready',
    by: '`sandbox`',
    says: 'it runs, and goes on: its addresses, people, clients and `faults`, and the `authorityFile` that makes its certificate trusted',
  },
  {type: 'demo-started', by: '`demo`', says: 'where its `home` and its `project` are'},
  {type: 'upgrade-started', by: '`upgrade`', says: 'it fetches: `from` and `to` which version, and the `registry`'},
];

/** Commands that print one object without a `type`, with its members. */
export const documents: Readonly<Record<string, string>> = {
  status: 'see below',
  token: '`accessToken`, `expiresAt`, `context`',
  logout:
    '`context`, `revocation`, `cleared`, `goodUntil`, `accessUntil`, `answered`, `alsoEnded`, `droppedCode`, `endSession`',
  'mcp list': '`context`, `entries` (as `assistants` of `status`), `others`',
  'mcp tools': '`url`, `tools`, `tokens`',
  'mcp call': 'what the tool answered',
  'mcp disconnect': '`context`, `disconnected` (`assistant`, `path`, `outcome`)',
  'context list': '`currentContext`, `contexts`',
  'context use': '`current`',
  'context remove': '`removed`, `disconnected`, `cli`',
  undo: '`files`, `signedOut`, `older`, `next`; with `--list`, `runs`',
  uninstall: '`signedOut`, `files`, `left`',
  'component list': '`cliVersion`, `serverVersion`, `components`',
  'provider guide': '`provider`, and the guide by sections',
  'platform init': 'the company file',
  values: 'the client: `name`, and its settings',
  explain: '`code`, `name`, `means`, `why`, `remedy`, `whose`, `exitCode`; without a code, `codes`',
  version: '`version`',
};

/** The `state` at the top of `status --json`: of the current context, or of the one that is named. */
export const statusStates = {
  'signed-in': 'a token is good, or can be renewed without a person',
  expired: 'the token has expired and cannot be renewed',
  ended: 'the identity provider refused to renew it',
  'signed-out': 'nobody is signed in',
  'not-set-up': 'nothing is set up',
} as const;

export type StatusState = keyof typeof statusStates;

/** The `state` of each of the `contexts` in `status --json`: that of its token. */
export const contextStates: {readonly [State in SignInStanding['state']]: string} = {
  valid: 'the token is good',
  expired: 'it is not handed out any more; `renewable` says whether it is renewed without a person',
  ended: 'the identity provider refused to renew it',
  none: 'there is no token',
};

/** The `state` of an entry of an assistant, in `status --json` and `mcp list --json`. */
export const entryStates: {readonly [State in EntryStanding['state']]: string} = {
  kept: 'it is renewed automatically',
  token: 'there is a token in the file, until `expiresAt`',
  'own-sign-in': 'the assistant signs in by itself',
  'signed-out': 'a sign-out took the token out of it',
  changed: 'the person has made it their own',
  given: 'it is in a file of the organisation’s',
  'program-gone': 'what it starts is not there: `program`',
  missing: 'it is not in the file',
  unreadable: 'the file cannot be read',
};
