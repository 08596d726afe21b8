import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {hasRoles} from '../../support/release.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';
import {storeIn} from '../support/store.ts';

/** The arguments of the release's tools: by UID in an organization, or by name in a namespace. */
const tools = hasRoles
  ? {
      ...{plural: 'namespaces', argument: 'namespace_name', named: 'name', default: ['namespace_name=default']},
      ...{needed: 'arguments namespace_name and project_name'},
      missing: ['namespace_name=default', 'project_name=nowhere'],
    }
  : {
      ...{plural: 'organizations', argument: 'organization_uid', named: 'uid', default: []},
      ...{needed: 'argument uid', missing: ['uid=00000000-0000-4000-8000-000000000000']},
    };

/** Sets up a signed-in person without connected assistants. */
const signedIn = async (options: Parameters<typeof platformForTest>[0] = {}) => {
  const platform = await platformForTest(options);
  const surroundings = surroundingsForTest();
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const all = ['--yes', '--assistants', 'none', ...platform.flags, ...args];
  const result = await runSetup(all, {surroundings, stdin});
  expect(result).toMatchObject({code: 0, stderr: ''});
  const run = (...words: readonly string[]) => runSetup(words, {surroundings});
  return {run, surroundings, store: storeIn(surroundings.setupHome), platform};
};

test('the tools of a server are listed, and one is described with its arguments', async () => {
  const {run} = await signedIn();
  const {code, stdout} = await run('mcp', 'tools', 'control-plane');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^TOOL +WHAT IT DOES\n/);
  expect(stdout).toMatch(/^create_project +Creates? a (new )?project/m);
  expect(stdout).toMatch(/^\d+ tools, about [\d,]+ tokens in each conversation\.$/m);
  expect(stdout).toMatch(/^Fewer in assistants that look up tools only when needed: Claude Code, .+\.$/m);
  const one = await run('mcp', 'tools', 'control-plane', 'create_project');
  expect(one.stdout).toMatch(/^ {2}name +string +required/m);
  const json = JSON.parse((await run('mcp', 'tools', 'observability', '--json')).stdout);
  expect(json.tools.map(({name}: {name: string}) => name)).toContain('query_component_logs');
  expect(json.tokens).toBeGreaterThan(500);
});

describe('a tool is called', () => {
  test('with arguments as words and from a file, and what it changed is read back', async () => {
    const {run, surroundings} = await signedIn();
    const listed = JSON.parse((await run('mcp', 'call', 'control-plane', `list_${tools.plural}`, '--json')).stdout);
    const [parent] = listed[tools.plural];
    const file = join(surroundings.temporary, 'project.json');
    writeFileSync(file, JSON.stringify({[tools.argument]: parent[tools.named], name: 'from-a-file'}));
    const words = ['mcp', 'call', 'control-plane', 'create_project', 'name=shop', '--input', file];
    const created = await run(...words);
    expect(created).toMatchObject({code: 0, stderr: ''});
    // An argument on the command line takes precedence over the file.
    const again = ['mcp', 'call', 'control-plane', 'list_projects', ...tools.default];
    expect((await run(...again)).stdout).toMatch(/\bshop\b/);
  });

  test('and what it cannot do is refused with what to do', async () => {
    const {run} = await signedIn();
    const refused: readonly (readonly [readonly string[], number, string])[] = [
      [['list_project'], 2, 'Did you mean list_projects?'],
      [['list_projects', 'foo=1'], 2, `Use its arguments: ${tools.argument}`],
      [['no_such_tool_at_all'], 2, 'See npx setup mcp tools control-plane.'],
      [['get_project'], 2, `get_project needs the ${tools.needed}. See npx setup mcp tools control-plane get_project.`],
      [['get_project', 'uid'], 2, 'key=value'],
      [['get_project', ...tools.missing], 5, 'get_project failed'],
      [[], 2, 'The name of a tool is missing'],
    ];
    for (const [words, exit, sentence] of refused) {
      const {code, stdout, stderr} = await run('mcp', 'call', 'control-plane', ...words);
      expect({words, code, stdout}).toEqual({words, code: exit, stdout: ''});
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(sentence);
    }
  });

  test('with a token that is renewed first, when it has ended', async () => {
    const {run, store} = await signedIn();
    store.expire();
    expect((await run('mcp', 'call', 'control-plane', 'list_projects', ...tools.default)).code).toBe(0);
  });
});

test('a server that there is none of is said to be none', async () => {
  const {run} = await signedIn();
  expect(await run('mcp', 'tools', 'observer')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('observability'),
  });
  // The name of a tool that stands in its place is no server to look for tools at.
  expect(await run('mcp', 'call', 'list_projects')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no server list_projects\. Choose control-plane or observability\./),
  });
  expect(await run('mcp', 'call')).toMatchObject({code: 2, stderr: expect.stringMatching(/^The name of a server is/)});
});
