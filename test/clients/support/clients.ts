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

export const qwenCode: Client = {
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  command: 'qwen',
};

export const kiloCode: Client = {name: 'Kilo Code', package: '@kilocode/cli', version: '7.7.7', command: 'kilo'};

export const factoryDroid: Client = {name: 'Factory Droid', package: 'droid', version: '0.215.0', command: 'droid'};

export const amp: Client = {name: 'Amp', package: '@ampcode/cli', version: '0.0.1790142911-g7618fb', command: 'amp'};

export const cline: Client = {name: 'Cline', package: 'cline', version: '3.0.65', command: 'cline'};

export const continueCli: Client = {name: 'Continue', package: '@continuedev/cli', version: '1.5.47', command: 'cn'};

export const mcporter: Client = {name: 'mcporter', package: 'mcporter', version: '0.12.3', command: 'mcporter'};

export const auggie: Client = {name: 'Auggie', package: '@augmentcode/auggie', version: '0.36.0', command: 'auggie'};

export const codeServer: Client = {
  name: 'code-server',
  package: 'code-server',
  version: '4.139.1',
  command: 'code-server',
};
