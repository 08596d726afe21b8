import {expect, test} from 'vitest';
import {createHttp} from '../../../src/ports/network/http-client.ts';
import {createRoute} from '../../../src/ports/network/route.ts';
import {createStreams} from '../../../src/ports/network/streams-by-policy.ts';
import {noSignal} from '../../support/flows.ts';
import {pem, serveTls} from './support/tls-server.ts';

test('an authority that was put into the system’s store since the start counts once the store is read anew', async () => {
  const {port} = await serveTls();
  let store: readonly string[] = [];
  const route = createRoute(async () => store);
  const policy = {allowHttp: []};
  const http = createHttp(createStreams({}, policy, route), policy, () => 0);
  const url = new URL(`https://api.acme.localhost:${port}/`);
  const send = () => http.send({method: 'GET', url}, {signal: noSignal, report: () => {}});
  await expect(send()).rejects.toMatchObject({code: 'network-tls'});
  store = [pem('authority.crt')];
  await expect(send()).rejects.toMatchObject({code: 'network-tls'});
  await route.readAnew();
  expect(await send()).toMatchObject({status: 200});
});

test('settings that are the same keep their connections', () => {
  const route = createRoute();
  route.use({proxy: 'none'});
  const settings = route.settings();
  route.use({proxy: 'none'});
  expect(route.settings()).toBe(settings);
  route.use({proxy: 'environment'});
  expect(route.settings()).not.toBe(settings);
});
