import {describe, expect, test} from 'vitest';
import type {Deployment} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import type {ClientMethod} from '../../../src/domain/token-request.ts';
import type {Token} from '../../../src/domain/tokens.ts';
import {findDeployment} from '../../../src/flows/deployment/find-deployment.ts';
import {checkConnection} from '../../../src/flows/platform-tools/check-connection.ts';
import {listComponents} from '../../../src/flows/platform-tools/components.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {createClient} from '../../../src/flows/sign-in/create-client.ts';
import {signInPerson} from '../../../src/flows/sign-in/sign-in-person.ts';
import {findPlatform, platforms} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {KindName} from '../../../src/sandbox/platform-kinds.ts';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import type {Sandbox, SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {addressesOf, runningPlatform} from '../../support/platform.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {worded} from '../../support/worded.ts';

/** Starts a platform of a release and finds it by its addresses, as the wizard does, without being told its kind. */
const begin = async (release: ReleaseName, platform: KindName, options: Partial<SandboxOptions> = {}) => {
  const redirectUri = await callbackForTest();
  const sandbox = await runningPlatform('single', {release, platform, redirectUri, ...options});
  const ports = await temporaryPorts();
  const search = {platforms, addresses: addressesOf(sandbox.ready), layout: 'auto'} as const;
  const {result} = await collect(findDeployment, search, ports);
  if (!('deployment' in result)) throw new Error('There is one platform.');
  return {sandbox, ports, deployment: result.deployment, redirectUri};
};

const releaseNames = Object.keys(releases) as ReleaseName[];

const kindOf = ({platform}: Deployment) => findPlatform(platform);

const check = async (deployment: Deployment, {access}: Token, ports: Ports) => {
  const input = {platform: kindOf(deployment), deployment, tokens: {signIn: access}};
  return (await collect(checkConnection, input, ports)).result;
};

const signInAs = async ({ready}: Sandbox, clientId: string, secret: string, method: ClientMethod, ports: Ports) => {
  const request = {issuer: ready.authUrl, clientId, method, secret: new Secret(secret)};
  return (await collect(obtainToken, request, ports)).result;
};

const client = ({ready}: Sandbox, method: string) => {
  const found = ready.clients.find(one => one.tokenEndpointAuthMethod === method && one.clientSecret);
  if (!found?.clientSecret) throw new Error(`There is no client with ${method}.`);
  return {...found, secret: found.clientSecret};
};

/** Signs a person in, as a browser does. */
const signInPersonAs = async (
  {deployment, ports, redirectUri}: Awaited<ReturnType<typeof begin>>,
  person: {readonly username: string; readonly password: string},
) => {
  const {issuer, controlPlaneUrl} = deployment;
  const input = {
    ...{platform: kindOf(deployment), controlPlaneUrl, issuer, redirectUri},
    ...({by: 'browser', open: false} as const),
  };
  const {result, events} = await collect(signInPerson, input, ports, noSignal, event => {
    // The flow is listening now, and the page arrives once the flow has received the redirect.
    if (event.type === 'sign-in-waiting') void signInAt(event.url, person).then(navigate);
  });
  return {...result, warnings: events.flatMap(event => (event.type === 'warning' ? [event.message] : []))};
};

const hasRoles = (release: ReleaseName) => release !== '0.14';

describe.each(
  rowsOfTable(
    releaseNames.flatMap(release => (['bundled', 'openchoreo'] as const).map(kind => [release, kind] as const)),
  ),
)('release %s of %s', (release, kind) => {
  test('is found and recognised', async () => {
    const {deployment, sandbox} = await begin(release, kind);
    expect(deployment).toMatchObject({platform: kind, issuer: sandbox.ready.authUrl});
    expect(deployment.withoutRecipe).toBe(release === 'next' ? true : undefined);
  });

  test('a person signs in through a browser, and has tools', async () => {
    const started = await begin(release, kind);
    const person = started.sandbox.ready.people.find(({groups}) => groups.length > 0);
    if (!person) throw new Error('Somebody is in a group.');
    const {token, client: used, warnings} = await signInPersonAs(started, person);
    expect(token.renewable).toBe(true);
    expect(used.clientId).toBe(kind === 'openchoreo' ? 'openchoreo-cli' : 'platform-cli');
    // The successor of the identity provider knows only registered resources.
    const isRefused = release === 'next';
    expect(used.resource).toBe(isRefused ? 'none' : `${started.deployment.controlPlaneUrl}/mcp`);
    expect(warnings.some(warning => warning.includes('Signing in without this resource'))).toBe(isRefused);
    const {servers} = await check(started.deployment, token, started.ports);
    expect(servers.map(({tools}) => tools > 0)).toEqual([true, true]);
  });

  test.each([
    ['service-account', 'client_secret_post'],
    ['mcp-client', 'client_secret_basic'],
  ] as const)('a %s signs in, and has tools or the truth about why not', async (method, authentication) => {
    const {sandbox, ports, deployment} = await begin(release, kind);
    const found = sandbox.ready.clients.find(one => one.tokenEndpointAuthMethod === authentication);
    // OpenChoreo 0.14 installs no client that authenticates with Basic.
    if (!found) return;
    const {clientId, secret, subject} = client(sandbox, authentication);
    const token = await signInAs(sandbox, clientId, secret, method, ports);
    const first = await check(deployment, token, ports).catch(error => worded(error));
    if (first instanceof Error) {
      expect(hasRoles(release)).toBe(true);
      expect(first).toMatchObject({code: 'auth-no-role', message: expect.stringContaining(subject)});
      sandbox.bind({claim: 'sub', value: subject});
    }
    const {servers} = await check(deployment, token, ports);
    expect(servers.map(({tools}) => tools > 0)).toEqual([true, true]);
  });

  test('an MCP client is created where that is possible, and its role is asked for where it needs one', async () => {
    const {sandbox, ports, deployment} = await begin(release, kind);
    const {issuer, authUrl, version = '', withoutRecipe} = deployment;
    const {username, password} = sandbox.ready.admin;
    const input = {
      ...{platform: kindOf(deployment), issuer, authUrl, username, version, password: new Secret(password)},
      ...{clientId: 'mcp_client_of_mine', existing: 'refuse' as const},
      ...(withoutRecipe ? {withoutRecipe} : {}),
    };
    const created = await collect(createClient, input, ports).catch(error => error);
    if (release === 'next') {
      expect(created).toMatchObject({
        code: 'auth-recipe-closed',
        remedy: expect.stringContaining('service_mcp_client'),
      });
      return;
    }
    const secret = created.result.secret.reveal();
    const token = await signInAs(sandbox, 'mcp_client_of_mine', secret, 'mcp-client', ports);
    const first = await check(deployment, token, ports).catch(error => worded(error));
    if (!hasRoles(release)) {
      expect(first.servers.map(({tools}: {tools: number}) => tools > 0)).toEqual([true, true]);
      return;
    }
    expect(first).toMatchObject({
      code: 'auth-no-role',
      message: expect.stringContaining('“sub” of the token, which is mcp_client_of_mine'),
      remedy: expect.stringMatching(
        /kubectl apply -f - <<'EOF'\n[\s\S]*kind: (?:ClusterAuthz|AuthzCluster)RoleBinding/,
      ),
    });
    sandbox.bind({claim: 'sub', value: 'mcp_client_of_mine'});
    expect((await check(deployment, token, ports)).access).toContain('a role for everything');
  });

  test('components are listed to the last page', async () => {
    const {sandbox, ports, deployment} = await begin(release, kind, {projects: [{name: 'shop', components: 130}]});
    const {clientId, secret, subject} = client(sandbox, 'client_secret_post');
    if (hasRoles(release)) sandbox.bind({claim: 'sub', value: subject});
    const {access} = await signInAs(sandbox, clientId, secret, 'service-account', ports);
    const token = access.reveal();
    const list = async (wanted: object) => {
      const input = {platform: kindOf(deployment), controlPlaneUrl: deployment.controlPlaneUrl, token, ...wanted};
      return (await collect(listComponents, input, ports)).result;
    };
    const {components, serverVersion} = await list({});
    expect(serverVersion).toBe(deployment.version);
    expect(new Set(components.filter(({project}) => project === 'shop').map(({name}) => name)).size).toBe(130);
    expect(components.every(({name, type, namespace}) => name !== '' && type !== '' && namespace !== '')).toBe(true);
    expect((await list({namespace: 'default', project: 'shop'})).components).toHaveLength(130);
  });
});
