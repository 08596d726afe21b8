import {expect, test} from 'vitest';
import {mcporter} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';
import {listing} from './support/two-calls.ts';

/** The assistants whose files mcporter also reads, with the scope. */
const sources = [
  ['cursor', 'user'],
  ['cursor', 'project'],
  ['claude-code', 'user'],
  ['codex-cli', 'user'],
  ['codex-cli', 'project'],
  ['windsurf', 'user'],
  ['opencode', 'user'],
  ['opencode', 'project'],
  ['vscode', 'user'],
  ['vscode', 'project'],
  ['vscode-insiders', 'user'],
] as const;

await describeClient(mcporter, installed => {
  test.for(sources)('lists and calls the tools through the file of %s, %s scope', async ([assistant, scope]) => {
    const machine = await machineWith(installed);
    await machine.connect(assistant, '--scope', scope, '--method', 'bridge');
    const {stdout} = await machine.run(['list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({counts: {ok: 2}});
    expectSeen(machine, 'mcporter');
    const call = await machine.run(['call', `platform-control-plane.${listing.tool}`]);
    expect(call).toMatchObject({code: 0, stdout: expect.stringContaining('"default"')});
    machine.endToken();
    expect(await machine.run(['call', `platform-control-plane.${listing.tool}`])).toMatchObject({code: 0});
    expect(callsSeen(machine).map(([, status]) => status)).toEqual([200, 200]);
  });
});
