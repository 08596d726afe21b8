import {spawn} from 'node:child_process';
import {expect, onTestFinished, test} from 'vitest';
import {assistantOn} from '../../bridge/support/bridge.ts';
import {codexCli} from '../support/clients.ts';
import {describeManaged, type ManagedMachine, managedMachine} from './support/managed-machine.ts';

type ServerStatus = {readonly name: string; readonly tools: object};

/** Returns the servers that Codex starts, and the tools that it finds there. */
const serversIn = async ({project, env, args}: ManagedMachine) => {
  const child = spawn('unshare', args('app-server'), {cwd: project, env, stdio: ['pipe', 'pipe', 'ignore']});
  onTestFinished(() => void child.kill('SIGKILL'));
  const {request, notify} = assistantOn(child.stdin, child.stdout);
  await request('initialize', {clientInfo: {name: 'test', version: '1'}});
  notify('initialized');
  const thread = (await request('thread/start', {cwd: project})).result as {readonly thread: {readonly id: string}};
  const {result} = await request('mcpServerStatus/list', {threadId: thread.thread.id});
  const {data} = result as {readonly data: readonly ServerStatus[]};
  return Object.fromEntries(data.map(({name, tools}) => [name, Object.keys(tools)]));
};

const tools = {
  controlPlane: expect.arrayContaining(['list_organizations']),
  observer: expect.arrayContaining(['query_component_logs']),
};

await describeManaged(codexCli, installed => {
  const mine = ({stranger}: ManagedMachine) => `\n[mcp_servers.mine]\nurl = "${stranger.url}"\n`;

  test('gives everybody the servers, and no one can use another', async () => {
    const machine = await managedMachine(installed);
    machine.roll('servers');
    machine.write('.codex/config.toml', mine(machine));
    expect(await serversIn(machine)).toEqual({
      'org-platform-control-plane': tools.controlPlane,
      'org-platform-observability': tools.observer,
      mine: [],
    });
    machine.expectToolsListed();
    expect(machine.strangers()).toEqual([]);
    const {code, stdout} = await machine.run(['mcp', 'list']);
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^mine .* disabled: requirements \(\/etc\/codex\/requirements\.toml\)/m),
    });
  });

  test.for(['helper', 'bridge'])('gives them beside what a person has connected by the %s', async method => {
    const machine = await managedMachine(installed);
    await machine.connect('codex-cli', '--method', method);
    machine.roll('servers');
    expect(await serversIn(machine)).toEqual({
      'org-platform-control-plane': tools.controlPlane,
      'org-platform-observability': tools.observer,
      'platform-control-plane': [],
      'platform-observability': [],
    });
    machine.expectToolsListed();
  });

  test('lets everybody connect the servers by the helper, and no others', async () => {
    const machine = await managedMachine(installed);
    await machine.connect('codex-cli');
    machine.roll('allow-list');
    machine.append('.codex/config.toml', mine(machine));
    expect(await serversIn(machine)).toEqual({
      'platform-control-plane': tools.controlPlane,
      'platform-observability': tools.observer,
      mine: [],
    });
    machine.expectToolsListed();
    expect(machine.strangers()).toEqual([]);
  });

  test('does not take another server by a name of these', async () => {
    const machine = await managedMachine(installed);
    machine.roll('allow-list');
    const name = 'platform-control-plane';
    machine.write('.codex/config.toml', `[mcp_servers.${name}]\nurl = "${machine.stranger.url}"\n`);
    expect(await serversIn(machine)).toEqual({[name]: []});
    expect(machine.strangers()).toEqual([]);
  });
});
