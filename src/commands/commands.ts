import type {Command} from './command.ts';
import type {FlagName} from './flags.ts';

const everywhere: readonly FlagName[] = ['context', 'yes', 'json', 'quiet', 'no-color', 'help'];
const wizard: readonly FlagName[] = [
  ...(['base-domain', 'layout', 'control-plane-url', 'observer-url', 'auth-url', 'platform'] as const),
  ...(['sign-in', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
  ...(['admin-username', 'admin-password-stdin', 'application-id', 'reset-secret'] as const),
  ...(['assistants', 'project', 'allow-http'] as const),
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
    flags: ['layout', ...everywhere],
    examples: ['setup demo', 'setup demo --layout multi', 'setup demo --yes --json'],
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    words: ['sandbox'],
    usage: 'setup sandbox [flags]',
    summary: 'Run the sandbox platform and print its addresses and credentials',
    flags: ['layout', 'port', 'observer-port', 'base-domain', 'values', ...everywhere],
    examples: ['setup sandbox', 'setup sandbox --layout multi --port 0 --json'],
    load: async () => (await import('./sandbox.ts')).runSandbox,
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
    words: ['component', 'list'],
    usage: 'setup component list [flags]',
    summary: 'CLI version, server version, and the components',
    flags: ['allow-http', ...everywhere],
    examples: ['setup component list', 'setup component list --json'],
    load: async () => (await import('./component-list.ts')).runComponentList,
  },
];
