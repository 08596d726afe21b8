import type {SignInState} from '../../domain/sign-in-lifecycle.ts';
import type {EntryState} from '../../flows/assistants/inspect-entries.ts';
import type {FlowEvent} from '../../flows/flow.ts';
import type {WizardEvent} from '../../state/events.ts';

/** The events of a run of the wizard without a terminal that `--json` prints. */
export type ToldEvent =
  | Exclude<FlowEvent, {readonly type: 'call-started' | 'check-started' | 'check-finished'}>
  | Extract<WizardEvent, {readonly type: 'step-started'}>;

type Told<Type extends ToldEvent['type']> = Extract<ToldEvent, {readonly type: Type}>;

type Members<Event> = {readonly [Member in Exclude<keyof Event, 'type'>]-?: string};

/** Each event that `--json` prints, with its members. A missing event or a missing member does not compile. */
export const jsonEvents: {
  readonly [Type in ToldEvent['type']]: {readonly says: string; readonly members: Members<Told<Type>>};
} = {
  'step-started': {says: 'a step of the wizard begins', members: {step: 'its name'}},
  'source-started': {says: 'the command looks for a platform in one place', members: {source: 'the place'}},
  'source-answered': {
    says: 'the search in one place ended',
    members: {
      source: 'the place',
      outcome: '`found`, `absent` or `failed`',
      detail: 'the platform found, or the reason why none was',
      ms: 'how long it took',
    },
  },
  'probe-started': {
    says: 'the command asks a service whether it runs',
    members: {
      service: '`control-plane`, `identity-provider` or `observer`',
      url: 'its address',
      atMost: 'the longest wait for an answer, in milliseconds',
    },
  },
  'probe-answered': {
    says: 'the service answered, or did not',
    members: {
      service: '`control-plane`, `identity-provider` or `observer`',
      url: 'its address',
      outcome: '`up`, `unhealthy` or `down`',
      detail: 'its release, or the fault',
      ms: 'how long it took',
    },
  },
  'company-file-found': {
    says: 'the base domain has a company file',
    members: {source: 'the address of the file', name: 'the name of the platform'},
  },
  'layout-decided': {
    says: 'the command has looked for the layout of the deployment',
    members: {
      baseDomain: 'the base domain of the platform',
      layout: '`single`, `multi` or `unknown`',
      evidence: 'the evidence for it, as a sentence; it can be empty if the layout is `unknown`',
    },
  },
  'application-found': {
    says: 'the command knows the sample application, which it needs to create an MCP client',
    members: {applicationId: 'its ID', by: '`given` or `authorization-redirect`'},
  },
  'admin-signed-in': {says: 'the administrator has signed in', members: {username: 'the administrator’s username'}},
  'client-created': {
    says: 'the command created an MCP client, or set a new secret for it',
    members: {clientId: 'its ID', isReset: 'true if the client existed before'},
  },
  'cli-client-found': {
    says: 'the control plane names the client that people sign in with',
    members: {clientId: 'its ID', scopes: 'the scopes that it requests'},
  },
  'secret-taken': {
    says: 'the command found a client secret that you did not type',
    members: {clientId: 'the ID of the client', from: 'the source of the secret, in words'},
  },
  'second-sign-in': {
    says: 'you have to sign in once more, for a server that accepts only tokens of its own',
    members: {resource: 'the address of that server'},
  },
  'sign-in-waiting': {
    says: 'the command waits for your browser',
    members: {
      url: 'the address to open',
      redirectUri: 'the redirect URL',
      until: 'the end of the time to sign in',
      listening: 'whether the command receives the answer itself; otherwise you have to paste it',
      device: 'whether the command offers a sign-in with a code instead',
    },
  },
  'port-awaited': {
    says: 'a closed connection holds the callback port, and the command tries again',
    members: {port: 'the number of the port', until: 'the end of these attempts'},
  },
  'browser-opened': {says: 'the command opened a browser, or could not', members: {opened: 'whether it did'}},
  'paste-refused': {
    says: 'the command cannot use the pasted text',
    members: {
      because: 'the reason: `no-answer`, `other-sign-in`, `sign-in-address` or `error-page`',
      reason: 'what the error page says, if its address says it',
    },
  },
  'device-code': {
    says: 'you have to type a code into a browser',
    members: {
      verificationUri: 'the address of the page for it',
      userCode: 'the code',
      until: 'the time when the code expires',
      complete: 'the address with the code in it, if there is one',
    },
  },
  'token-obtained': {
    says: 'the command has an access token',
    members: {
      account: 'the account that signed in',
      expiresAt: 'the time when it expires, if the identity provider says so',
      fingerprint: 'the first characters of its SHA-256',
      renewable: 'whether it can be renewed without you',
      server: 'the only server that the token is for; absent for the sign-in itself',
    },
  },
  'token-revoked': {
    says: 'the command tried to revoke a former sign-in',
    members: {
      account: 'the account of that sign-in',
      outcome: 'the result: `revoked`, `not-offered`, `refused`, `failed`, `nothing`, `shared` or `unread`',
    },
  },
  'token-checked': {
    says: 'the command read the claims of the token',
    members: {issuer: 'its issuer', audience: 'its audience', warnings: 'claims that do not fit, as sentences'},
  },
  'health-checked': {
    says: 'a service is healthy',
    members: {service: 'its name', url: 'the address that was asked', ms: 'how long it took'},
  },
  'role-awaited': {
    says: 'the account has no role, and the command waits for one',
    members: {
      until: 'the end of the wait',
      missing: 'the missing role: `message`, `remedy`, and in `block` the lines that grant it',
    },
  },
  'server-checked': {
    says: 'an MCP server listed its tools',
    members: {
      server: '`control-plane` or `observability`',
      url: 'its address',
      tools: 'the number of tools',
      tokens: 'roughly how many tokens their descriptions take in a conversation',
      ms: 'how long it took',
    },
  },
  'assistants-seen': {says: 'some assistants seem to be installed', members: {names: 'their names'}},
  'assistant-found': {
    says: 'an assistant is installed',
    members: {id: 'its name for `--assistants`', name: 'its name', version: 'its version, if it says so'},
  },
  'assistant-provided': {
    says: 'an organisation has connected an assistant with a file of its own',
    members: {id: 'its name for `--assistants`', name: 'its name', path: 'that file'},
  },
  'no-assistant-found': {says: 'no assistant is installed', members: {}},
  'oauth-client-checked': {
    says: 'the command checked whether the identity provider accepts an assistant’s own sign-in',
    members: {assistant: 'the name of the assistant', taken: 'whether it does'},
  },
  'file-planned': {
    says: 'the command has planned the contents of a file',
    members: {
      path: 'the path of the file',
      leadsTo: 'the file that changes, if the path is a link',
      change: '`new`, `changed`, `unchanged` or `removed`',
      summary: 'the change in words',
      diff: 'the change line by line, with secrets replaced',
    },
  },
  'file-written': {
    says: 'the command wrote a file',
    members: {
      path: 'the path of the file',
      leadsTo: 'the file that changed, if the path is a link',
      change: '`new`, `changed`, `unchanged` or `removed`',
    },
  },
  'setup-awaited': {says: 'another process writes or removes entries, and the command waits for it', members: {}},
  'server-verified': {
    says: 'the command read an entry back and used it',
    members: {
      assistant: 'the assistant that has the entry',
      server: '`control-plane` or `observability`',
      path: 'the path of the file',
      url: 'the address in the entry, if it has one',
      command: 'the program that the entry starts, if it starts one',
      tools: 'the number of tools',
      tokens: 'roughly how many tokens their descriptions take in a conversation',
      ms: 'how long it took',
    },
  },
  'call-answered': {
    says: 'a server answered a call',
    members: {
      call: 'the number of the call',
      method: 'the HTTP method',
      url: 'the address that was called',
      status: 'the status of the answer',
      ms: 'how long it took',
      curl: 'the call as a line for a shell, with secrets replaced',
    },
  },
  'call-failed': {
    says: 'a call got no answer',
    members: {
      call: 'the number of the call',
      method: 'the HTTP method',
      url: 'the address that was called',
      message: 'the reason',
      ms: 'how long it took',
      curl: 'the call as a line for a shell, with secrets replaced',
    },
  },
  warning: {says: 'the command warns you', members: {message: 'the warning, as a sentence'}},
};

/** The other lines with a `type`, each by the commands that print it. */
export const otherLines: readonly {readonly type: string; readonly by: string; readonly says: string}[] = [
  {
    type: 'done',
    by: 'the wizard, `login`, `mcp connect`, `demo`',
    says: 'it worked: `works`, `leftOut`, the deployment, `account`, `expiresAt`, `access`, `content` (what the account sees: `projects`, `components`, `failing`; `isPartial` if there may be more; `creatableIn`, the namespace in which it can create a project), `servers`, `files`, `written`. The last line',
  },
  {
    type: 'done',
    by: '`doctor`, `provider check`',
    says: 'every check has finished: `summary`, and for `doctor` the `verdict` (`state`, `sentence`, `layer`, `check`, `code`, and `handOn`, a line for the people whose turn it is). If one failed, a `failed` line follows',
  },
  {
    type: 'done',
    by: '`platform check`',
    says: 'the company file is good: `name`, `baseDomain`, and the addresses that it found',
  },
  {
    type: 'done',
    by: '`platform init --output`, `org export`',
    says: 'the command wrote its files: `path`; `directory` and `files` (their number)',
  },
  {
    type: 'done',
    by: '`upgrade`',
    says: 'assistants now start the newest version: `version`. The last line; before it comes a `done` line for each deployment with entries',
  },
  {type: 'failed', by: 'every command', says: 'the command failed: `code`, `message`, `remedy`. The last line'},
  {
    type: 'check',
    by: '`doctor`, `provider check`',
    says: 'the result of one check: `id`, `title`, `layer`, `server` (the service that it asks), `verdict` (`pass`, `warning`, `fail`, `skipped`), `saw`, `sentence`, `remedy`, `code`, `explain`, `fix`, `because`, `ms`, `curl` (the last call of a check that failed)',
  },
  {type: 'fault', by: '`platform check`', says: 'a fault of the company file: `code`, `path` (the field), `sentence`'},
  {type: 'note', by: '`platform check`', says: 'a remark about the company file: `message`'},
  {type: 'file', by: '`org export`', says: 'a file of the kit: `path`, `does`, `checked`'},
  {type: 'paste', by: '`mcp connect`', says: 'text for you to paste into an assistant: `assistant`, `where`, `paste`'},
  {
    type: 'sign-in-pending',
    by: '`login --no-wait`',
    says: 'you have to type a code. The last line: `verificationUri`, `userCode`, `verificationUriComplete`, `expiresAt`, `secondsLeft`, `interval`, `resume` (the command that finishes it)',
  },
  {
    type: 'ready',
    by: '`sandbox`',
    says: 'the sandbox runs until you stop it: its addresses, people, clients and `faults`, and the `authorityFile` that makes its certificate trusted',
  },
  {type: 'demo-started', by: '`demo`', says: 'the paths of its `home` and its `project`'},
  {
    type: 'upgrade-started',
    by: '`upgrade`',
    says: 'the command fetches a version: the versions `from` and `to`, and the `registry`',
  },
];

/** Commands that print one object without a `type`, with its members. */
export const documents: Readonly<Record<string, string>> = {
  status: 'see [Is this machine signed in?](#is-this-machine-signed-in)',
  token: '`accessToken`, `expiresAt`, `context`',
  logout:
    '`context`, `revocation`, `cleared`, `goodUntil`, `accessUntil`, `answered`, `alsoEnded`, `droppedCode`, `endSession`',
  'mcp list': '`context`, `entries` (as `assistants` of `status`), `others`',
  'mcp tools': '`url`, `tools`, `tokens`',
  'mcp call': 'the answer of the tool',
  'mcp disconnect': '`context`, `disconnected` (`assistant`, `path`, `outcome`)',
  'context list': '`currentContext`, `contexts`',
  'context use': '`current`',
  'context remove': '`removed`, `disconnected`, `cli`, `role`',
  undo: '`files`, `roles`, `granted`, `signedOut`, `assistantsSignedOut`, `older`, `next`; with `--list`, `runs`',
  uninstall: '`roles`, `signedOut`, `files`, `left`',
  'component list': '`cliVersion`, `serverVersion`, `components`',
  'provider guide': '`provider`, and the sections of the guide',
  'platform init': 'the company file',
  values: 'the client: `name`, and its settings',
  explain: '`code`, `name`, `means`, `why`, `remedy`, `whose`, `exitCode`; without a code, `codes`',
  version: '`version`',
};

/** The `state` at the top of `status --json`: of the current context, or of the one that is named. */
export const statusStates = {
  'signed-in': 'the token is valid, or can be renewed without you',
  expired: 'the token has expired and cannot be renewed',
  ended: 'the token has expired and is no longer renewed: the identity provider refused, or two renewals got no answer',
  'signed-out': 'nobody is signed in',
  'not-set-up': 'nothing is set up',
} as const;

export type StatusState = keyof typeof statusStates;

/** The `state` of each of the `contexts` in `status --json`: that of its token. */
export const contextStates: {readonly [State in SignInState['state']]: string} = {
  valid: 'the token is valid',
  expired: 'the program no longer hands out the token; `renewable` says whether it can be renewed without you',
  ended: 'the token has expired and is no longer renewed: the identity provider refused, or two renewals got no answer',
  none: 'there is no token',
};

/** The `state` of an entry of an assistant, in `status --json` and `mcp list --json`. */
export const entryStates: {readonly [State in EntryState['state']]: string} = {
  kept: 'the entry holds no token: it uses the sign-in of the context through the bridge or the helper. The `state` of the context says whether that works',
  token: 'the file holds a token, which expires at `expiresAt`',
  'own-sign-in': 'the assistant signs in by itself',
  'signed-out': 'a sign-out removed the token from the entry',
  changed: 'you changed the entry, so it is yours now',
  given: 'a file of the organisation holds the entry',
  'program-gone': 'the entry starts a program that does not exist: `program`',
  missing: 'the file no longer holds the entry',
  unreadable: 'the program cannot read the file',
};
