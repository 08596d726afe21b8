import {describe, expect, test} from 'vitest';
import {readAuthority, readRoutes, readValues} from '../../../src/flows/deployment/cluster.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports, ProcessResult} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';

type Run = Ports['processes']['run'];

/** Returns ports with a cluster tool that ends as the test says, and the arguments that it was started with. */
const answering = (answer: (args: readonly string[]) => ProcessResult) => {
  const calls: Parameters<Run>[] = [];
  const run: Run = async (...call) => {
    calls.push(call);
    return answer(call[1]);
  };
  return {ports: {processes: {run}} as unknown as Ports, calls};
};

const ended = (stdout: string, stderr = '', code = 0): ProcessResult => ({outcome: 'exited', code, stdout, stderr});

/** Lines that Helm and client-go write to standard error before they do the work, whether it succeeds or not. */
const LOG = [
  'WARNING: Kubernetes configuration file is group-readable. This is insecure. Location: /home/ann/.kube/config',
  'I1121 10:00:00.000000   1 round_trippers.go:466] curl -v -XGET',
  'W1121 10:00:00.000000   1 warnings.go:70] v1 ComponentStatus is deprecated',
  'E1121 10:00:00.000000   1 memcache.go:265] couldn’t get current server API group list',
  'F1121 10:00:00.000000   1 helpers.go:120] giving up',
].join('\n');

describe('the values of a Helm release', () => {
  const values = (result: ProcessResult) => readValues(bundled, answering(() => result).ports, noSignal);

  test('are read, defaults included, as the person’s shell would', async () => {
    const {ports, calls} = answering(() => ended('{"global":{"baseDomain":"acme.example.com"}}'));
    expect(await readValues(bundled, ports, noSignal)).toEqual({found: {global: {baseDomain: 'acme.example.com'}}});
    const {release, namespace} = bundled.cluster;
    expect(calls).toEqual([
      [
        'helm',
        ['get', 'values', release, '--namespace', namespace, '--all', '--output', 'json'],
        {timeout: 10_000, signal: noSignal, environment: 'shell'},
      ],
    ]);
  });

  test('are read where log lines come before them', async () => {
    expect(await values(ended('{"a":1}', LOG))).toEqual({found: {a: 1}});
  });

  test('are absent where there is no such release, also after log lines', async () => {
    expect(await values(ended('', 'Error: release: not found', 1))).toEqual({absent: 'Error: release: not found'});
    expect(await values(ended('', `${LOG}\n\nError: release: not found\n`, 1))).toEqual({
      absent: 'Error: release: not found',
    });
  });

  test('are absent without Helm', async () => {
    expect(await values({outcome: 'missing'})).toEqual({absent: 'helm is not installed'});
  });

  test.each([
    ['time', {outcome: 'timed-out'}, 'helm did not answer within 10 s'],
    ['JSON', ended('USER-SUPPLIED VALUES:'), 'helm printed something that is not JSON'],
    ['a word', ended('', ' \n', 7), 'helm exited with code 7'],
    [
      'success, with advice after the reason',
      ended('', `${LOG}\n  Error: no\nInstall it from https://x`, 1),
      'Error: no',
    ],
    [
      'success, with a log quoted in the reason',
      ended('', 'Error: E1121 is WARNING: odd\nadvice', 1),
      'Error: E1121 is WARNING: odd',
    ],
    ['a reason beside its log', ended('', LOG, 1), 'giving up'],
    ['control characters', ended('', 'Error: \u001b[31mno\u0007', 1), 'Error: [31mno'],
  ] as const)('are not had where Helm has no %s', async (_what, result, failed) => {
    expect(await values(result)).toEqual({failed});
  });
});

const forbidden = ended('', 'Error from server (Forbidden): httproutes is forbidden', 1);

const routes = (...items: readonly object[]) => ended(JSON.stringify({items}));

const route = (name: string, namespace: string, hostnames: unknown) => ({
  metadata: {name, namespace},
  spec: {hostnames},
});

describe('the routes of a cluster', () => {
  const read = (answer: (args: readonly string[]) => ProcessResult) =>
    readRoutes([bundled, openchoreo], answering(answer).ports, noSignal);

  test('are read all at once', async () => {
    const {ports, calls} = answering(() => routes(route('api', 'platform', ['api.acme.example.com', 7])));
    expect(await readRoutes([bundled], ports, noSignal)).toEqual({
      found: [{name: 'api', namespace: 'platform', hostnames: ['api.acme.example.com']}],
    });
    expect(calls.map(([program, args]) => [program, ...args].join(' '))).toEqual([
      'kubectl get httproutes.gateway.networking.k8s.io --all-namespaces --output=json',
    ]);
  });

  test.each([
    ['a route without hosts', routes(route('api', 'platform', 'all')), [{hostnames: []}]],
    ['a route without anything', routes({}), [{hostnames: []}]],
    ['a list without items', ended('{}'), []],
    ['no JSON', ended('oops'), []],
  ])('may be %s', async (_what, result, found) => {
    expect(await read(() => result)).toMatchObject({found});
    expect(await read(() => result)).toHaveProperty('found.length', found.length);
  });

  test('are read namespace by namespace where they may not be listed at once', async () => {
    const asked: string[] = [];
    const found = await read(args => {
      asked.push(args[2] ?? '');
      return args[2] === '--namespace=openchoreo-control-plane' ? routes(route('api', 'there', ['h'])) : forbidden;
    });
    expect(found).toEqual({found: [{name: 'api', namespace: 'there', hostnames: ['h']}]});
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toEqual(expect.arrayContaining(['--all-namespaces', '--namespace=openchoreo-control-plane']));
  });

  test('are refused once where no namespace may be looked into either', async () => {
    expect(await read(() => forbidden)).toEqual({failed: 'Error from server (Forbidden): httproutes is forbidden'});
  });

  test('are not asked for again where it is something else that failed', async () => {
    let count = 0;
    const found = await read(() => {
      count += 1;
      return ended('', 'The connection to the server was refused', 1);
    });
    expect([count, found]).toEqual([1, {failed: 'The connection to the server was refused'}]);
    expect(await read(() => ended('', 'No resources found in default namespace.', 1))).toEqual({
      absent: 'No resources found in default namespace.',
    });
    // The message counts only at the beginning of a reason.
    expect(await read(() => ended('', 'Error: no resources found', 1))).toEqual({failed: 'Error: no resources found'});
  });
});

describe('the authority of a gateway', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const encoded = Buffer.from(pem).toString('base64');
  const read = (result: ProcessResult) =>
    collect(readAuthority, {namespace: 'gateway', name: 'authority'}, answering(() => result).ports).then(
      ({result: authority}) => authority,
    );

  test('comes from its Secret, the authority’s own certificate first', async () => {
    const other = Buffer.from(`${pem}another`).toString('base64');
    expect(await read(ended(JSON.stringify({data: {'ca.crt': encoded, 'tls.crt': other}})))).toEqual({pem});
    expect(await read(ended(JSON.stringify({data: {'tls.crt': encoded}})))).toEqual({pem});
    const {ports, calls} = answering(() => ended(JSON.stringify({data: {'ca.crt': encoded}})));
    await collect(readAuthority, {namespace: 'gateway', name: 'authority'}, ports);
    expect(calls[0]?.[1]).toEqual(['get', 'secret', 'authority', '--namespace=gateway', '--output=json']);
  });

  test.each([
    ['no certificate', ended(JSON.stringify({data: {'ca.crt': 'bm8='}})), 'it holds no certificate'],
    ['no data', ended('{}'), 'it holds no certificate'],
    ['no JSON', ended('oops'), 'it holds no certificate'],
    ['no kubectl', {outcome: 'missing'}, 'kubectl is not installed'],
    ['no permission', forbidden, 'Error from server (Forbidden): httproutes is forbidden'],
  ] as const)('cannot be had where there is %s', async (_what, result, reason) => {
    await expect(read(result)).rejects.toMatchObject({
      code: 'local-authority-missing',
      message: `The authority could not be read from the cluster (gateway/authority): ${reason}.`,
    });
  });
});

test('neither Helm nor kubectl is asked where no cluster is known', async () => {
  const {ports, calls} = answering(() => ended('{}'));
  const without: Ports = {...ports, processes: {...ports.processes, hasKubeContext: async () => false}};
  const absent = {absent: 'there is no current kube context'};
  expect(await readValues(bundled, without, noSignal)).toEqual(absent);
  expect(await readRoutes([bundled], without, noSignal)).toEqual(absent);
  const authority = {namespace: 'gateway', name: 'authority'};
  await expect(collect(readAuthority, authority, without)).rejects.toMatchObject({
    code: 'local-authority-missing',
    message: expect.stringContaining('there is no current kube context'),
  });
  expect(calls).toEqual([]);
});
