import {spawn} from 'node:child_process';
import {expect, onTestFinished, test} from 'vitest';
import {assistantOn} from '../../bridge/support/bridge.ts';

import {platformForTest} from '../support/platform.ts';
import {jsonLines, runSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';

type Pasted = {readonly mcpServers: Readonly<Record<string, {readonly command: string; readonly args: string[]}>>};

const machine = async () => {
  const {flags, ready} = await platformForTest();
  const surroundings = surroundingsForTest();
  const {args, stdin} = mcpClientSignIn(ready);
  const login = ['--yes', '--assistants', 'none', ...flags, ...args];
  expect(await runSetup(login, {surroundings, stdin})).toMatchObject({code: 0});
  return {surroundings, run: (...args: readonly string[]) => runSetup(args, {surroundings})};
};

test('what is to be pasted into JetBrains AI Assistant starts the bridge, and has the tools', async () => {
  const {surroundings, run} = await machine();
  const {code, stdout, stderr} = await run('mcp', 'connect', 'jetbrains-ai');
  expect({code, stderr}).toEqual({
    code: 0,
    stderr: expect.stringContaining('Paste this as JSON into the IDE’s settings'),
  });
  const {mcpServers}: Pasted = JSON.parse(stdout);
  expect(Object.keys(mcpServers)).toEqual(['platform-control-plane', 'platform-observability']);
  const {command, args} = mcpServers['platform-control-plane'] ?? expect.fail();
  const child = spawn(command, args, {env: surroundings.env, stdio: ['pipe', 'pipe', 'ignore']});
  onTestFinished(() => void child.kill('SIGKILL'));
  const {request, notify} = assistantOn(child.stdin, child.stdout);
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: {name: 'test', version: '1'},
  });
  notify('notifications/initialized');
  const {result} = await request('tools/list');
  const {tools} = result as {readonly tools: readonly {readonly name: string}[]};
  // The other names differ from release to release.
  expect(tools.map(({name}) => name)).toContain('list_projects');
});

test('is JSON of its own with --json, beside what is written for others', async () => {
  const {run} = await machine();
  const {code, stdout} = await run('mcp', 'connect', 'jetbrains-ai', 'cursor', '--yes', '--json');
  expect(code).toBe(0);
  const lines = jsonLines(stdout);
  expect(lines[0]).toMatchObject({type: 'paste', assistant: 'jetbrains-ai', paste: {mcpServers: expect.any(Object)}});
  expect(lines.at(-1)).toMatchObject({servers: expect.any(Array)});
});
