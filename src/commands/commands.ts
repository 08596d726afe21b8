import type {Command} from './command.ts';
import type {FlagName} from './flags.ts';

const everywhere: readonly FlagName[] = ['context', 'yes', 'json', 'quiet', 'no-color', 'debug', 'help'];
const wizard: readonly FlagName[] = [
  ...(['base-domain', 'layout', 'control-plane-url', 'observer-url', 'auth-url', 'platform'] as const),
  ...(['no-browser', 'device', 'redirect-uri'] as const),
  ...(['sign-in', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
  ...(['admin-username', 'admin-password-stdin', 'application-id', 'reset-secret'] as const),
  ...(['assistants', 'project', 'allow-http', 'accessible'] as const),
];

/** Every command: what help lists and what the command line is matched against. The code of each is loaded when it runs. */
export const commands: readonly Command[] = [
  {
    words: [],
    usage: 'setup [flags]',
    summary: 'Find the deployment, sign in, and connect an assistant, step by step',
    flags: [...wizard, ...everywhere, 'version'],
    examples: [
      'setup',
      'setup --base-domain acme.example.com',
      'CLI_CLIENT_ID=ci CLI_CLIENT_SECRET=… setup --yes --json --base-domain acme.example.com',
    ],
    load: async () => (await import('./setup.ts')).runSetup,
  },
  {
    words: ['demo'],
    usage: 'setup demo [flags]',
    summary: 'The same against a sandbox platform; nothing on this machine is touched',
    flags: ['layout', 'fault', 'accessible', ...everywhere],
    examples: ['setup demo', 'setup demo --layout multi', 'setup demo --yes --json'],
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    words: ['sandbox'],
    usage: 'setup sandbox [flags]',
    summary: 'Run the sandbox platform and print its addresses and credentials',
    flags: ['layout', 'port', 'observer-port', 'base-domain', 'values', 'redirect-uri', 'fault', ...everywhere],
    examples: ['setup sandbox', 'setup sandbox --layout multi --port 0 --json'],
    load: async () => (await import('./sandbox.ts')).runSandbox,
  },
  {
    words: ['login'],
    usage: 'setup login [flags]',
    summary: 'Sign in, again or for the first time, and renew what holds the sign-in',
    flags: [...wizard, 'client-credentials', ...everywhere],
    examples: [
      'setup login',
      'setup login --no-browser',
      'setup login --client-credentials --client-id ci --client-secret-stdin',
    ],
    load: async () => (await import('./login.ts')).runLogin,
  },
  {
    words: ['logout'],
    usage: 'setup logout [flags]',
    summary: 'Revoke the sign-in where that is possible, and remove every secret of it',
    flags: ['allow-http', ...everywhere],
    examples: ['setup logout', 'setup logout --context acme'],
    load: async () => (await import('./logout.ts')).runLogout,
  },
  {
    words: ['status'],
    usage: 'setup status [flags]',
    summary: 'Who is signed in, where, and for how long',
    flags: everywhere,
    examples: ['setup status', 'setup status --json'],
    load: async () => (await import('./status.ts')).runStatus,
  },
  {
    words: ['token'],
    usage: 'setup token [flags]',
    summary: 'Print a valid access token, and nothing else',
    flags: ['header', 'allow-http', ...everywhere],
    examples: ['setup token', 'curl -H "$(setup token --header)" http://api.platform.localhost:8080/mcp'],
    load: async () => (await import('./token.ts')).runToken,
  },
  {
    words: ['context', 'list'],
    usage: 'setup context list [flags]',
    summary: 'The deployments that are saved',
    flags: everywhere,
    examples: ['setup context list'],
    load: async () => (await import('./context.ts')).runContextList,
  },
  {
    words: ['context', 'use'],
    takes: 1,
    usage: 'setup context use NAME',
    summary: 'Make another deployment the current one',
    flags: everywhere,
    examples: ['setup context use acme'],
    load: async () => (await import('./context.ts')).runContextUse,
  },
  {
    words: ['context', 'remove'],
    takes: 1,
    usage: 'setup context remove NAME',
    summary: 'Forget a deployment that nobody is signed in to',
    flags: everywhere,
    examples: ['setup context remove acme'],
    load: async () => (await import('./context.ts')).runContextRemove,
  },
  {
    words: ['undo'],
    usage: 'setup undo [flags]',
    summary: 'Put back what was written last, file by file',
    flags: ['list', ...everywhere],
    examples: ['setup undo --list', 'setup undo'],
    load: async () => (await import('./undo.ts')).runUndo,
  },
  {
    words: ['values'],
    usage: 'setup values [flags]',
    summary: 'The control plane values that register a CLI client of your own',
    flags: ['client-id', 'platform', ...everywhere],
    examples: ['setup values --client-id my-cli'],
    load: async () => (await import('./values.ts')).runValues,
  },
  {
    words: ['component', 'list'],
    usage: 'setup component list [flags]',
    summary: 'CLI version, server version, and the components',
    flags: ['allow-http', ...everywhere],
    examples: ['setup component list', 'setup component list --json'],
    load: async () => (await import('./component-list.ts')).runComponentList,
  },
];
