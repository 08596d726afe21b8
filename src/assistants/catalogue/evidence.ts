/** The evidence for an assistant's files and for the form of its entries. */
export type Evidence = {
  /**
   * `run`: the program itself read an entry written by this program. `source`: its source code says so.
   * `documentation`: its makers, or others, describe it. `unread`: no program that was tried reads it.
   */
  readonly how: 'run' | 'source' | 'documentation' | 'unread';
  /** The version of the program; absent if only a page is known. */
  readonly version?: string;
  /** The program that read the file, if the file does not belong to one particular client. */
  readonly by?: string;
  /** The day on which it was last checked (ISO 8601). */
  readonly on: string;
  /** The scope whose file was seen, if not both were. */
  readonly only?: 'user' | 'project';
  /** The address of its source code or documentation. */
  readonly where?: string;
};

const run = (version: string, on: string, only?: Evidence['only']): Evidence => ({
  ...{how: 'run', version, on},
  ...(only ? {only} : {}),
});

const documented = (where: string, on = '2026-11-24'): Evidence => ({how: 'documentation', on, where});

const source = (where: string, on: string, version?: string): Evidence => ({
  ...{how: 'source', on, where},
  ...(version ? {version} : {}),
});

const VSCODE = 'https://code.visualstudio.com/docs/agents/reference/mcp-configuration';
const XCODE = 'https://developer.apple.com/documentation/Xcode/setting-up-coding-intelligence';

/**
 * Evidence by the assistant's ID. It is separate from the descriptions of the assistants, since every command loads
 * those. The version of a `run` is the one that `npm run suite clients` installs. Crush was built from source and run
 * by hand.
 */
export const evidence: Readonly<Record<string, Evidence>> = {
  'claude-code': run('2.1.331', '2026-11-25'),
  'claude-desktop': documented('https://modelcontextprotocol.io/docs/develop/connect-local-servers'),
  'claude-desktop-msix': documented('https://mcpbundles.com/blog/claude-desktop-mcp'),
  cursor: documented('https://cursor.com/docs/mcp'),
  vscode: documented(VSCODE),
  'codex-cli': run('0.169.0', '2026-11-25'),
  'copilot-cli': run('1.0.102', '2026-11-25'),
  opencode: run('1.18.33', '2026-11-25'),
  'gemini-cli': run('0.61.0', '2026-11-25'),
  devin: documented('https://docs.devin.ai/cli/extensibility/mcp/configuration'),
  'visual-studio': documented('https://learn.microsoft.com/visualstudio/ide/mcp-servers'),
  zed: documented('https://zed.dev/docs/ai/mcp'),
  cline: run('3.0.65', '2026-11-25'),
  'copilot-jetbrains': documented(
    'https://docs.github.com/copilot/how-tos/provide-context/use-mcp/extend-copilot-chat-with-mcp',
  ),
  goose: documented('https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md'),
  amp: run('0.0.1790142911-g7618fb', '2026-11-25'),
  kiro: documented('https://kiro.dev/docs/mcp/configuration'),
  'qwen-code': run('0.24.4', '2026-11-25'),
  'jetbrains-ai': documented('https://www.jetbrains.com/help/ai-assistant/mcp.html'),
  junie: documented('https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html'),
  antigravity: documented('https://lihan3238.github.io/ai/cards/antigravity-agy-customization-paths'),
  'kilo-code': run('7.7.7', '2026-11-25'),
  'factory-droid': run('0.215.0', '2026-11-25'),
  'vscode-insiders': documented(VSCODE),
  vscodium: documented(VSCODE),
  'vscode-remote': documented(VSCODE),
  'code-server': run('4.139.1', '2026-11-24'),
  auggie: run('0.36.0', '2026-11-25'),
  crush: run('0.90.0', '2026-11-25'),
  'grok-build': run('1.0.41', '2026-11-25'),
  warp: source('https://github.com/warpdotdev/warp/tree/master/app/src/ai/mcp', '2026-11-24'),
  'kimi-code': run('2.1.0', '2026-11-25', 'user'),
  qoder: run('1.1.52', '2026-11-25'),
  'mistral-vibe': source('https://github.com/mistralai/mistral-vibe', '2026-11-25', '3.0.3'),
  'xcode-claude': documented(XCODE, '2026-11-25'),
  'xcode-codex': documented(XCODE, '2026-11-25'),
  'lm-studio': documented('https://lmstudio.ai/docs/app/mcp'),
  windsurf: documented('https://docs.windsurf.com/windsurf/cascade/mcp'),
  continue: run('1.5.47', '2026-11-25', 'user'),
  generic: {...run('2.12.0', '2026-11-25'), by: 'MCP Inspector'},
  documented: {how: 'unread', on: '2026-11-24'},
  'roo-code': documented('https://docs.roocode.com/features/mcp/using-mcp-in-roo'),
};
