import {expect, test} from 'vitest';
import {findDeployment} from '../../../src/flows/deployment/find-deployment.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

const portOf = (origin: string) => Number(new URL(origin).port);

/** A control plane with its identity provider, at names below one base domain. */
const gateway = () =>
  serve((request, response) => {
    const issuer = `http://${(request.headers.host ?? '').replace('api.', 'idp.')}`;
    if (request.url === '/health') response.end('OK');
    else json({issuer, authorization_servers: [issuer], version: '0.14.0'})(request, response);
  });

test('an observer that answers gives the other layout’s a moment, so that two that live are both seen', async () => {
  const ports = await temporaryPorts();
  // The second one answers once the first has been heard, and somebody has begun to wait for another.
  const {promise: waitedFor, resolve: wait} = Promise.withResolvers<void>();
  const healthy = json({status: 'healthy'});
  const [single, multi, front] = await Promise.all([
    serve(healthy),
    serve(async (request, response) => {
      await waitedFor;
      healthy(request, response);
    }),
    gateway(),
  ]);
  const sleep: Ports['clock']['sleep'] = async (ms, signal) => {
    wait();
    // A moment of no length is over before anybody answers.
    if (ms > 0) await new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const platform = {
    ...bundled,
    ports: {gateway: portOf(front), observer: {single: portOf(single), multi: portOf(multi)}},
  };
  const input = {platforms: [platform], baseDomain: 'acme.localhost', addresses: {}, layout: 'auto'} as const;
  const {result} = await collect(findDeployment(input, {...ports, clock: {...ports.clock, sleep}}, noSignal));
  expect(result).toMatchObject({
    deployment: {layout: 'multi', evidence: expect.stringContaining('Both observers answer')},
  });
});
