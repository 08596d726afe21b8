import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {decide} from '../sandbox/identity/device.ts';
import {developer} from '../support/browser.ts';
import {hasRoles} from '../support/release.ts';
import {connected} from './support/connected.ts';
import {platformForTest} from './support/platform.ts';
import {lastLine, runSetup, startSetup, surroundingsForTest} from './support/run.ts';
import {openSetup} from './support/wizard.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)];

/** Returns the lines of a page's blocks of code, except those of data. */
const linesOf = (page: string): readonly string[] => {
  if (!page.endsWith('.md')) return [];
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm);
  return [...blocks].flatMap(([, language, block = '']) => (language === 'json' ? '' : block).split('\n'));
};

/** Returns the command lines of a page's blocks of code, without what a block says of them. */
const commandsOf = (page: string): readonly string[] =>
  linesOf(page)
    .map(line => line.trim().split(/ {2,}/)[0] ?? '')
    .filter(line => line !== '');

/** Returns the words of a command line, for the program, with addresses and files of this test in place of the page's. */
const words = (line: string, replaced: Readonly<Record<string, string>> = {}): readonly string[] =>
  line
    .replace(/^(?:[A-Z_]+=\S+ )*npx setup ?/, '')
    .split(' ')
    .filter(word => word !== '')
    .map(word => replaced[word] ?? word);

/** Returns the base domain of a sandbox with its port, which the pages leave out because theirs is the usual one. */
const domainOf = ({controlPlaneUrl}: {readonly controlPlaneUrl: string}) =>
  new URL(controlPlaneUrl).host.replace(/^api\./, '');

/** Returns the flag for the observer, whose port cannot be told from the base domain unless it is the usual one. */
const observerOf = ({observerUrl}: {readonly observerUrl: string}) => ['--observer-url', observerUrl];

const opens = async (line: string, shown: RegExp | string) => {
  const terminal = openSetup(words(line));
  await terminal.waitFor(shown);
};

/** Runs a line on a machine that is set up, with Cursor on it. */
const whereConnected = async (line: string, shown: RegExp) => {
  const {run, surroundings} = await connected(await platformForTest());
  mkdirSync(join(surroundings.home, '.cursor'));
  const connecting = ['mcp', 'connect', '--yes', '--assistants', 'cursor', '--scope', 'user'];
  expect(await run(...connecting)).toMatchObject({code: 0, stderr: ''});
  const {code, stdout, stderr} = await run(...words(line), ...(line.includes('connect') ? ['--yes'] : []));
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(shown);
};

const withDevice = async () => {
  const platform = await platformForTest({extras: ['device']});
  const surroundings = surroundingsForTest();
  const run = (line: string, ...more: readonly string[]) => runSetup([...words(line), ...more], {surroundings});
  const begun = await run('npx setup login --no-wait --json', ...platform.flags);
  return {platform, run, begun};
};

/** Writes a company file for a sandbox, as its page says, and returns where. */
const companyFile = async () => {
  const {ready} = await platformForTest();
  const surroundings = surroundingsForTest();
  const domain = domainOf(ready);
  const line = 'npx setup platform init --base-domain acme.example.com --output platform-setup.json';
  const made = await runSetup([...words(line, {'acme.example.com': domain}), ...observerOf(ready)], {surroundings});
  return {made, ready, surroundings, domain, file: join(surroundings.env.TMPDIR ?? '', 'platform-setup.json')};
};

const asService = async (line: string) => {
  const {ready} = await platformForTest();
  const client = ready.clients.find(({clientId}) => clientId === 'service_account');
  const env = {CLI_CLIENT_ID: client?.clientId, CLI_CLIENT_SECRET: client?.clientSecret};
  const domain = domainOf(ready);
  return runSetup([...words(line, {'acme.example.com': domain, 'platform.localhost': domain}), ...observerOf(ready)], {
    env,
  });
};

test.each(pages)('%s explains a command only in a comment, so that the line can be copied', page => {
  const explained = linesOf(page).filter(line => / {2,}/.test(line.trim()));
  expect(explained.filter(line => !/^\S.* {2,}# /.test(line.trim()))).toEqual([]);
});

/** Each command line of the pages, and what it does as the page says. */
const runs: Readonly<Record<string, () => Promise<void>>> = {
  'npx setup demo': () => opens('npx setup demo', 'Use this deployment'),
  'npx setup': () => opens('npx setup', /base domain|Found your platform/),
  'npx setup mcp connect': () => whereConnected('npx setup mcp connect', /Cursor/),
  'npx setup mcp list': () => whereConnected('npx setup mcp list', /Cursor/),
  'npx setup mcp disconnect cursor': () => whereConnected('npx setup mcp disconnect cursor', /Cursor/),
  'npx setup mcp tools control-plane': () => whereConnected('npx setup mcp tools control-plane', /list_projects/),
  'npx setup mcp call control-plane list_namespaces': () =>
    whereConnected(
      `npx setup mcp call control-plane ${hasRoles ? 'list_namespaces' : 'list_organizations'}`,
      /default/,
    ),
  'npx setup login --no-wait --json': async () => {
    const {begun} = await withDevice();
    expect(begun).toMatchObject({code: 0, stderr: ''});
    expect(lastLine(begun.stdout)).toMatchObject({userCode: expect.any(String), verificationUri: expect.any(String)});
  },
  'npx setup login --resume': async () => {
    const {platform, run, begun} = await withDevice();
    await decide(platform.ready, {confirm: 'yes'}, developer, String(lastLine(begun.stdout).userCode));
    expect(await run('npx setup login --resume')).toMatchObject({code: 0, stderr: ''});
  },
  'npx setup login --resume --no-wait': async () => {
    const {run} = await withDevice();
    expect(await run('npx setup login --resume --no-wait')).toMatchObject({code: 75});
  },
  'npx setup platform init --base-domain acme.example.com --output platform-setup.json': async () => {
    const {made, file} = await companyFile();
    expect(made).toMatchObject({code: 0, stderr: ''});
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({schemaVersion: 1});
  },
  'npx setup platform check platform-setup.json': async () => {
    const {surroundings} = await companyFile();
    const line = 'npx setup platform check platform-setup.json';
    expect(await runSetup(words(line), {surroundings})).toMatchObject({code: 0, stderr: ''});
  },
  'npx setup platform check platform-setup.json --base-domain acme.example.com': async () => {
    const {surroundings, domain} = await companyFile();
    const line = 'npx setup platform check platform-setup.json --base-domain acme.example.com';
    const checked = await runSetup(words(line, {'acme.example.com': domain}), {surroundings});
    expect(checked).toMatchObject({code: 0, stderr: ''});
  },
  'npx setup sandbox --company platform-setup.json': async () => {
    const {file} = await companyFile();
    const ports = ['--port', '0', '--observer-port', '0', '--json'];
    const sandbox = startSetup([...words('npx setup sandbox --company', {}), file, ...ports]);
    await sandbox.prints(/"type":"ready"/);
  },
  'npx setup --platform ./platform-setup.json': async () => {
    const {file} = await companyFile();
    await opens(`npx setup --platform ${file}`, 'Use the company file of the platform?');
  },
  'npx setup org export organisation-kit --base-domain acme.example.com': async () => {
    const {ready} = await platformForTest();
    const surroundings = surroundingsForTest();
    const line = 'npx setup org export organisation-kit --base-domain acme.example.com';
    const {code, stderr} = await runSetup(
      [...words(line, {'acme.example.com': domainOf(ready)}), ...observerOf(ready)],
      {surroundings},
    );
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    const kit = join(surroundings.env.TMPDIR ?? '', 'organisation-kit');
    // The line below in the page, which the suite `organisation` runs.
    expect(readdirSync(join(kit, 'ansible'))).toContain('playbook.yml');
  },
  'npx setup sandbox': async () => {
    await startSetup([...words('npx setup sandbox'), '--port', '0', '--observer-port', '0', '--json']).prints(/ready/);
  },
  'npx setup sandbox --fault no-pkce': async () => {
    const line = 'npx setup sandbox --fault no-pkce';
    await startSetup([...words(line), '--port', '0', '--observer-port', '0', '--json']).prints(/ready/);
  },
  'npx setup doctor --base-domain platform.localhost': async () => {
    const {ready} = await platformForTest({faults: ['no-pkce']});
    const line = 'npx setup doctor --base-domain platform.localhost';
    const {code, stdout} = await runSetup([
      ...words(line, {'platform.localhost': domainOf(ready)}),
      ...observerOf(ready),
    ]);
    expect(code).toBe(4);
    expect(stdout).toContain('PKCE');
  },
  'CLI_CLIENT_ID=service_account CLI_CLIENT_SECRET=… npx setup doctor --base-domain platform.localhost': async () => {
    const {code, stdout} = await asService('npx setup doctor --base-domain platform.localhost');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Everything works|No check failed/)]);
  },
  'CLI_CLIENT_ID=ci CLI_CLIENT_SECRET=… npx setup --yes --json --base-domain acme.example.com': async () => {
    const {code, stdout, stderr} = await asService('npx setup --yes --json --base-domain acme.example.com');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(lastLine(stdout)).toMatchObject({type: 'done'});
  },
  'npx setup status --json > /tmp/status.json || echo "$(hostname): $(jq -r .state /tmp/status.json)"': async () => {
    const {code, stdout} = await runSetup(['status', '--json']);
    expect([code, lastLine(stdout)]).toEqual([1, expect.objectContaining({state: 'not-set-up'})]);
  },
};

/** The command lines that run elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci': 'it installs what this test runs with; .ci/run begins with it',
  'git clone <this repository> && cd platform-setup': 'it is how this test got here',
  'npx vitest run test/domain/address.test.ts': 'it would run this runner in itself',
  'npm run check': 'it would run this runner in itself; .ci/run does the same',
  'npm test': 'it would run this runner in itself; .ci/run runs it',
  'npm run suite': 'it would run this runner in itself',
  'npm run suite NAME…': 'it would run this runner in itself',
  'npm run mutation -- FILE…': 'it takes minutes',
  'npm run docs NAME…': 'it writes into the checkout; tests of each page hold that it is up to date',
  'npm run bench': 'it takes minutes on an idle machine',
  'npx setup --platform https://files.acme.example.com/platform-setup.json': 'it needs a server with https',
  'npx setup --client-cert /path/to/me.pem --client-key /path/to/me.key':
    'test/ports/network/tls.test.ts, and the suite networks',
  'ansible-playbook -i inventory organisation-kit/ansible/playbook.yml': 'the suite organisation',
};

const all = new Set(pages.flatMap(commandsOf));

test('each command line in a page’s blocks is run here, or is known to run elsewhere', () => {
  const known = new Set([...Object.keys(runs), ...Object.keys(elsewhere)]);
  const isCommand = (line: string) => /^(?:[A-Z_]+=\S+ )*(?:npx|npm|git|ansible-playbook) /.test(line);
  expect([...all].filter(line => isCommand(line) && !known.has(line))).toEqual([]);
  expect([...known].filter(line => !all.has(line))).toEqual([]);
});

describe('a command line in the documents does what the page says', () => {
  test.each(Object.entries(runs))('%s', async (_line, run) => {
    await run();
  });
});
