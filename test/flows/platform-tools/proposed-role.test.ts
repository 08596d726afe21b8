import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {Secret} from '../../../src/domain/secret.ts';
import {narrowedTo, type ToolChoice} from '../../../src/domain/tool-sets.ts';
import {remedyText} from '../../../src/errors/describe-error.ts';
import {missingRole, readAccess} from '../../../src/flows/platform-tools/account-roles.ts';
import {listComponents} from '../../../src/flows/platform-tools/components.ts';
import {withMcpServer} from '../../../src/flows/platform-tools/list-tools.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import type {CallResult} from '../../../src/mcp/client.ts';
import {openchoreo} from '../../../src/platform/platforms.ts';
import {toolSetsOf} from '../../../src/platform/recognise.ts';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import type {Sandbox} from '../../../src/sandbox/sandbox.ts';
import {redeem, signIn} from '../../sandbox/identity/browser.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {runningPlatform} from '../../support/platform.ts';

/** Applies the manifest of a remedy to the sandbox, as the administrator of a platform would. */
const apply = ({bind, define}: Sandbox, remedy: string) => {
  const [, manifest = ''] = /<<'EOF'\n([\s\S]*)EOF$/.exec(remedy) ?? [];
  for (const document of parseAllDocuments(manifest)) {
    const {kind, metadata, spec} = document.toJS();
    if (/Role$/.test(kind)) {
      define(metadata.name, spec.actions);
      continue;
    }
    const mappings = spec.roleMappings ?? [{roleRef: spec.roleRef, scope: spec.targetPath}];
    for (const {roleRef, scope} of mappings) {
      const namespace = metadata.namespace === undefined ? {} : {namespace: metadata.namespace};
      bind({...spec.entitlement, role: roleRef.name, ...namespace, ...scope});
    }
  }
};

/** The client with which people sign in. */
const cli = {client_id: 'openchoreo-cli', redirect_uri: 'http://127.0.0.1:55152/auth-callback'};

const withRoles = (Object.keys(releases) as ReleaseName[]).filter(name => 'authorization' in releases[name]);

const begin = async (release: ReleaseName) => {
  const projects = [{name: 'shop', components: 2}];
  const sandbox = await runningPlatform('single', {platform: 'openchoreo', release, projects});
  const {ready} = sandbox;
  const client = ready.clients.find(one => one.clientId === 'customer-portal-client');
  if (!client?.clientSecret) throw new Error('It comes with every release.');
  const ports = await temporaryPorts();
  const secret = new Secret(client.clientSecret);
  const signIn = {issuer: ready.authUrl, clientId: client.clientId, method: 'service-account', secret} as const;
  const token = (await collect(obtainToken, signIn, ports)).result.access.reveal();
  const run = {ports, signal: noSignal, tell: () => {}};
  const version = releases[release].version.version;
  const asked = {platform: openchoreo, controlPlaneUrl: ready.controlPlaneUrl, version, token};
  return {sandbox, ports, token, run, version, asked};
};

/** Arguments for every tool that takes a name: everything that the sandbox has. */
const given = {namespace_name: 'default', project_name: 'shop', component_name: 'shop-1'};

describe.each(withRoles)('the role that is proposed on %s', release => {
  test.each<Exclude<ToolChoice, 'look'>>(['all', 'build', 'run'])(
    'makes the tools answer that were chosen: %s',
    async choice => {
      const {sandbox, token, run, version, asked} = await begin(release);
      const {ready} = sandbox;
      const purpose = choice === 'all' ? {} : {purpose: choice};
      const missing = await missingRole(asked, run, purpose);
      apply(sandbox, missing ? remedyText(missing) : '');
      expect(await missingRole(asked, run, purpose)).toBeUndefined();
      // The role is minimal: it does not allow giving roles.
      expect(await readAccess(asked, run)).toMatchObject({kind: 'all', isEverything: false});

      const headers = {Authorization: `Bearer ${token}`};
      const url = narrowedTo(choice, `${ready.controlPlaneUrl}/mcp`, toolSetsOf(openchoreo, version));
      const answers = await withMcpServer({url, headers}, run, async client => {
        const tools = await client.listTools();
        const reading = tools.filter(({name}) => /^(?:list|get)_/.test(name));
        expect(reading.length).toBeGreaterThan(3);
        // One after the other, because a session handles one call at a time.
        const answered: [string, CallResult][] = [];
        for (const {name} of reading) answered.push([name, await client.callTool(name, given)]);
        return answered;
      });
      for (const [name, {isError, content}] of answers)
        expect([name, isError === true, content]).toEqual([name, false, content]);

      const found = Object.fromEntries(answers.map(([name, {structuredContent}]) => [name, structuredContent]));
      expect(found.list_environments).toMatchObject({environments: {length: 2}});
      expect(found.list_namespaces).toMatchObject({namespaces: [{name: 'default'}]});
      const create = await withMcpServer({url, headers}, run, client =>
        client.callTool('create_component', {...given, name: 'cart'}).catch(() => ({isError: true})),
      );
      // The role for running the platform may not create components.
      expect(create.isError === true).toBe(choice === 'run');
      const [component] = (found.list_components as {components: {uid: string}[]} | undefined)?.components ?? [];
      if (choice === 'run' && !component) return;
      const logs = await withMcpServer({url: `${ready.observerUrl}/mcp`, headers}, run, client =>
        client.callTool('query_component_logs', {component_uid: component?.uid}),
      );
      expect(logs.isError).not.toBe(true);
    },
  );

  test('serves a person of no group', async () => {
    const {sandbox, run, asked} = await begin(release);
    const {ready} = sandbox;
    const person = ready.people.find(({groups}) => groups.length === 0) ?? {username: '', password: ''};
    const {json} = await redeem(ready, await signIn(ready, person, cli), cli);
    const theirs = {...asked, token: json.access_token};
    const missing = await missingRole(theirs, run);
    expect(missing?.message).toMatch(/^You are signed in/);
    expect(missing && remedyText(missing)).toContain('name: admin-developer\n');
    apply(sandbox, missing ? remedyText(missing) : '');
    expect(await readAccess(theirs, run)).toMatchObject({kind: 'all', isPerson: true, called: 'admin'});
  });

  test('for one project shows that one, and what it needs of the namespace', async () => {
    const {sandbox, ports, token, run, asked} = await begin(release);
    const scope = {namespace: 'default', project: 'shop'};
    const list = async (wanted: object) =>
      (await collect(listComponents, {...asked, ...wanted}, ports)).result.components.map(one => one.project);
    const missing = await list(scope).catch(error => error);
    apply(sandbox, remedyText(missing));
    expect(await list(scope)).toEqual(['shop', 'shop']);
    expect(await list({})).toEqual(['shop', 'shop']);
    const url = `${sandbox.ready.controlPlaneUrl}/mcp`;
    const environments = await withMcpServer({url, headers: {Authorization: `Bearer ${token}`}}, run, client =>
      client.callTool('list_environments', given),
    );
    // Releases before 1.0 have no role with which to read a namespace.
    const isEarly = ['0.15', '0.16', '0.17'].includes(release);
    expect(environments.structuredContent).toMatchObject({environments: {length: isEarly ? 0 : 2}});
  });
});
