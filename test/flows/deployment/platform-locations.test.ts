import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {givenLocation, locationsInCluster, savedLocation} from '../../../src/flows/deployment/platform-locations.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {platforms} from '../../../src/platform/platforms.ts';
import type {Ports, ProcessResult} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {type Program, withPrograms} from './support/programs.ts';

const read = async (programs: Readonly<Record<string, Program>>) =>
  readThrough(withPrograms(await temporaryPorts(), programs));

const readThrough = async (ports: Ports) => {
  const answers: (readonly string[])[] = [];
  const tell = (event: FlowEvent) => {
    if (event.type === 'source-answered') answers.push([event.source, event.outcome, event.detail]);
  };
  const locations = await locationsInCluster(platforms, {ports, signal: noSignal, tell});
  return {
    locations: locations.map(({source, platforms: kinds, baseDomain}) => [source, kinds[0]?.id, baseDomain.name]),
    answers,
  };
};

/** A helm that has the release of one platform. */
const helm =
  (release: string, values: object): Program =>
  args =>
    args === `get values ${release} --namespace ${release} --all --output json`
      ? {stdout: `${JSON.stringify(values)}\n`}
      : {code: 1, stderr: 'Error: release: not found\n'};

const routes = (name: string, namespace: string, hostname: string) =>
  JSON.stringify({items: [{metadata: {name, namespace}, spec: {hostnames: [hostname]}}]});

/** A kubectl that lists these routes for the whole cluster. */
const kubectl =
  (json: string): Program =>
  args =>
    args.startsWith('get httproutes.gateway.networking.k8s.io --all-namespaces') ? {stdout: `${json}\n`} : {code: 9};

const routed = kubectl(routes('platform-api', 'platform-control-plane', 'api.routed.example.com'));

describe('the cluster', () => {
  test('names the platform by its Helm release', async () => {
    const {locations, answers} = await read({
      helm: helm('openchoreo-control-plane', {global: {baseDomain: 'acme.example.com'}}),
    });
    expect(locations).toEqual([['helm-release', 'openchoreo', 'acme.example.com']]);
    expect(answers).toContainEqual(['helm-release', 'found', 'acme.example.com']);
    expect(answers).toContainEqual(['gateway-route', 'absent', 'kubectl is not installed']);
  });

  test('names it by its route, without its leading label', async () => {
    const {locations, answers} = await read({kubectl: routed});
    expect(locations).toEqual([['gateway-route', 'bundled', 'routed.example.com']]);
    expect(answers).toContainEqual(['helm-release', 'absent', 'helm is not installed']);
  });

  test('names two where two are installed', async () => {
    const {locations} = await read({
      kubectl: routed,
      helm: helm('openchoreo-control-plane', {global: {baseDomain: 'acme.example.com'}}),
    });
    expect(locations.map(([, id]) => id).toSorted()).toEqual(['bundled', 'openchoreo']);
  });

  test('names none where there is none, and that is no fault', async () => {
    const {locations, answers} = await read({
      helm: helm('something-else', {}),
      kubectl: kubectl(routes('shop', 'shop', 'shop.example.com')),
    });
    expect(locations).toEqual([]);
    expect(answers).toContainEqual(['helm-release', 'absent', 'Error: release: not found']);
    expect(answers).toContainEqual(['gateway-route', 'absent', 'no route leads to a platform']);
  });

  test('is asked namespace by namespace where the whole of it may not be listed', async () => {
    const {locations} = await read({
      kubectl: args =>
        args.includes('--namespace=openchoreo-control-plane')
          ? {stdout: routes('openchoreo-api', 'openchoreo-control-plane', 'api.mine.example.com')}
          : {code: 1, stderr: 'Error from server (Forbidden): httproutes is forbidden\n'},
    });
    expect(locations).toEqual([['gateway-route', 'openchoreo', 'mine.example.com']]);
  });

  test('that refuses everything is told once, in its own words', async () => {
    const refused = 'Error from server (Forbidden): httproutes is forbidden: User "ann" cannot list resource';
    const {answers} = await read({kubectl: () => ({code: 1, stderr: `${refused}\n`})});
    expect(answers).toContainEqual(['gateway-route', 'failed', refused]);
  });

  test.each([
    [
      'the reason comes before the advice',
      'Unable to connect to the server: getting credentials: exec: executable aws not found\n\nIt looks like you are trying to use a plugin that is not installed.\nInstall it from https://example.com',
      'Unable to connect to the server: getting credentials: exec: executable aws not found',
    ],
    [
      'log lines and warnings are no reason',
      'WARNING: Kubernetes configuration file is group-readable.\nE1121 10:00:00.000000 1 memcache.go:265] couldn’t get the list\nThe connection to the server 127.0.0.1:1 was refused',
      'The connection to the server 127.0.0.1:1 was refused',
    ],
    ['unless there is nothing else', 'E1121 10:00:00.0 1 memcache.go:265] no such host', 'no such host'],
    ['silence is told with its code', '', 'kubectl exited with code 3'],
  ])('%s', async (_what, stderr, detail) => {
    const {answers} = await read({kubectl: () => ({code: 3, stderr: `${stderr}\n`})});
    expect(answers).toContainEqual(['gateway-route', 'failed', detail]);
  });

  // Programs of Windows are compiled: a test cannot make one that prints its environment.
  onUnix('a tool sees the environment of the person’s shell, and none of this program’s secrets', async () => {
    const home = await temporaryDirectory();
    const names = ['AWS_ACCESS_KEY_ID', 'COMPANY_TOKEN', 'CLI_CLIENT_SECRET', 'SETUP_ADMIN_PASSWORD'];
    const seen = `console.error(...${JSON.stringify(names)}.map(name => process.env[name]));`;
    const script = `#!${process.execPath}\n${seen}\nprocess.exitCode = 1;\n`;
    await writeFile(join(home, 'kubectl'), script, {mode: 0o755});
    await writeFile(join(home, 'kubeconfig'), 'current-context: acme\n');
    const {answers} = await readThrough(
      portsIn(home, {
        PATH: home,
        KUBECONFIG: join(home, 'kubeconfig'),
        AWS_ACCESS_KEY_ID: 'key',
        COMPANY_TOKEN: 'theirs',
        CLI_CLIENT_SECRET: 'canary',
        SETUP_ADMIN_PASSWORD: 'canary',
      }),
    );
    expect(answers).toContainEqual(['gateway-route', 'failed', 'key theirs undefined undefined']);
  });

  test('what is printed and is no list or values is passed over', async () => {
    const {locations} = await read({kubectl: () => ({stdout: 'oops\n'}), helm: () => ({stdout: 'oops\n'})});
    expect(locations).toEqual([]);
  });
});

test('a base domain that is given is taken at its word', () => {
  const told: FlowEvent[] = [];
  expect(givenLocation('acme.localhost', platforms, event => told.push(event))).toMatchObject({
    source: 'given',
    baseDomain: {name: 'acme.localhost'},
  });
  expect(told).toMatchObject([{type: 'source-answered', outcome: 'found', detail: 'acme.localhost'}]);
  expect(() => givenLocation('not a domain', platforms, () => {})).toThrow(
    expect.objectContaining({code: 'input-invalid'}),
  );
});

test('a broken config is told, and the search goes on', async () => {
  const ports = portsIn(await temporaryDirectory());
  await writeFile(ports.config.path, '{');
  const events: FlowEvent[] = [];
  expect(await savedLocation(platforms, undefined, ports, event => events.push(event))).toBeUndefined();
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'source-answered',
      source: 'saved-context',
      outcome: 'failed',
      detail: expect.stringContaining(ports.config.path),
    }),
  );
});

describe('a saved context', () => {
  /**
   * Returns the lead of these saved contexts. `reading` wraps the read of the config. The clock advances 5 ms at each
   * look.
   */
  const saved = async (
    contexts: readonly Context[],
    wanted?: string,
    reading: (read: Ports['config']['read']) => Ports['config']['read'] = read => read,
  ) => {
    const ports = await temporaryPorts();
    for (const context of contexts) await ports.config.saveContext(context);
    let time = 1000;
    const monotonic = () => {
      time += 5;
      return time;
    };
    const events: FlowEvent[] = [];
    const config = {...ports.config, read: reading(ports.config.read)};
    const through = {...ports, config, clock: {...ports.clock, monotonic}};
    return {lead: savedLocation(platforms, wanted, through, event => void events.push(event)), events};
  };
  const [started, answered] = [
    {type: 'source-started', source: 'saved-context'},
    {type: 'source-answered', source: 'saved-context', ms: 5},
  ];
  const context: Context = {
    ...contextAt('https://idp.acme.example'),
    baseDomain: 'acme.example',
    platform: 'openchoreo',
  };

  test('locations to the platform as its company file had it', async () => {
    const {lead} = await saved([{...context, descriptor: {labels: {observer: 'watch'}}}]);
    const [first, ...others] = (await lead)?.platforms ?? [];
    expect([first?.id, first?.labels.observer]).toEqual(['openchoreo', 'watch']);
    expect(others.map(({id, changes}) => [id, changes])).toEqual([['bundled', undefined]]);
  });

  test('locations to its addresses, and to what it was before anything else', async () => {
    const {lead, events} = await saved([{...context, observerUrl: 'https://observer.example'}]);
    const {controlPlaneUrl, authUrl} = context;
    expect(await lead).toEqual({
      source: 'saved-context',
      platforms: platforms.toSorted(one => (one.id === 'openchoreo' ? -1 : 1)),
      baseDomain: {name: 'acme.example'},
      addresses: {controlPlaneUrl, authUrl, observerUrl: 'https://observer.example'},
    });
    expect((await lead)?.platforms[0]?.id).toBe('openchoreo');
    expect(events).toEqual([started, {...answered, outcome: 'found', detail: 'acme.example'}]);
  });

  test('without an observer locations to one that may be missing', async () => {
    const {lead} = await saved([{...context, platform: 'bundled'}]);
    const {controlPlaneUrl, authUrl} = context;
    expect(await lead).toMatchObject({addresses: {controlPlaneUrl, authUrl}, isObserverOptional: true});
    expect((await lead)?.platforms[0]?.id).toBe('bundled');
  });

  test.each([
    ['none yet', [], undefined],
    ['none called beta', [context], 'beta'],
  ])('is absent: %s', async (detail, contexts, wanted) => {
    const {lead, events} = await saved(contexts, wanted);
    expect(await lead).toBeUndefined();
    expect(events).toEqual([started, {...answered, outcome: 'absent', detail}]);
  });

  test('that cannot be read is said, and ends nothing', async () => {
    const broken = new SetupError('local-config-invalid', 'It is\u001B[2J broken.');
    const {lead, events} = await saved([], undefined, () => () => Promise.reject(broken));
    expect(await lead).toBeUndefined();
    expect(events[1]).toMatchObject({outcome: 'failed', detail: expect.stringMatching(/^It is .*broken\.$/)});
    expect(JSON.stringify(events)).not.toMatch(/\\u001b/);
  });

  test.each([
    ['a stop', cancelled()],
    ['a bug', new TypeError('This is a bug.')],
  ])('says nothing where %s is in the way', async (_what, error) => {
    const {lead} = await saved([], undefined, () => () => Promise.reject(error));
    await expect(lead).rejects.toBe(error);
  });
});

describe('of two tools that know the cluster', () => {
  const none: ProcessResult = {outcome: 'missing'};
  const printed = (stdout: string): ProcessResult => ({outcome: 'exited', code: 0, stdout, stderr: ''});

  /** Returns which cluster tools lead somewhere when they end in this way. */
  const leadsBy = async (tools: Readonly<Record<'helm' | 'kubectl', () => Promise<ProcessResult>>>) => {
    const ports = await temporaryPorts();
    // Every wait ends at once.
    const sleep = async () => {};
    const run = (command: string) => tools[command as keyof typeof tools]();
    const through = {
      ...ports,
      clock: {...ports.clock, sleep},
      processes: {...ports.processes, run, hasKubeContext: async () => true},
    };
    const locations = await locationsInCluster(platforms, {ports: through, signal: noSignal, tell: () => {}});
    return locations.map(({source}) => source);
  };
  const routed = JSON.stringify({
    items: [
      {
        metadata: {name: 'platform-api', namespace: 'platform-control-plane'},
        spec: {hostnames: ['api.routed.example.com']},
      },
    ],
  });

  test('one that hangs is not waited for once the other has told', async () => {
    const sources = await leadsBy({helm: () => new Promise(() => {}), kubectl: async () => printed(routed)});
    expect(sources).toEqual(['gateway-route']);
  });

  test('one that takes its time is waited for where the other knows nothing', async () => {
    const sources = await leadsBy({
      helm: async () => none,
      kubectl: () => new Promise(resolve => setImmediate(() => resolve(printed(routed)))),
    });
    expect(sources).toEqual(['gateway-route']);
  });
});

test.each([
  ['a release that is broken before one that is absent', {platforms}, 'failed'],
  ['no release where there is no kind of platform', {platforms: []}, 'absent'],
])('helm tells of %s', async (_what, {platforms: kinds}, outcome) => {
  const told: unknown[] = [];
  const tell = (event: FlowEvent) => {
    if (event.type === 'source-answered' && event.source === 'helm-release') told.push(event.outcome);
  };
  // The first kind of resource is not installed, and the account may not read the second.
  const script: Program = args => ({
    code: 1,
    stderr: args.includes('openchoreo') ? 'Error: forbidden\n' : 'Error: release: not found\n',
  });
  await locationsInCluster(kinds, {
    ports: withPrograms(await temporaryPorts(), {helm: script}),
    signal: noSignal,
    tell,
  });
  expect(told).toEqual([outcome]);
});

test('a release that names no address is installed nevertheless', async () => {
  const {answers} = await read({helm: helm('openchoreo-control-plane', {})});
  expect(answers).toContainEqual(['helm-release', 'found', 'installed; it names no address']);
});
