import {expect, test} from 'vitest';
import {findDeployment} from '../../src/flows/deployment/find-deployment.ts';
import {openchoreo} from '../../src/platform/platforms.ts';
import {collect} from '../support/flows.ts';
import {sandboxPlatform} from '../support/platform.ts';
import {describeCluster} from './support/describe-cluster.ts';
import {installations} from './support/installations.ts';
import {kubernetesWith} from './support/kubernetes.ts';
import {leadsFor, personWith} from './support/person.ts';

describeCluster('an installation is found by helm and kubectl', path => {
  test.each(Object.entries(installations))('of release %s', async (_line, installation) => {
    const origin = await kubernetesWith(installation);
    const {leads, answers} = await leadsFor(await personWith(path, {server: `${origin}/open`}));
    expect(answers).toMatchObject({
      'gateway-route': {outcome: 'found', detail: 'acme.example.com'},
      'helm-release': {outcome: 'found'},
    });
    expect(leads).toEqual([
      {
        source: 'helm-release',
        baseDomain: {name: 'acme.example.com', scheme: 'https', port: 8443},
        addresses: {},
      },
    ]);
  });

  test('and what answers there is the deployment', async () => {
    const {controlPlaneUrl, observerUrl, authUrl} = await sandboxPlatform('single', {baseDomain: 'acme.localhost'});
    const {version} = installations['1.2'];
    const route = {name: 'openchoreo-api', namespace: 'openchoreo-control-plane', hostnames: ['api.acme.localhost']};
    const values = {openchoreoApi: {config: {server: {publicUrl: controlPlaneUrl}}}};
    const origin = await kubernetesWith({version, routes: [route], defaults: {}, values});
    const ports = await personWith(path, {server: `${origin}/open`});
    // The search must ignore other platforms on this machine.
    const platforms = [{...openchoreo, localBaseDomain: 'nowhere.invalid'}];
    const input = {platforms, addresses: {observerUrl, authUrl}, layout: 'auto'} as const;
    const {result} = await collect(findDeployment, input, ports);
    expect(result).toMatchObject({deployment: {platform: 'openchoreo', baseDomain: 'acme.localhost', controlPlaneUrl}});
  });
});
