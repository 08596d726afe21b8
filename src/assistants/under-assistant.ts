import {detectAgenticEnvironment} from 'am-i-vibing';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables with which one assistant marks the programs that it starts: all of one of the lists. */
type Marks = {readonly id: string; readonly marks: readonly (readonly string[])[]};

/** The marks that the library does not know, or reads as those of another assistant. `NAME=` stands for any value. */
const ownMarks: readonly Marks[] = [
  // A fork of OpenCode, which sets OpenCode's variables as well.
  {id: 'kilo-code', marks: [['KILO=1', 'KILO_PID=']]},
  {
    id: 'claude-code',
    marks: [
      ['CLAUDECODE=1', 'CLAUDE_CODE_SESSION_ID='],
      ['CLAUDECODE=1', 'CLAUDE_CODE_CHILD_SESSION=1'],
    ],
  },
  {id: 'cursor', marks: [['CURSOR_AGENT=1']]},
  {id: 'copilot-cli', marks: [['COPILOT_CLI=1'], ['COPILOT_AGENT_SESSION_ID=']]},
  {id: 'vscode', marks: [['COPILOT_AGENT=1']]},
  {id: 'cline', marks: [['CLINE_ACTIVE=true']]},
  {id: 'qwen-code', marks: [['QWEN_CODE_CLI=']]},
  {id: 'qoder', marks: [['QODER_CLI=1']]},
  {id: 'junie', marks: [['JUNIE_DATA='], ['JUNIE_SHIM_PATH=']]},
  {id: 'openclaw', marks: [['OPENCLAW_CLI=1'], ['OPENCLAW_SHELL=']]},
  {id: 'warp', marks: [['OZ_RUN_ID=']]},
];

/** Variables that the library takes for marks, and that people set themselves or get in the terminal of an editor. */
const notMarks: readonly string[] = ['AIDER_API_KEY', 'CLAUDECODE', 'OPENCODE_BIN_PATH'];

/** The names under which assistants run that mark nothing. */
const unmarked: readonly string[] = ['droid', 'grok', 'devin'];

/**
 * Returns whether this program was started by an assistant: by the marks in its environment, or if there are none, by
 * the programs that it runs under.
 *
 * @param ancestors returns the names of these programs, without directories
 */
export const isUnderAssistant = (env: Variables, ancestors: () => readonly string[]): boolean => {
  if (ownMarks.some(({marks}) => marks.some(list => list.every(mark => isSet(mark, env))))) return true;
  // The name that several assistants give themselves there, in addition to their own variables.
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
