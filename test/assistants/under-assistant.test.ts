import {describe, expect, test} from 'vitest';
import {isUnderAssistant} from '../../src/assistants/under-assistant.ts';

const none = () => [];

describe('the environment of what an assistant starts', () => {
  test.each([
    ['Claude Code', {CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'a'}],
    ['a session within Claude Code', {CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1'}],
    ['Codex', {CODEX_THREAD_ID: 'a'}],
    ['Cursor', {CURSOR_AGENT: '1'}],
    ['Gemini CLI', {GEMINI_CLI: '1'}],
    ['Qwen Code', {QWEN_CODE: '1'}],
    ['a server of Qwen Code', {QWEN_CODE_CLI: '/usr/bin/qwen'}],
    ['OpenCode', {OPENCODE: '1', OPENCODE_PID: '7', AGENT: '1'}],
    ['Kilo Code', {KILO: '1', KILO_PID: '7', OPENCODE: '1', AGENT: '1'}],
    ['Copilot CLI', {COPILOT_CLI: '1'}],
    ['a session of Copilot CLI', {COPILOT_AGENT_SESSION_ID: 'a'}],
    ['Copilot in VS Code', {COPILOT_AGENT: '1', AI_AGENT: 'github_copilot_vscode_agent'}],
    ['Cline', {CLINE_ACTIVE: 'true'}],
    ['Crush', {CRUSH: '1'}],
    ['Amp', {AGENT: 'amp'}],
    ['Auggie', {AUGMENT_AGENT: '1'}],
    ['Antigravity', {ANTIGRAVITY_AGENT: '1'}],
    ['Junie', {JUNIE_DATA: '/tmp'}],
    ['Zed', {TERM_PROGRAM: 'zed', PAGER: 'cat'}],
    ['OpenHands', {AI_AGENT: 'openhands'}],
    ['OpenClaw', {OPENCLAW_CLI: '1'}],
    ['Pi', {PI_CODING_AGENT: 'true'}],
    ['Qoder', {QODER_CLI: '1'}],
    ['Warp', {OZ_RUN_ID: 'a'}],
    ['Replit', {REPL_ID: 'a'}],
    ['two at once', {GEMINI_CLI: '1', CODEX_THREAD_ID: 'a'}],
  ])('says so: %s', (_, env) => {
    expect(isUnderAssistant(env, none)).toBe(true);
  });

  test.each([
    ['nothing', {}],
    ['the terminal of an editor that Claude Code knows', {CLAUDECODE: '1'}],
    ['a person’s settings of Copilot', {COPILOT_MODEL: 'a', COPILOT_ALLOW_ALL: '1', COPILOT_GITHUB_TOKEN: 'a'}],
    ['a person’s settings of Goose', {GOOSE_PROVIDER: 'a'}],
    ['a person’s key of Aider', {AIDER_API_KEY: 'a'}],
    ['a person’s own build of OpenCode', {OPENCODE_BIN_PATH: '/opt/opencode'}],
    ['the terminal of Cursor', {CURSOR_TRACE_ID: 'a'}],
    ['the terminal of Zed', {TERM_PROGRAM: 'zed', PAGER: 'less'}],
    ['the terminal Warp', {TERM_PROGRAM: 'WarpTerminal'}],
    ['empty variables', {CODEX_THREAD_ID: '', AI_AGENT: '', JUNIE_DATA: ''}],
  ])('says nothing: %s', (_, env) => {
    expect(isUnderAssistant(env, none)).toBe(false);
  });
});

describe('the programs above', () => {
  test.each(['droid', 'grok', 'devin'])('are asked where the environment says nothing: %s', name => {
    expect(isUnderAssistant({}, () => ['bash', 'node', name])).toBe(true);
  });

  test('count by their whole names', () => {
    expect(isUnderAssistant({}, () => ['bash', 'android', 'grok-log.sh', 'tmux'])).toBe(false);
  });

  test('are not asked where the environment says enough', () => {
    const never = () => {
      throw new Error('asked');
    };
    expect(isUnderAssistant({GEMINI_CLI: '1'}, never)).toBe(true);
  });
});
