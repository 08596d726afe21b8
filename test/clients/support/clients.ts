/** A client of MCP as it comes from npm: exactly this version is installed, and was seen working. */
export type Client = {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Its executable in `node_modules/.bin`. */
  readonly command: string;
};

export const claudeCode: Client = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.329',
  command: 'claude',
};

export const codexCli: Client = {name: 'Codex CLI', package: '@openai/codex', version: '0.169.0', command: 'codex'};

export const geminiCli: Client = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  command: 'gemini',
};

export const openCode: Client = {name: 'OpenCode', package: 'opencode-ai', version: '1.18.33', command: 'opencode'};

export const copilotCli: Client = {
  name: 'GitHub Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  command: 'copilot',
};

export const mcpInspector: Client = {
  name: 'MCP Inspector',
  package: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  command: 'mcp-inspector',
};
