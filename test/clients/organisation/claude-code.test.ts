import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {claudeCode} from '../support/clients.ts';
import {describeManaged, managedMachine} from './support/managed-machine.ts';

await describeManaged(claudeCode, installed => {
  test('gives everybody the servers, and no one can use another', async () => {
    const machine = await managedMachine(installed);
    machine.roll('servers');
    machine.write('.claude.json', JSON.stringify({mcpServers: {mine: machine.stranger}}));
    const {code, stdout} = await machine.run(['mcp', 'list']);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/control-plane: .* ✔ Connected/)});
    expect(stdout).toMatch(/observability: .* ✔ Connected/);
    expect(stdout).not.toContain('mine');
    machine.expectToolsListed();
    expect(machine.strangers()).toEqual([]);
    const add = await machine.run(['mcp', 'add', 'another', 'true']);
    expect(add).toMatchObject({code: 1, stderr: expect.stringContaining('exclusive control')});
  });

  test.for([
    ['by the helper', '--method', 'auto'],
    ['by the bridge', '--method', 'bridge'],
    ['with fewer tools', '--tools', 'build'],
  ])('lets everybody connect the servers %s, and no others', async ([_, ...flags]) => {
    const machine = await managedMachine(installed);
    await machine.connect('claude-code', ...flags);
    machine.roll('allow-list');
    machine.addTo('.claude.json', 'mcpServers', {
      mine: machine.stranger,
      another: {type: 'stdio', command: 'true'},
    });
    const {code, stdout} = await machine.run(['mcp', 'list']);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/control-plane: .* ✔ Connected/)});
    expect(stdout).toMatch(/observability: .* ✔ Connected/);
    expect(stdout).not.toMatch(/mine|another/);
    machine.expectToolsListed(flags[0] === '--tools' ? ['observer'] : undefined);
    expect(machine.strangers()).toEqual([]);
    const add = await machine.run(['mcp', 'add', 'another', 'true']);
    expect(add).toMatchObject({code: 1, stderr: expect.stringContaining('not allowed by enterprise policy')});
  });

  test('does not take another server by a name of these', async () => {
    const machine = await managedMachine(installed);
    machine.roll('allow-list');
    const name = 'platform-control-plane';
    machine.write('.claude.json', JSON.stringify({mcpServers: {[name]: machine.stranger}}));
    expect((await machine.run(['mcp', 'list'])).stdout).not.toContain(name);
    expect(machine.strangers()).toEqual([]);
  });

  test('is connected by the organisation for this program too, and nothing is written', async () => {
    const machine = await managedMachine(installed);
    machine.roll('servers');
    machine.write('.claude.json', '{}');
    for (const names of [[], ['claude-code']]) {
      const {code, stdout, stderr} = await machine.setup('mcp', 'connect', ...names, '--yes');
      expect({code, stderr}).toEqual({code: 0, stderr: ''});
      expect(stdout).toContain('Your organisation has connected Claude Code (/etc/claude-code/managed-mcp.json)');
    }
    expect(readFileSync(join(machine.home, '.claude.json'), 'utf8')).toBe('{}');
    expect(readdirSync(machine.project)).toEqual([]);
    const list = await machine.setup('mcp', 'list');
    expect(list.stdout.match(/managed-mcp\.json +connected by your organisation/g)).toHaveLength(2);
    expect((await machine.setup('status')).stdout).toMatch(/Claude Code +connected by your organisation\n/);
    const {stdout} = await machine.setup('doctor', '--verbose');
    expect(stdout).toMatch(/Entries of Claude Code: \/etc\/.*, by your organisation: control-plane \d+ tools, observ/);
  });

  test('says the same of entries that were there before', async () => {
    const machine = await managedMachine(installed);
    await machine.connect('claude-code');
    const before = readFileSync(join(machine.home, '.claude.json'), 'utf8');
    machine.roll('servers');
    const {code, stdout, stderr} = await machine.setup('mcp', 'connect', '--yes');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toContain('Your organisation has connected Claude Code');
    expect(readFileSync(join(machine.home, '.claude.json'), 'utf8')).toBe(before);
    const doctor = await machine.setup('doctor', '--verbose');
    expect(doctor.code).toBe(0);
    expect(doctor.stdout).toMatch(/Entries of Claude Code: .*managed-mcp\.json, by your organisation; .* is ignored/);
  });
});
