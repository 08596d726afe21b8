import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {geminiCli} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {geminiModelFor} from './support/gemini-model.ts';
import {testLifecycle} from './support/lifecycle.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {afterSigningIn, CLOSING, expectGoesOn, modelAfterSigningIn} from './support/two-calls.ts';

const trusted = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};

const byKey = {security: {auth: {selectedType: 'gemini-api-key'}}};

const talk = (machine: Machine, url: string) =>
  machine.run(['-p', 'Begin.', '--yolo', '-m', 'gemini-2.5-flash'], {
    ...trusted,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'none',
  });

await describeClient(geminiCli, installed => {
  const byKeyFirst = (machine: Machine, url: string) => {
    const path = join(machine.home, '.gemini', 'settings.json');
    writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), ...byKey}));
    return talk(machine, url);
  };
  testOfferedTools(installed, 'gemini-cli', byKeyFirst, geminiModelFor);

  testLifecycle(installed, {
    assistant: 'gemini-cli',
    files: {user: '.gemini/settings.json', project: '.gemini/settings.json'},
    own: ({run}, scope) => run(['mcp', 'add', '-s', scope, 'mine', 'node', 'server.js'], trusted),
    chosen: {timeout: 5000, trust: true, includeTools: ['list_organizations']},
  });

  test.for(['auto', 'header'])('connects to both servers, method %s', async method => {
    const machine = await machineWith(installed);
    await machine.connect('gemini-cli', '--method', method);
    const {code, stderr} = await machine.run(['mcp', 'list'], trusted);
    expect({code, stderr}).toEqual({code: 0, stderr: expect.stringMatching(/✓ platform-control-plane: .* Connected/)});
    expect(stderr).toMatch(/✓ platform-observability: .* Connected/);
    expectSeen(machine, 'mcp-test-client', ['ping']);
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await machineWith(installed);
    // Gemini CLI uses a custom model only with an API key, which a setting selects.
    mkdirSync(join(machine.home, '.gemini'));
    writeFileSync(join(machine.home, '.gemini', 'settings.json'), JSON.stringify(byKey));
    await machine.connect('gemini-cli');
    await expectGoesOn(machine, url => talk(machine, url), geminiModelFor);
    expect(machine.servers.controlPlane.seen()[0]).toMatchObject({rpc: 'initialize', client: 'gemini-cli-mcp-client'});
  });

  test('starts signed out, and has the tools in the same conversation once somebody has signed in, by the bridge', async () => {
    const machine = await machineWith(installed);
    mkdirSync(join(machine.home, '.gemini'));
    writeFileSync(join(machine.home, '.gemini', 'settings.json'), JSON.stringify(byKey));
    await machine.connect('gemini-cli');
    const model = await modelAfterSigningIn(machine, geminiModelFor, [{tool: 'list_directory'}]);
    const {code, stdout} = await talk(machine, model.url);
    expect({code, stdout}).toEqual({code: 0, stdout: `${CLOSING}\n`});
    const [before, after, , called] = model.results();
    expect([before, after, called]).toEqual(afterSigningIn);
  });

  test('waits for trust in the folder of a project, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('gemini-cli', '--scope', 'project', '--method', 'bridge');
    const list = async () => {
      const {stdout, stderr} = await machine.run(['mcp', 'list']);
      return stdout + stderr;
    };
    expect(await list()).toMatch(/platform-control-plane: .* Disabled/);
    expect(await machine.diagnosis()).toMatchObject({verdict: 'warning', sentence: expect.stringContaining('trust')});
    machine.write('.gemini/trustedFolders.json', JSON.stringify({[machine.project]: 'TRUST_FOLDER'}));
    expect(await list()).toMatch(/platform-control-plane: .* Connected/);
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });
});
