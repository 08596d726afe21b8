import {SETUP} from '../setup-command.ts';

/** A flag: the value that it takes, the environment variable that replaces it, and its help. */
export type Flag = {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly env?: string;
  /** The name of the value in help. */
  readonly value?: string;
  readonly help: string;
};

/** Every flag of every command, with its usual meaning. A command can give a flag another meaning in its `flagHelp`. */
export const flags = {
  'base-domain': {
    type: 'string',
    env: 'SETUP_BASE_DOMAIN',
    value: 'DOMAIN',
    help: 'Base domain, or any address of the platform',
  },
  layout: {
    type: 'string',
    env: 'SETUP_LAYOUT',
    value: 'auto|single|multi',
    help: 'Layout of the deployment (auto detects it)',
  },
  'control-plane-url': {
    type: 'string',
    env: 'SETUP_CONTROL_PLANE_URL',
    value: 'URL',
    help: 'Control plane URL, if not the usual one',
  },
  'observer-url': {
    type: 'string',
    env: 'SETUP_OBSERVER_URL',
    value: 'URL|none',
    help: 'Observer, or none to go without',
  },
  'auth-url': {
    type: 'string',
    env: 'SETUP_AUTH_URL',
    value: 'URL',
    help: 'Identity provider URL, if not the usual one',
  },
  issuer: {
    type: 'string',
    env: 'SETUP_ISSUER',
    value: 'URL',
    help: 'Issuer, exactly as the provider writes it',
  },
  scopes: {type: 'string', env: 'SETUP_SCOPES', value: 'SCOPES', help: 'Scopes to request instead of the platform’s'},
  audience: {
    type: 'string',
    env: 'SETUP_AUDIENCE',
    value: 'NAME',
    help: 'Audience to request, if one is used',
  },
  resource: {
    type: 'string',
    env: 'SETUP_RESOURCE',
    value: 'URL|none',
    help: 'Resource to request (RFC 8707), or none',
  },
  'acr-values': {
    type: 'string',
    env: 'SETUP_ACR_VALUES',
    value: 'LEVELS',
    help: 'Sign-in level that a server requires',
  },
  'max-age': {
    type: 'string',
    env: 'SETUP_MAX_AGE',
    value: 'SECONDS',
    help: 'Sign in again if your last sign-in is older',
  },
  'assume-pkce': {type: 'boolean', help: 'Sign in even if the identity provider does not list PKCE'},
  platform: {
    type: 'string',
    env: 'SETUP_PLATFORM',
    value: 'bundled|openchoreo|FILE|URL',
    help: 'Kind of platform, or a company file',
  },
  'sign-in': {
    type: 'string',
    env: 'SETUP_SIGN_IN',
    value: 'browser|service-account|mcp-client|create-mcp-client',
    help: 'How to sign in',
  },
  'client-id': {
    type: 'string',
    env: 'CLI_CLIENT_ID',
    value: 'ID',
    help: 'ID of the service account, MCP client or CLI',
  },
  'client-secret': {
    type: 'string',
    env: 'CLI_CLIENT_SECRET',
    value: 'SECRET',
    help: 'Client secret; other local users can see it',
  },
  'client-secret-stdin': {type: 'boolean', help: 'Read the client secret from standard input'},
  'admin-username': {
    type: 'string',
    env: 'SETUP_ADMIN_USERNAME',
    value: 'NAME',
    help: 'Administrator who creates the MCP client',
  },
  'admin-password-stdin': {type: 'boolean', help: 'Read the administrator’s password from standard input'},
  'application-id': {
    type: 'string',
    env: 'SETUP_APPLICATION_ID',
    value: 'UUID',
    help: 'ID of the app for administrator sign-ins',
  },
  'client-credentials': {type: 'boolean', help: 'Sign in as a service account'},
  'no-browser': {type: 'boolean', help: 'Do not open a browser; only show the address'},
  device: {type: 'boolean', help: 'Sign in with a code that you type into any browser'},
  live: {type: 'boolean', help: 'Also check the platform and show what your account sees'},
  offline: {type: 'boolean', help: 'Fetch nothing; assistants start the version that runs now'},
  'no-wait': {type: 'boolean', help: 'Print a sign-in code and exit; finish with --resume'},
  resume: {type: 'boolean', help: 'Finish a --no-wait sign-in; add --no-wait to check only once'},
  'redirect-uri': {
    type: 'string',
    env: 'SETUP_REDIRECT_URI',
    value: 'URL',
    help: 'Redirect URL registered for the client',
  },
  'reset-secret': {type: 'boolean', help: 'Set a new secret if the MCP client already exists'},
  assistants: {
    type: 'string',
    env: 'SETUP_ASSISTANTS',
    value: 'NAME,…|detected|none',
    help: 'Which assistants to connect',
  },
  scope: {
    type: 'string',
    env: 'SETUP_SCOPE',
    value: 'user|project|shared',
    help: 'Every project, this one, or this one for everybody',
  },
  method: {
    type: 'string',
    env: 'SETUP_METHOD',
    value: 'auto|helper|bridge|header|oauth',
    help: 'How assistants sign in; header is not renewed',
  },
  tools: {
    type: 'string',
    value: 'all|build|run|look',
    help: 'Tools for assistants: all, to build, to run, or to look',
  },
  'assistants-as': {
    type: 'string',
    env: 'SETUP_ASSISTANTS_AS',
    value: 'you|look|build|run',
    help: 'Act as you, or as a limited account',
  },
  'oauth-client-id': {
    type: 'string',
    env: 'SETUP_OAUTH_CLIENT_ID',
    value: 'ID',
    help: 'Public client for --method oauth',
  },
  shape: {
    type: 'string',
    value: 'common|documented',
    help: 'MCP JSON file: .mcp.json, or mcp.json as the platform documents it',
  },
  role: {
    type: 'string',
    value: 'wait|grant|kubectl|without',
    help: 'If a role is missing: wait, grant it, use kubectl, or go on',
  },
  groups: {
    type: 'string',
    value: 'GROUP[=ROLE],…',
    help: 'Groups that get a role (default: developers)',
  },
  'registry-url': {
    type: 'string',
    value: 'URL',
    help: 'Where you will serve the kit’s MCP registry (for VS Code)',
  },
  servers: {
    type: 'string',
    value: 'control-plane,observability',
    help: 'Which MCP servers to add (default: both)',
  },
  input: {type: 'string', value: 'FILE|-', help: 'JSON object with the arguments of the tool'},
  replace: {type: 'boolean', help: 'Replace entries that others wrote, or that were changed since'},
  'overwrite-read-only': {type: 'boolean', help: 'Overwrite assistant files that are read-only'},
  'in-git': {type: 'string', value: 'refuse|ignore|write', help: 'What to do about a token that git would commit'},
  'cli-config': {type: 'boolean', help: 'Also sign in the platform’s own CLI'},
  'setup-home': {type: 'string', env: 'SETUP_HOME', value: 'DIR', help: 'Where this program keeps its files'},
  server: {
    type: 'string',
    value: 'control-plane|observability',
    help: 'Server that the token is for, if each needs its own',
  },
  'mcp-header': {type: 'boolean', help: 'Print the header as JSON, as assistants expect from a helper'},
  namespace: {type: 'string', value: 'NAME', help: 'Only the components of this namespace'},
  project: {type: 'string', env: 'SETUP_PROJECT', value: 'DIR', help: 'Project directory (default: this one)'},
  context: {type: 'string', env: 'SETUP_CONTEXT', value: 'NAME', help: 'Name of the saved deployment'},
  'allow-http': {
    type: 'string',
    env: 'SETUP_ALLOW_HTTP',
    value: 'HOST,…',
    help: 'Hosts that may be called over plain http',
  },
  proxy: {
    type: 'string',
    value: 'URL|none|environment',
    help: 'Proxy to the platform',
  },
  'ca-file': {type: 'string', value: 'FILE', help: 'Certificate authority to trust for the platform (PEM, DER)'},
  'client-cert': {type: 'string', value: 'FILE', help: 'Client certificate (PEM), if the platform requires one'},
  'client-key': {type: 'string', value: 'FILE', help: 'Its key (PEM)'},
  company: {type: 'string', value: 'FILE', help: 'Run the platform that this company file describes'},
  output: {type: 'string', value: 'FILE', help: 'Write it to a new file instead of standard output'},
  port: {type: 'string', value: 'N', help: 'Port of the gateway; 0 takes a free one'},
  'observer-port': {type: 'string', value: 'N', help: 'Port of the observer; 0 takes a free one'},
  fault: {
    type: 'string',
    value: 'NAME,…',
    help: `Simulate faults; ${SETUP} sandbox --help lists them`,
  },
  release: {
    type: 'string',
    value: '0.14|0.15|0.16|0.17|1.0|1.2|next',
    help: 'Answer like this release of the platform',
  },
  resources: {
    type: 'string',
    value: 'unchecked|none|one|each',
    help: 'Accept any resource, none, one, or one for each server',
  },
  'token-life': {type: 'string', value: 'SECONDS', help: 'Lifetime of access tokens'},
  'refresh-tokens': {
    type: 'string',
    value: 'rotating|reusable|none',
    help: 'Whether refresh tokens work once or always, or are not issued',
  },
  'sign-in-life': {type: 'string', value: 'SECONDS', help: 'Lifetime of a sign-in, renewals included'},
  extras: {type: 'string', value: 'revocation,device', help: 'Add endpoints that this release lacks'},
  report: {type: 'string', value: 'FILE', help: 'Write the findings as Markdown, without secrets'},
  fix: {type: 'boolean', help: 'Fix what can be fixed without you, and check again'},
  verbose: {type: 'boolean', help: 'Show all checks, including passed ones'},
  strict: {type: 'boolean', help: 'Warnings count as failures'},
  all: {type: 'boolean', help: 'Every entry, or every run'},
  keep: {type: 'boolean', help: 'Keep the files of the demonstration'},
  list: {type: 'boolean', help: 'Only list what can be reverted'},
  run: {type: 'string', value: 'N', help: 'Which run to revert, by its number in the list; 1 is the latest'},
  values: {type: 'string', value: 'FILE', help: 'Control plane values with security.oidc.externalClients'},
  everywhere: {type: 'boolean', help: 'End the browser’s session with the identity provider, too'},
  renew: {type: 'boolean', help: 'Get a new token even if the saved one is still valid'},
  'if-due': {type: 'boolean', help: 'Renew the token if it is due, and print nothing'},
  as: {type: 'string', value: 'me|assistants', help: 'Whose sign-in to use: yours, or your assistants’'},
  header: {type: 'boolean', help: 'Print the whole Authorization header'},
  yes: {type: 'boolean', help: 'Accept every default, and write'},
  json: {type: 'boolean', help: 'One JSON object per line on standard output'},
  quiet: {type: 'boolean', help: 'Only results and errors'},
  accessible: {type: 'boolean', help: 'Plain lines and numbered choices (also ACCESSIBLE=1)'},
  plain: {type: 'boolean', help: 'Draw with ASCII characters only (also SETUP_PLAIN=1)'},
  'no-color': {type: 'boolean', help: 'No colour (also NO_COLOR)'},
  debug: {type: 'boolean', help: 'Record this run in a file, with secrets replaced'},
  help: {type: 'boolean', short: 'h', help: 'Help, with examples'},
  version: {type: 'boolean', short: 'v', help: 'Version of this program'},
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** The values of the flags, with the environment for those that were not given. */
export type FlagValues = {
  readonly [N in FlagName]?: (typeof flags)[N]['type'] extends 'boolean' ? boolean : string;
};

/**
 * The flags that commands accept even without an effect, so that a script can pass the same flags to all of them. For
 * the exception, see `accepts`. Help lists only those with an effect.
 */
export const tolerated: readonly FlagName[] = [
  'context',
  'yes',
  'json',
  'quiet',
  'no-color',
  'debug',
  'setup-home',
  'help',
];
/** For commands with a result that programs read. */
export const common: readonly FlagName[] = ['json', 'debug', 'setup-home', 'help'];
/** For commands that are also about a saved deployment. */
export const saved: readonly FlagName[] = ['context', ...common];
/** For commands that ask and show progress in a terminal, and also run without one. */
export const asking: readonly FlagName[] = ['yes', 'json', 'quiet', 'no-color', 'debug', 'setup-home', 'help'];
/** How the platform is reached, for every command that calls it. */
export const network: readonly FlagName[] = ['allow-http', 'proxy', 'ca-file', 'client-cert', 'client-key'];
/** The flags that decide what tokens are requested for. */
export const tokens: readonly FlagName[] = ['scopes', 'audience', 'resource', 'acr-values', 'max-age'];
/** The flags that say where a platform is. */
export const platformFlags = [
  'base-domain',
  'layout',
  'control-plane-url',
  'observer-url',
  'auth-url',
  'issuer',
] as const;
/** The flags of the wizard. */
export const wizard: readonly FlagName[] = [
  ...platformFlags,
  'platform',
  ...(['no-browser', 'device', 'redirect-uri', 'assume-pkce'] as const),
  ...tokens,
  ...(['sign-in', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
  ...(['admin-username', 'admin-password-stdin', 'application-id', 'reset-secret'] as const),
  ...(['assistants', 'assistants-as', 'scope', 'method', 'tools', 'oauth-client-id', 'shape', 'servers'] as const),
  ...(['replace', 'overwrite-read-only', 'in-git', 'project', 'role'] as const),
  ...(['accessible', 'plain'] as const),
  ...network,
];
