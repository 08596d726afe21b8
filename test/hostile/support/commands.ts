const assistants = ['claude-code', 'cursor', 'vscode', 'codex-cli', 'generic'];
const chosen = ['--assistants', assistants.join(','), '--scope', 'project', '--yes'];

/** Every command that uses the working directory, or a file named relative to it. */
export const commands: Readonly<Record<string, readonly string[]>> = {
  wizard: [
    '--yes',
    '--sign-in',
    'service-account',
    '--method',
    'header',
    '--in-git',
    'ignore',
    '--assistants',
    'generic',
  ],
  'mcp connect': ['mcp', 'connect', ...chosen, '--method', 'bridge'],
  'mcp connect, headers': ['mcp', 'connect', ...chosen, '--method', 'header', '--in-git', 'ignore'],
  'mcp list': ['mcp', 'list'],
  'mcp disconnect': ['mcp', 'disconnect', '--all'],
  login: ['login', '--client-credentials'],
  logout: ['logout'],
  status: ['status'],
  token: ['token', '--renew'],
  doctor: ['doctor', '--json', '--verbose'],
  'doctor --fix': ['doctor', '--fix', '--yes'],
  'doctor --report': ['doctor', '--report', 'report.txt'],
  undo: ['undo', '--yes'],
  upgrade: ['upgrade'],
  uninstall: ['uninstall', '--yes'],
  'component list': ['component', 'list'],
  'context remove': ['context', 'remove', 'platform'],
  'mcp tools': ['mcp', 'tools', 'control-plane'],
  'mcp call': ['mcp', 'call', 'control-plane', 'list_projects'],
  'org export': ['org', 'export', 'kit'],
  'platform init': ['platform', 'init', '--yes'],
  'platform check': ['platform', 'check', 'mcp.json'],
  'provider check': ['provider', 'check'],
  values: ['values'],
};

/** Commands that neither read nor write anything relative to the working directory. */
export const withoutDirectory: readonly string[] = [
  ...['demo', 'sandbox', 'help', 'version', 'explain', 'completion', 'provider guide', 'context list', 'context use'],
  'mcp serve',
];

/** Commands that change existing entries. */
export const afterConnecting: readonly string[] = [
  'mcp disconnect',
  'undo',
  'uninstall',
  'logout',
  'login',
  'doctor --fix',
];
