import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {parseValues} from '../../../src/assistants/editors/parse-values.ts';
import {exportKit} from '../../../src/flows/organisation/export-kit.ts';
import type {KitFile} from '../../../src/flows/organisation/platform-files.ts';
import {platformFiles} from '../../../src/flows/organisation/platform-files.ts';
import {judgeCompany} from '../../../src/platform/company-file.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serveRoutes} from '../../support/server.ts';
import {deployment} from '../../support/states.ts';

/** Starts a control plane of a release that names its client, as every release since 0.17 does. */
const controlPlane = (release: string, client = {client_id: 'acme-cli', scopes: ['openid', 'groups']}) =>
  serveRoutes({
    [bundled.paths.version]: json({name: bundled.recognition.versionName, version: release}),
    [bundled.paths.protectedResource]: json({
      resource_name: bundled.recognition.resourceNames[0],
      [bundled.externalClientsKey]: [{name: bundled.cliClient.name, ...client}],
    }),
  });

type Change = Partial<Parameters<typeof exportKit>[0]>;

const kitInput = async (change: Change, release = '1.2.3', client?: {client_id: string; scopes: string[]}) => {
  const controlPlaneUrl = await controlPlane(release, client);
  // The release of a saved deployment is not known.
  const {version: _, ...saved} = deployment;
  const input = {
    deployment: {...saved, baseDomain: 'acme.example.com', controlPlaneUrl, observerUrl: controlPlaneUrl},
    platform: bundled,
    assistants: allAssistants,
    version: '1.4.0',
    groups: [{name: 'developers'}],
    redirectUri: bundled.callbackUrl,
    guide: ({clientId}: {readonly clientId: string}) => ({text: `Register ${clientId}.`, isTried: false}),
    ...change,
  };
  return {...input, controlPlaneUrl};
};

const kitOf = async (
  change: Change = {},
  ...more: [release?: string, client?: {client_id: string; scopes: string[]}]
) => {
  const {controlPlaneUrl, ...input} = await kitInput(change, ...more);
  const {result} = await collect(exportKit, input, await temporaryPorts());
  return {files: result, controlPlaneUrl};
};

const textOf = (files: readonly KitFile[], path: string): string => {
  const found = files.find(one => one.path === path);
  if (!found) throw new Error(`${path} is not among ${files.map(one => one.path).join(', ')}`);
  return found.text;
};

describe('an organisation kit', () => {
  test('holds files that can be read by what they are for', async () => {
    const {files} = await kitOf();
    for (const {path, text} of files) {
      if (path.endsWith('.json')) expect(JSON.parse(text), path).toBeTypeOf('object');
      if (path.endsWith('.toml')) expect(parseValues(text, 'TOML'), path).toBeTypeOf('object');
      if (/\.ya?ml$/.test(path))
        expect(
          parseAllDocuments(text).flatMap(({errors}) => errors),
          path,
        ).toEqual([]);
      expect(path).toMatch(/^[\w .-]+(?:\/[\w .-]+)*$/);
    }
    expect(new Set(files.map(({path}) => path)).size).toBe(files.length);
  });

  test('says of every file what it is for and how it was checked', async () => {
    const {files} = await kitOf();
    const [first, ...others] = files;
    expect(first?.path).toBe('README.md');
    for (const {path, does} of others) {
      // The README describes a directory of similar files once.
      if (does === undefined) expect(path).toMatch(/^(?:dev-container\/files|registry)\//);
      else expect(first?.text).toContain(`| \`${path}\` | ${does} | `);
    }
    expect(first?.text).not.toMatch(/undefined|\| *\|\n/);
    const told = others.filter(({does}) => does !== undefined).map(({path}) => path);
    expect(told.filter(path => path.startsWith('registry/'))).toHaveLength(1);
    const checks = Object.fromEntries(others.map(({path, checked}) => [path, checked]));
    expect(checks['machines/servers/linux/etc/claude-code/managed-mcp.json']).toMatch(
      /^Tried with version 2\.\d+\.\d+: /,
    );
    expect(checks['machines/servers/macos/etc/codex/config.toml']).toContain('not tried on this system');
    expect(checks['machines/servers/linux/etc/vscode/policy.json']).toMatch(/took effect in code-server [\d.]+\. /);
  });

  test('says what it is of, and what the release has', async () => {
    const [first] = (await kitOf()).files;
    expect(first?.text).toContain('written by platform-setup 1.4.0 from http://127.0.0.1:');
    expect(first?.text).toContain(', release 1.2.3. It contains no secrets.');
    expect(first?.text).toContain('<https://acme.example.com/.well-known/platform-setup.json>');
    expect(first?.text).toContain('Replace the group names');
    const old = await kitOf({}, '0.14.0');
    expect(old.files[0]?.text).toContain('This release of the platform has no roles');
    expect(old.files.map(({path}) => path)).not.toContain('platform/role-bindings.yaml');
    // The release that the search has found takes precedence.
    const {deployment: found} = await kitInput({});
    const told = await kitOf({deployment: {...found, version: '0.16.0'}});
    expect(textOf(told.files, 'platform/role-bindings.yaml')).toContain('AuthzClusterRoleBinding');
  });

  test('has a company file that is found to be in order', async () => {
    const {files} = await kitOf({tools: 'build'});
    const json = JSON.parse(textOf(files, 'platform-setup.json'));
    expect(await judgeCompany(json, '1.4.0')).toMatchObject({
      company: {
        baseDomain: 'acme.example.com',
        defaults: {tools: 'build'},
        platform: {cliClient: {clientId: 'acme-cli'}},
      },
    });
  });

  test('keeps what the company file says by which the platform was found', async () => {
    const given = {
      ...{schemaVersion: 1, name: 'Acme', baseDomain: 'acme.example.com', extends: 'bundled', contact: '#help'},
      documentation: [{title: 'Handbook', url: 'https://docs.acme.example.com/'}],
      platform: {mcpServers: {controlPlane: 'acme', observability: 'telemetry'}, cliClient: {clientId: 'acme-cli'}},
      defaults: {scope: 'project'},
    };
    const judged = await judgeCompany(given, '1.4.0');
    if (!('company' in judged)) throw new Error('It is in order.');
    const {company} = judged;
    const {deployment: there} = await kitInput({});
    const descriptor = company.platform.changes;
    const found = {...there, ...(descriptor ? {descriptor} : {})};
    const {files} = await kitOf({deployment: found, platform: company.platform, company, tools: 'run'});
    const {platform, ...rest} = JSON.parse(textOf(files, 'platform-setup.json'));
    expect(rest).toEqual({...given, platform: undefined, defaults: {scope: 'project', tools: 'run'}});
    expect(platform).toMatchObject({mcpServers: given.platform.mcpServers, cliClient: {clientId: 'acme-cli'}});
    // A saved deployment supplies most of the company file.
    const saved = await kitOf({deployment: found, platform: company.platform, contact: '#help'});
    expect(JSON.parse(textOf(saved.files, 'platform-setup.json'))).toMatchObject({
      ...{name: 'Acme', contact: '#help', platform: {mcpServers: given.platform.mcpServers}},
    });
  });

  test('names the redirect address that was registered, everywhere', async () => {
    const redirectUri = 'http://127.0.0.1:9999/back';
    const {files} = await kitOf({redirectUri});
    expect(JSON.parse(textOf(files, 'platform-setup.json')).platform.callbackUrl).toBe(redirectUri);
    expect(JSON.parse(textOf(files, 'identity-provider/clients.json')).clients[0].redirectUris).toEqual([redirectUri]);
    expect(JSON.parse(textOf(files, 'dev-container/devcontainer.json')).forwardPorts).toEqual([9999]);
  });

  test('has no command that fetches another package where this program is not installed', async () => {
    const guide = () => ({text: 'Then run npx setup login.', isTried: true});
    for (const {path, text} of (await kitOf({guide})).files) expect(text, path).not.toContain('npx setup');
  });

  test('lists every address that a browser returns to', async () => {
    const {files, controlPlaneUrl} = await kitOf();
    const {clients} = JSON.parse(textOf(files, 'identity-provider/clients.json'));
    expect(clients[0]).toMatchObject({clientId: 'acme-cli', redirectUris: [bundled.callbackUrl]});
    for (const {grantTypes} of clients) expect(grantTypes).toEqual(['authorization_code', 'refresh_token']);
    const named = new Set(clients[1].redirectUris.map(({name}: {name: string}) => name));
    const signingIn = allAssistants.filter(one => one.redirects || one.redirectFor);
    expect([...named]).toEqual(signingIn.map(({name}) => name));
    const codex = allAssistants.find(({id}) => id === 'codex-cli');
    expect(clients[1].redirectUris).toContainEqual({
      name: 'Codex CLI',
      address: codex?.redirectFor?.(`${controlPlaneUrl}/mcp`),
    });
    expect(textOf(files, 'identity-provider/set-up.txt')).toBe('Register acme-cli.\n');
  });

  test.each([
    ['linux', 'etc/claude-code', '/opt/platform-setup/bin/node'],
    ['macos', 'Library/Application Support/ClaudeCode', '/opt/platform-setup/bin/node'],
    ['windows', 'Program Files/ClaudeCode', 'C:\\Program Files\\platform-setup\\node.exe'],
  ])(
    'has entries for every machine with %s that start the program where it is installed',
    async (system, path, node) => {
      const {files} = await kitOf({tools: 'run', allowHttp: 'acme.lan'});
      const {mcpServers} = JSON.parse(textOf(files, `machines/servers/${system}/${path}/managed-mcp.json`));
      const started = mcpServers['acme-control-plane'];
      expect(started.command).toBe(node);
      expect(started.args.slice(1)).toEqual([
        ...['mcp', 'serve', 'control-plane', '--context', 'acme', '--base-domain', 'acme.example.com'],
        ...['--tools', 'run', '--allow-http', 'acme.lan'],
      ]);
      expect(Object.keys(mcpServers)).toEqual(['acme-control-plane', 'acme-observability']);
      const usual = JSON.parse(textOf((await kitOf()).files, `machines/servers/${system}/${path}/managed-mcp.json`))
        .mcpServers['acme-control-plane'];
      expect(usual.args.at(-1)).toBe('acme.example.com');
    },
  );

  test('lets people use the tools that they are told to, in a client that goes by the very address', async () => {
    const {files, controlPlaneUrl} = await kitOf({tools: 'build'});
    const {mcp_servers: listed} = parseValues(
      textOf(files, 'machines/allow-list/linux/etc/codex/requirements.toml'),
      'TOML',
    ) as {
      mcp_servers: Record<string, {identity: {url: string}}>;
    };
    expect(listed['acme-control-plane']?.identity.url).toMatch(`${controlPlaneUrl}/mcp?toolsets=`);
    expect(listed['acme-observability']?.identity.url).toBe(`${controlPlaneUrl}/mcp`);
  });

  test('has a registry, which policies name where it is said to be served', async () => {
    const {files, controlPlaneUrl} = await kitOf();
    const versions = 'registry/v0.1/servers/com.example.acme/acme-control-plane/versions';
    const {server} = JSON.parse(textOf(files, `${versions}/latest/index.json`));
    expect(server).toMatchObject({
      name: 'com.example.acme/acme-control-plane',
      title: 'Control plane of acme.example.com',
      description: 'Projects, components, environments and deployments of the platform.',
      packages: [{identifier: 'platform-setup', version: '1.4.0'}],
      remotes: [{url: `${controlPlaneUrl}/mcp`}],
    });
    const wordsOf = (found: readonly KitFile[], name: string) => {
      const {packages} = JSON.parse(textOf(found, `registry/servers/acme-${name}.json`));
      return packages[0].packageArguments.map(({value}: {value: string}) => value);
    };
    const words = ['mcp', 'serve', 'control-plane', '--context', 'acme', '--base-domain', 'acme.example.com'];
    expect(wordsOf(files, 'control-plane')).toEqual(words);
    const narrowed = await kitOf({tools: 'build'});
    expect(wordsOf(narrowed.files, 'control-plane')).toEqual([...words, '--tools', 'build']);
    expect(wordsOf(narrowed.files, 'observability')).not.toContain('--tools');
    const {deployment: there} = await kitInput({});
    const long = await kitOf({deployment: {...there, baseDomain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example`}});
    const document = long.files.find(one => one.path.startsWith('registry/servers/'));
    expect(JSON.parse(document?.text ?? '').title).toHaveLength(100);
    const path = 'machines/servers/linux/etc/vscode/policy.json';
    expect(textOf(files, path)).not.toContain('McpGalleryServiceUrl');
    const registryUrl = 'https://mcp.acme.example.com';
    const named = await kitOf({registryUrl});
    expect(JSON.parse(textOf(named.files, path))).toMatchObject({McpGalleryServiceUrl: registryUrl});
  });

  test('puts into a dev container what a Linux machine has', async () => {
    const {files} = await kitOf();
    const below = (directory: string) =>
      files
        .filter(({path}) => path.startsWith(directory))
        .map(({path, text}) => ({path: path.slice(directory.length), text}));
    expect(below('dev-container/files/')).toEqual(below('machines/servers/linux/'));
    expect(below('dev-container/files/').length).toBeGreaterThan(0);
    expect(JSON.parse(textOf(files, 'dev-container/devcontainer.json')).forwardPorts).toEqual([55_152]);
    expect(textOf(files, 'dev-container/Dockerfile')).toContain('platform-setup@1.4.0');
  });

  test('has nothing of a server in what is evaluated', async () => {
    const evil = "{{ lookup('pipe', 'touch /tmp/x') }} ${localEnv:SECRET} $(id)";
    const {files} = await kitOf({}, '1.2.3', {client_id: evil, scopes: ['openid']});
    for (const path of ['ansible/playbook.yml', 'dev-container/devcontainer.json', 'dev-container/Dockerfile']) {
      expect(textOf(files, path)).not.toMatch(/touch|localEnv|\$\(id\)/);
    }
    expect(parseAllDocuments(textOf(files, 'platform/helm-values.yaml'))[0]?.toJS()).toMatchObject({
      security: {oidc: {externalClients: [{client_id: evil}]}},
    });
  });

  test('takes a name of a platform as text', async () => {
    const {files} = await kitOf({platform: {...bundled, name: 'Acme | <script> [x](http://evil)\n# Run me'}});
    const [title] = textOf(files, 'README.md').split('\n\n');
    expect(title).toBe(String.raw`# Organisation kit for Acme \| \<script\> \[x\]\(http://evil\) \# Run me`);
  });
});

const forPlatform = (release: string, groups: readonly {name: string; role?: string}[]) =>
  platformFiles({platform: openchoreo, release, client: {clientId: 'acme-cli', scopes: []}, groups});

const bindingsOf = (release: string, groups: readonly {name: string; role?: string}[]) => {
  const found = forPlatform(release, groups).find(({path}) => path.endsWith('role-bindings.yaml'));
  return found && parseAllDocuments(found.text).map(document => document.toJS());
};

describe('role bindings', () => {
  test('give each group the role of who builds services, or the one that was named', () => {
    expect(bindingsOf('1.2.3', [{name: 'developers'}, {name: 'Site Operations', role: 'sre'}])).toMatchObject([
      {
        kind: 'ClusterAuthzRoleBinding',
        metadata: {name: 'developers-developer'},
        spec: {entitlement: {claim: 'groups', value: 'developers'}, roleMappings: [{roleRef: {name: 'developer'}}]},
      },
      {spec: {entitlement: {value: 'Site Operations'}, roleMappings: [{roleRef: {name: 'sre'}}]}},
    ]);
  });

  test('have the form of the release', () => {
    expect(bindingsOf('0.16.0', [{name: 'developers'}])).toMatchObject([
      {kind: 'AuthzClusterRole', metadata: {name: 'developer'}},
      {kind: 'AuthzClusterRoleBinding', spec: {roleRef: {name: 'developer'}}},
    ]);
    expect(bindingsOf('0.14.0', [{name: 'developers'}])).toBeUndefined();
  });

  test('are told with what was seen of the release, and left out where it has no roles', () => {
    const groups = [{name: 'developers'}, {name: 'operators', role: 'admin'}];
    expect(forPlatform('0.14.0', groups).map(({path}) => path)).toEqual(['platform/helm-values.yaml']);
    const [, old] = forPlatform('0.16.0', groups);
    expect(old).toMatchObject({
      does: 'Gives “developers”, “operators” a role on the platform.',
      checked: expect.stringContaining('not tried'),
    });
    const [, found] = forPlatform('1.2.3', groups);
    expect(found?.checked).toContain('took effect on 1.0 and 1.2');
  });

  test('do not take the place of one another', () => {
    expect(() => bindingsOf('1.2.3', [{name: 'Team A'}, {name: 'team-a'}])).toThrow(
      expect.objectContaining({code: 'input-invalid', about: {flag: 'groups'}}),
    );
  });
});
