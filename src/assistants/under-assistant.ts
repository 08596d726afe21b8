import {detectAgenticEnvironment} from 'am-i-vibing';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables with which assistants mark the programs that they start, where the library does not know them. Each
 * list is one mark: all of its variables are set. `NAME=` stands for any value.
 */
const ownMarks: readonly (readonly string[])[] = [
  // Kilo Code, a fork of OpenCode. It sets OpenCode's variables as well, and the library reads those.
  ['KILO=1', 'KILO_PID='],
  // Claude Code
  ['CLAUDECODE=1', 'CLAUDE_CODE_SESSION_ID='],
  ['CLAUDECODE=1', 'CLAUDE_CODE_CHILD_SESSION=1'],
  // Cursor
  ['CURSOR_AGENT=1'],
  // Copilot CLI
  ['COPILOT_CLI=1'],
  ['COPILOT_AGENT_SESSION_ID='],
  // Visual Studio Code
  ['COPILOT_AGENT=1'],
  // Cline
  ['CLINE_ACTIVE=true'],
  // Qwen Code
  ['QWEN_CODE_CLI='],
  // Qoder
  ['QODER_CLI=1'],
  // Junie
  ['JUNIE_DATA='],
  ['JUNIE_SHIM_PATH='],
  // OpenClaw
  ['OPENCLAW_CLI=1'],
  ['OPENCLAW_SHELL='],
  // Warp
  ['OZ_RUN_ID='],
];

/** Variables that the library takes for marks, and that people set themselves or get in the terminal of an editor. */
const notMarks: readonly string[] = ['AIDER_API_KEY', 'CLAUDECODE', 'OPENCODE_BIN_PATH'];

/** The program names of assistants that do not mark the programs that they start. */
const unmarked: readonly string[] = ['droid', 'grok', 'devin'];

/**
 * Returns whether this program was started by an assistant: by the marks in its environment, or if there are none, by
 * the programs that it runs under.
 *
 * @param ancestors returns the names of these programs, without directories
 */
export const isUnderAssistant = (env: Variables, ancestors: () => readonly string[]): boolean => {
  if (ownMarks.some(marks => marks.every(mark => isSet(mark, env)))) return true;
  // In this variable several assistants put their name, in addition to their own variables.
  if (env.AI_AGENT !== undefined && env.AI_AGENT !== '') return true;
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !notMarks.includes(name)));
  if (detectAgenticEnvironment({env: others}).type === 'agent') return true;
  return ancestors().some(name => unmarked.includes(name));
};

const isSet = (mark: string, env: Variables): boolean => {
  const [name = '', value] = mark.split('=');
  const found = env[name];
  return value === '' ? found !== undefined && found !== '' : found === value;
};
