import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {listTools} from '../../../src/flows/platform-tools/list-tools.ts';
import {readContent} from '../../../src/flows/platform-tools/read-content.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import type {RoleBinding} from '../../../src/sandbox/roles.ts';
import type {ProjectSeed} from '../../../src/sandbox/seed.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {clientOf, runningPlatform} from '../../support/platform.ts';

const releaseNames = Object.keys(releases) as ReleaseName[];

type Role = Pick<RoleBinding, 'namespace' | 'project'> | 'none';

/** Reads what the service account of a sandbox sees with a role. */
const seen = async (release: ReleaseName, projects: readonly ProjectSeed[], role: Role = {}) => {
  const {ready, bind} = await runningPlatform('single', {release, projects});
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  if (role !== 'none' && ready.authorization) {
    const {subject = clientId} = ready.clients.find(one => one.clientId === clientId) ?? {};
    bind({claim: 'sub', value: subject, ...role});
  }
  const ports = await temporaryPorts();
  const request = {issuer: ready.authUrl, clientId, method: 'service-account', secret: new Secret(secret)} as const;
  const {result: token} = await collect(obtainToken, request, ports);
  const headers = {Authorization: `Bearer ${token.access.reveal()}`};
  const run = {ports, signal: noSignal, tell: () => {}};
  const {content} = await listTools({url: `${ready.controlPlaneUrl}/mcp`, headers}, run, {
    // The time of a machine that is not busy: 300 calls in turn take seconds on one that is.
    readContent: (client, tools) => readContent(client, tools, {...ports.clock, monotonic: () => 0}),
  });
  return content;
};

const failing = [{name: 'shop-1', project: 'shop', status: 'WorkloadNotFound'}];

describe.each(releaseNames)('release %s', release => {
  test('shows the projects and components of an account, and the one that fails', async () => {
    const content = await seen(release, [{name: 'shop', components: 3, failing: 1}]);
    expect(content).toMatchObject({projects: 2, components: 5, failing});
    expect(content).not.toHaveProperty('isPartial');
  });

  test('shows 300 projects, page by page where it has pages', async () => {
    const projects = Array.from({length: 300}, (_, index) => ({name: `project-${index}`, components: 1}));
    expect(await seen(release, projects)).toMatchObject({projects: 301, components: 302, failing: []});
  });
});

describe.each(releaseNames.filter(name => name !== '0.14'))('release %s, which has roles', release => {
  test('shows no project to an account without a role, and does not say that there is none', async () => {
    const content = await seen(release, [{name: 'shop', components: 3}], 'none');
    expect(content === undefined || (content.projects === 0 && content.isPartial)).toBe(true);
  });

  test('shows an account with a role for one project that project', async () => {
    const content = await seen(release, [{name: 'shop', components: 3}], {namespace: 'default', project: 'shop'});
    expect(content).toMatchObject({projects: 1, components: 3, isPartial: true});
  });
});
