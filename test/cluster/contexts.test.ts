import {expect, test} from 'vitest';
import {closedOrigin} from '../support/server.ts';
import {describeCluster} from './support/describe-cluster.ts';
import {installations} from './support/installations.ts';
import {type Behaviour, kubernetesWith, PLUGIN_TOKEN} from './support/kubernetes.ts';
import {leadsFor, personWith} from './support/person.ts';

const at = async (behaviour: Behaviour) => `${await kubernetesWith(installations['1.2'])}/${behaviour}`;

const credential = JSON.stringify({
  ...{apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential'},
  status: {token: PLUGIN_TOKEN},
});

/** A person's plugin, like those of cloud providers: it signs in only with a variable of the person's. */
const plugin = (...before: readonly string[]) => [
  ...before,
  '[ -n "$AWS_PROFILE" ] || { echo "No profile: set AWS_PROFILE." >&2; exit 1; }',
  `echo '${credential}'`,
];

describeCluster('the current kube context', path => {
  test('that may list nothing says so, in the tools’ own words', async () => {
    const {leads, answers} = await leadsFor(await personWith(path, {server: await at('denied')}));
    expect(leads).toEqual([]);
    expect(answers).toEqual({
      'gateway-route': {
        outcome: 'failed',
        detail: expect.stringContaining(
          'Error from server (Forbidden): httproutes.gateway.networking.k8s.io is forbidden: User "ann" cannot list resource "httproutes"',
        ),
      },
      'helm-release': {
        outcome: 'failed',
        detail: expect.stringContaining('secrets is forbidden: User "ann" cannot list resource "secrets"'),
      },
    });
  });

  test('that may look into one namespace is told what is there', async () => {
    const {leads, answers} = await leadsFor(await personWith(path, {server: await at('one-namespace')}));
    expect(leads).toMatchObject([{baseDomain: {name: 'acme.example.com', scheme: 'https', port: 8443}}]);
    expect(answers['gateway-route']).toEqual({outcome: 'found', detail: 'acme.example.com'});
  });

  test('that leads nowhere says so, in the tools’ own words', async () => {
    const server = (await closedOrigin()).replace('http:', 'https:');
    const {leads, answers} = await leadsFor(await personWith(path, {server}));
    expect(leads).toEqual([]);
    for (const source of ['gateway-route', 'helm-release']) {
      const {host} = new URL(server);
      expect(answers[source]).toMatchObject({outcome: 'failed', detail: expect.stringMatching(/refused|unreachable/)});
      expect(answers[source]?.detail).toContain(host);
    }
  });

  test('whose server says nothing is given up in time', async () => {
    const {leads, answers} = await leadsFor(await personWith(path, {server: await at('silent')}));
    expect(leads).toEqual([]);
    expect(answers).toEqual({
      'gateway-route': {outcome: 'failed', detail: 'kubectl did not answer within 10 s'},
      'helm-release': {outcome: 'failed', detail: 'helm did not answer within 10 s'},
    });
  });

  test('that signs in by a plugin does so with the person’s variables', async () => {
    const ports = await personWith(path, {server: await at('plugin'), plugin: plugin()}, {AWS_PROFILE: 'work'});
    const {leads} = await leadsFor(ports);
    expect(leads).toMatchObject([{source: 'helm-release', baseDomain: {name: 'acme.example.com'}}]);
  });

  test('whose plugin lacks something says what that is, if the plugin does', async () => {
    const {leads, answers} = await leadsFor(await personWith(path, {server: await at('plugin'), plugin: plugin()}));
    expect(leads).toEqual([]);
    const told = {outcome: 'failed', detail: 'No profile: set AWS_PROFILE.'};
    expect(answers).toEqual({'gateway-route': told, 'helm-release': told});
  });

  test('whose plugin takes five seconds is waited for', async () => {
    const slow = {server: await at('plugin'), plugin: plugin('sleep 5')};
    const {leads} = await leadsFor(await personWith(path, slow, {AWS_PROFILE: 'work'}));
    expect(leads).toMatchObject([{source: 'helm-release', baseDomain: {name: 'acme.example.com'}}]);
  });
});
