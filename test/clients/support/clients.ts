import {evidence} from '../../../src/assistants/catalogue/evidence.ts';

/** An MCP client from npm. Exactly this version is installed and was tested. */
export type Client = {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The package of its newer versions, if it is another. */
  readonly successor?: string;
  /** Its executable in `node_modules/.bin`. */
  readonly command: string;
};

/** Returns the version that the catalogue says was run. */
const seen = (assistant: string): string => {
  const {how, version} = evidence[assistant] ?? {};
  if (how !== 'run' || version === undefined) throw new Error(`The catalogue does not say that ${assistant} was run.`);
  return version;
};

export const claudeCode: Client = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: seen('claude-code'),
  command: 'claude',
};

export const codexCli: Client = {
  name: 'Codex CLI',
  package: '@openai/codex',
  version: seen('codex-cli'),
  command: 'codex',
};

export const geminiCli: Client = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: seen('gemini-cli'),
  command: 'gemini',
};

export const openCode: Client = {
  name: 'OpenCode',
  package: 'opencode-ai',
  version: seen('opencode'),
  command: 'opencode',
};

export const copilotCli: Client = {
  name: 'GitHub Copilot CLI',
  package: '@github/copilot',
  version: seen('copilot-cli'),
  command: 'copilot',
};

export const qwenCode: Client = {
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: seen('qwen-code'),
  command: 'qwen',
};

export const kiloCode: Client = {
  name: 'Kilo Code',
  package: '@kilocode/cli',
  version: seen('kilo-code'),
  command: 'kilo',
};

export const factoryDroid: Client = {
  name: 'Factory Droid',
  package: 'droid',
  successor: '@factory/cli',
  version: seen('factory-droid'),
  command: 'droid',
};

export const amp: Client = {name: 'Amp', package: '@ampcode/cli', version: seen('amp'), command: 'amp'};

export const cline: Client = {name: 'Cline', package: 'cline', version: seen('cline'), command: 'cline'};

export const continueCli: Client = {
  name: 'Continue',
  package: '@continuedev/cli',
  version: seen('continue'),
  command: 'cn',
};

export const auggie: Client = {
  name: 'Auggie',
  package: '@augmentcode/auggie',
  version: seen('auggie'),
  command: 'auggie',
};

export const codeServer: Client = {
  name: 'code-server',
  package: 'code-server',
  version: seen('code-server'),
  command: 'code-server',
};

export const grokBuild: Client = {
  name: 'Grok Build',
  package: '@xai-official/grok',
  version: seen('grok-build'),
  command: 'grok',
};

export const kimiCode: Client = {
  name: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  version: seen('kimi-code'),
  command: 'kimi',
};

export const qoder: Client = {
  name: 'Qoder',
  package: '@qoder-ai/qodercli',
  version: seen('qoder'),
  command: 'qodercli',
};

export const mcpInspector: Client = {
  name: 'MCP Inspector',
  package: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  command: 'mcp-inspector',
};

export const mcporter: Client = {name: 'mcporter', package: 'mcporter', version: '0.12.3', command: 'mcporter'};
