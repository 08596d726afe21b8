import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {demoDirectory, readDemo} from '../support/files.ts';
import {jsonLines, lastLine, runSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {goTo, openSetup} from '../support/wizard.ts';

test.each(['single', 'multi'])('a %s-cluster demonstration ends with the tools of both servers', async layout => {
  const {code, stdout, stderr, temporary} = await runSetup([
    ...['demo', '--release', '0.14', '--layout', layout],
    ...['--yes', '--json', '--keep'],
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  for (const {type} of jsonLines(stdout)) expect(type).toMatch(/^[a-z]+(-[a-z]+)*$/);

  const done = lastLine(stdout);
  const {mcpPath, token, clientSecret} = readDemo(demoDirectory(temporary));
  expect(done).toMatchObject({type: 'done', layout, account: 'mcp_client', written: expect.arrayContaining([mcpPath])});
  const tools = expect.toSatisfy((count: number) => count > 0);
  for (const server of ['control-plane', 'observability']) {
    expect(done.servers).toContainEqual(expect.objectContaining({server, path: mcpPath, tools}));
  }
  expectWithout(stdout, token, clientSecret);
});

test.each([
  [[], '1.2.3'],
  [['--release', '0.14'], '0.14.0'],
])('with %j it plays that release, with an application of which one part fails', async (args, version) => {
  const {code, stdout} = await runSetup(['demo', '--yes', '--json', ...args]);
  expect(code).toBe(0);
  expect(lastLine(stdout)).toMatchObject({
    version,
    content: {projects: 3, components: 8, failing: [{name: 'checkout', project: 'shop'}]},
  });
});

test('over a pipe it goes through to the end on its defaults, a plain line for each thing', async () => {
  const {code, stdout, stderr, temporary} = await runSetup(['demo', '--keep']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).not.toContain('\x1b');
  expect(stdout).toMatch(/^Control plane MCP server: [1-9]\d* tools/m);
  expect(stdout).toMatch(/^All set: your assistants can reach platform\.localhost$/m);
  expect(stdout).toMatch(
    /^ {2}Your assistants see 3 projects with 8 components\. 1 component fails on the platform: shop\/checkout /m,
  );
  const {mcpPath, token, clientSecret} = readDemo(demoDirectory(temporary));
  expect(stdout).toContain(`Written: ${mcpPath}`);
  expectWithout(stdout, token, clientSecret);
});

test('what it wrote is gone at the end, and that is said', async () => {
  const {code, stdout, temporary} = await runSetup(['demo']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^This demonstration uses a sandbox\. Its files are in \S+\. They are removed at the end, unless you pass --keep\.$/m,
  );
  expect(readdirSync(temporary)).toEqual([]);
});

test('what it wrote is gone after Ctrl-C as well, at the last screen', async () => {
  const {env, temporary} = surroundingsForTest();
  const terminal = openSetup(['demo'], {env});
  await goTo(terminal, 'done');
  expect(readdirSync(temporary)).toHaveLength(1);
  terminal.press('ctrl-c');
  await terminal.exit;
  expect(readdirSync(temporary)).toEqual([]);
});

test.each(['nowhere', 'a-file'])(
  'without a directory for temporary files (%s) it says so, and leaves nothing',
  async name => {
    const surroundings = surroundingsForTest();
    const place = join(surroundings.temporary, name);
    writeFileSync(join(surroundings.temporary, 'a-file'), '');
    const {code, stdout, stderr} = await runSetup(['demo', '--yes'], {surroundings, env: {TMPDIR: place}});
    expect({code, stdout}).toEqual({code: 6, stdout: ''});
    expect(stderr).toMatch(/^No directory for the demonstration could be created in .* Set TMPDIR to .*\n/);
    expect(readdirSync(surroundings.temporary)).toEqual(['a-file']);
  },
);
