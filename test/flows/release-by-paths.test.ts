import {describe, expect, test} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {listComponents} from '../../src/flows/platform-tools/components.ts';
import {releaseFor} from '../../src/flows/release-by-paths.ts';
import {obtainToken} from '../../src/flows/sign-in/client-credentials.ts';
import {openchoreo} from '../../src/platform/platforms.ts';
import type {Ports} from '../../src/ports/ports.ts';
import type {Wrap} from '../../src/sandbox/fault-effects.ts';
import {type ReleaseName, releases} from '../../src/sandbox/releases/releases.ts';
import {collect, noSignal} from '../support/flows.ts';
import {type Answer, mockedPorts, textAnswer} from '../support/mocked-ports.ts';
import {temporaryPorts} from '../support/place.ts';
import {runningPlatform} from '../support/platform.ts';
import {json} from '../support/server.ts';

/** A control plane that was built from its sources. */
const unversioned: Wrap = inner => (request, response) =>
  request.url === '/version' ? json({version: 'not-set'})(request, response) : inner(request, response);

const names = Object.keys(releases) as ReleaseName[];

const ask = async (
  controlPlaneUrl: string,
  said: string | undefined,
  kept: {knownRelease?: string} = {},
  {signal = noSignal, ports}: {signal?: AbortSignal; ports?: Ports} = {},
) => {
  const calls: string[] = [];
  const tell = (event: {readonly type: string; readonly url?: string}) => {
    if (event.type === 'call-started') calls.push(event.url ?? '');
  };
  const run = {ports: ports ?? (await temporaryPorts()), signal, tell};
  return {release: await releaseFor(said, {platform: openchoreo, controlPlaneUrl, ...kept}, run), calls};
};

describe.each(names)('a build of %s that does not say its release', name => {
  const begin = async () =>
    runningPlatform('single', {platform: 'openchoreo', release: name, inFront: {'control-plane': unversioned}});
  // Release 1.2 and the development line have the same paths.
  const line = name === '1.2' || name === 'next' ? '1.3' : name;

  test('is told by its paths, without a sign-in', async () => {
    const {ready} = await begin();
    expect((await ask(ready.controlPlaneUrl, 'not-set')).release).toBe(line);
    expect((await ask(ready.controlPlaneUrl, undefined)).release).toBe(line);
  });

  test('lists its components, and says what is to be kept', async () => {
    const {ready, bind} = await begin();
    const client = ready.clients.find(one => one.clientId === 'customer-portal-client');
    if (!client?.clientSecret) throw new Error('It comes with every release.');
    bind({claim: 'sub', value: client.subject});
    const ports = await temporaryPorts();
    const secret = new Secret(client.clientSecret);
    const signIn = {issuer: ready.authUrl, clientId: client.clientId, method: 'service-account', secret} as const;
    const token = (await collect(obtainToken, signIn, ports)).result.access.reveal();
    const input = {platform: openchoreo, controlPlaneUrl: ready.controlPlaneUrl, token};
    const found = (await collect(listComponents, input, ports)).result;
    expect(found).toMatchObject({serverVersion: 'not-set', release: line});
    expect(found.components.length).toBeGreaterThan(0);
    const again = await collect(listComponents, {...input, release: line}, ports);
    expect(again.result).toEqual(found);
    const asked = again.events.filter(event => event.type === 'call-started').map(event => JSON.stringify(event));
    expect(asked.join()).not.toContain('clusterprojecttypes');
    // The saved release may be that of a build that has been replaced since.
    const other = name === '0.14' || name === '0.15' ? '0.17' : '0.14';
    const moved = await collect(listComponents, {...input, release: other}, ports);
    const namesOf = ({components}: typeof found) => components.map(one => one.name);
    expect(namesOf(moved.result)).toEqual(namesOf(found));
  });
});

const elsewhere = 'https://api.acme.example';

test('one that says it is not asked further, and what is kept is not asked again', async () => {
  const {ports} = await mockedPorts();
  expect(await ask(elsewhere, '0.16.0', {}, {ports})).toEqual({release: '0.16.0', calls: []});
  expect(await ask(elsewhere, 'not-set', {knownRelease: '0.15'}, {ports})).toEqual({release: '0.15', calls: []});
  expect((await ask(elsewhere, '1.2.3', {knownRelease: '0.15'}, {ports})).release).toBe('1.2.3');
});

test.each<[string, Answer]>([
  ['answers for what is not there', textAnswer('who are you?', 401)],
  ['answers with a page for everything', textAnswer('<html>')],
  ['has none of what every release has', textAnswer('no such path', 404)],
  ['is out of order', textAnswer('later', 503)],
  ['sends everybody elsewhere', {status: 302, headers: {location: '/login'}}],
])('one that %s tells nothing', async (_, reply) => {
  const {ports, answer} = await mockedPorts();
  answer(elsewhere, reply);
  expect((await ask(elsewhere, 'not-set', {}, {ports})).release).toBeUndefined();
});

test('one that cannot be reached tells nothing, and who was told to stop is not answered', async () => {
  expect((await ask('http://127.0.0.1:1', 'not-set')).release).toBeUndefined();
  const stop = new Error('Stop.');
  await expect(ask('http://127.0.0.1:1', 'not-set', {}, {signal: AbortSignal.abort(stop)})).rejects.toBe(stop);
});
