import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {payloadOf} from '../../src/domain/tokens.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {runSetup, surroundingsForTest} from '../e2e/support/run.ts';
import {clientOf} from '../support/platform.ts';
import {closedOrigin} from '../support/server.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {type Client, claudeCode, openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {type Installed, pathWith} from './support/install.ts';
import {modelFor} from './support/model.ts';
import {scriptedModelAt} from './support/opencode-model.ts';
import {runProgram} from './support/program.ts';
import type {Script} from './support/script.ts';

const CLOSING = 'That is all of it.';

/** Sets up a person who may do everything on a 1.2 with roles, with an assistant that is connected in this way. */
const machine = async ({client, bin}: Installed, assistant: string, how: readonly string[]) => {
  const platform = await platformForTest({release: '1.2'});
  const surroundings = surroundingsForTest();
  const me = clientOf(platform.ready, 'client_secret_basic');
  const project = join(surroundings.home, 'project');
  mkdirSync(project);
  const {admin} = platform.ready;
  const env = {
    ...surroundings.env,
    PATH: pathWith(bin),
    HTTPS_PROXY: await closedOrigin(),
    NO_PROXY: '127.0.0.1,localhost,.localhost',
  };
  const signIn = ['--sign-in', 'mcp-client', '--client-id', me.clientId, '--client-secret-stdin'];
  const connected = ['--assistants', assistant, '--method', 'bridge', '--project', project, ...how];
  const done = await runSetup(['--yes', ...platform.flags, ...signIn, ...connected], {
    surroundings,
    stdin: `${me.secret}\n`,
    env: {...env, SETUP_ADMIN_USERNAME: admin.username, SETUP_ADMIN_PASSWORD: admin.password},
  });
  expect(done).toMatchObject({code: 0});
  const setup = `'${process.execPath}' '${launcher}'`;
  const run = (args: readonly string[], more: Readonly<Record<string, string>>) =>
    runProgram(join(bin, client.command), args, {cwd: project, env: {...env, ...more}, timeout: 120_000});
  return {platform, home: surroundings.home, me: me.clientId, setup, run, url: platform.ready.controlPlaneUrl};
};

type Machine = Awaited<ReturnType<typeof machine>>;

const project = '{"namespace_name":"default","name":"taken-over"}';

/** What a model with a shell tries through this program, after it was refused by the server. */
const attempts = ({setup, url}: Machine): readonly string[] => [
  `${setup} token`,
  `${setup} token --as me`,
  `${setup} mcp call control-plane create_project '${project}'`,
  `${setup} mcp call control-plane create_project '${project}' --as me`,
  `${setup} login --as me`,
  `${setup} mcp connect --assistants-as you --yes`,
  // The platform's own CLI has a sign-in only if the person wants that.
  'cat "$HOME/.openchoreo/config"',
  `curl -s -o /dev/null -w '%{http_code}' -X POST -H "$(${setup} token --header)" -H 'Content-Type: application/json' -d '{"metadata":{"name":"mine"},"spec":{"actions":["*"]}}' ${url}/api/v1/clusterauthzroles`,
];

const reading = {tool: 'list_projects', input: {namespace_name: 'default'}} as const;

/** An assistant with a shell, whose model follows a script. Both speak the Messages API. */
type WithShell = {
  readonly client: Client;
  readonly id: string;
  /** The name of its tool for commands. */
  readonly shell: string;
  /** Returns its arguments and its variables for a model at this origin. */
  readonly start: (url: string) => {readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>};
};

const assistants: readonly WithShell[] = [
  {
    ...{client: claudeCode, id: 'claude-code', shell: 'Bash'},
    start: url => ({
      args: ['-p', 'Begin.', '--allowedTools', 'mcp__platform-control-plane,Bash'],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    }),
  },
  {
    ...{client: openCode, id: 'opencode', shell: 'bash'},
    start: url => ({
      args: ['run', 'Begin.'],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url)),
      },
    }),
  },
];

/** Holds a conversation by a script, and returns the tools that the model had and the results that it saw. */
const converse = async (at: Machine, {start}: WithShell, script: Script, more: readonly string[] = []) => {
  const model = await modelFor([...script, {text: CLOSING}]);
  const {args, env} = start(model.url);
  const {code, stdout} = await at.run([...args, ...more], env);
  expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining(CLOSING)});
  return {offered: model.offered(), results: model.results()};
};

/** Returns a call of a shell that runs each of these commands, whatever becomes of the others. */
const commands = (tool: string, all: readonly string[]) => ({
  tool,
  input: {command: all.map(one => `${one} 2>&1; echo '${END}'`).join('\n'), description: 'Try.'},
});

/** Stands between the outputs of two commands. */
const END = '=====';

/** Returns the claims of the token in a text, if there is one. */
const tokenIn = (said = '') => payloadOf(/eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(said)?.[0] ?? '');

for (const assistant of assistants) {
  const {client, id, shell} = assistant;

  await describeClient(client, installed => {
    test('with an account that only looks, changes nothing through this program, and can go on reading', async () => {
      const at = await machine(installed, id, ['--assistants-as', 'look', '--role', 'grant']);
      const {results} = await converse(at, assistant, [reading, commands(shell, attempts(at)), reading]);
      const [before, tried = '', after] = results;
      const [token, asMe, called, calledAsMe, login, actAsYou, cliFile, curl] = tried.split(END);
      expect(before).toContain('default');
      expect(tokenIn(token)?.client_id).toMatch(/_assistants$/);
      for (const refused of [asMe, calledAsMe, login, actAsYou]) {
        // One that can show a question is told how the person is asked, which nobody answers here.
        expect(refused).toMatch(/only for a person|person has to allow this first/);
        expect(tokenIn(refused)).toBeUndefined();
      }
      // The server does not even name the tool to this account.
      expect(called).toContain('has no tool create_project');
      expect(cliFile).toContain('No such file');
      expect(curl).toContain('403');
      expect(after).toContain('default');
    });

    test('with the filter alone, is held back by the bridge and not by anything else', async () => {
      const at = await machine(installed, id, ['--tools', 'look']);
      const [token = '', , called = ''] = attempts(at);
      const {offered, results} = await converse(at, assistant, [reading, commands(shell, [token, called])]);
      const [printed, created] = (results[1] ?? '').split(END);
      expect(offered.filter(name => /(?:create|update|delete)_/.test(name))).toEqual([]);
      expect(offered.some(name => name.endsWith('list_projects'))).toBe(true);
      expect(tokenIn(printed)?.client_id).toBe(at.me);
      expect(created).toContain('taken-over');
    });
  });
}

await describeClient(claudeCode, installed => {
  test.each([
    ['accept', true],
    ['decline', false],
  ])('asks the person in the conversation whether a command may act as them: %s', async (action, isAllowed) => {
    const [assistant] = assistants;
    if (!assistant) throw new Error('There is no assistant.');
    const at = await machine(installed, assistant.id, ['--assistants-as', 'look', '--role', 'grant']);
    // The hook stands for the person, who answers in a dialogue.
    const output = {hookSpecificOutput: {hookEventName: 'Elicitation', action, content: {}}};
    const hook = {type: 'command', command: `cat >> "$HOME/asked"; echo '${JSON.stringify(output)}'`};
    const settings = JSON.stringify({hooks: {Elicitation: [{hooks: [hook]}]}});
    // It speaks the stateless era, so the next call of a tool asks.
    const asMe = commands(assistant.shell, [`${at.setup} token --as me`]);
    const script = [reading, asMe, reading, asMe];
    const {results} = await converse(at, assistant, script, ['--settings', settings]);
    const [, before, asking, printed] = results;
    expect(before).toContain('The person has to allow this first.');
    expect(asking).toContain('default');
    expect(readFileSync(join(at.home, 'asked'), 'utf8')).toContain('setup token --as me');
    expect(tokenIn(printed)?.client_id).toBe(isAllowed ? at.me : undefined);
    if (!isAllowed) expect(printed).toContain('Nobody allowed this in the conversation.');
  });
});
