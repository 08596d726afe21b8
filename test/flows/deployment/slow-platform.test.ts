import type {IncomingMessage, ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {findDeployment} from '../../../src/flows/deployment/find-deployment.ts';
import type {Tell} from '../../../src/flows/flow.ts';
import type {GivenAddresses} from '../../../src/platform/addresses.ts';
import {platforms} from '../../../src/platform/platforms.ts';
import {loopbackFetch} from '../../sandbox/support.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {sandboxPlatform} from '../../support/platform.ts';
import {serve} from '../../support/server.ts';

const search = async (addresses: GivenAddresses, probeTimeout: number, react?: Tell) => {
  const input = {platforms, addresses, layout: 'auto', probeTimeout} as const;
  return (await collect(findDeployment, input, await temporaryPorts(), noSignal, react)).result;
};

test('a dead control plane that was named is looked at twice, and no more', async () => {
  const asked = new Map<string | undefined, number>();
  const origin = await serve(({url}) => void asked.set(url, (asked.get(url) ?? 0) + 1));
  const addresses = {controlPlaneUrl: origin, observerUrl: origin, authUrl: origin};
  await expect(search(addresses, 100)).rejects.toMatchObject({
    code: 'network-timeout',
    message: `${origin} did not answer in time.`,
  });
  expect(asked.get('/version')).toBe(2);
});

test('a platform that is slow is found, by a look that takes its time', async () => {
  const ready = await sandboxPlatform();
  const waits: (() => void)[] = [];
  let isSlow = true;
  // A server in front of it delays every answer until the quick look is over.
  const slow = (target: string) => async (request: IncomingMessage, response: ServerResponse) => {
    if (isSlow) await new Promise<void>(resolve => waits.push(resolve));
    const url = new URL(request.url ?? '/', target);
    const answer = await loopbackFetch(url);
    response.writeHead(answer.status, {'content-type': answer.headers.get('content-type') ?? ''});
    response.end(await answer.text());
  };
  const controlPlaneUrl = await serve(slow(ready.controlPlaneUrl));
  const observerUrl = await serve(slow(ready.observerUrl));
  const looks: number[] = [];
  const found = await search({controlPlaneUrl, observerUrl, authUrl: ready.authUrl}, 10_000, event => {
    if (event.type === 'probe-started' && event.service === 'control-plane') looks.push(event.atMost);
    if (looks.length < 2) return;
    isSlow = false;
    for (const go of waits) go();
  });
  expect(found).toMatchObject({deployment: {controlPlaneUrl, observerUrl}});
  expect(looks[1]).toBeGreaterThan(looks[0] ?? 0);
});
