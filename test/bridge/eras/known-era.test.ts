import {expect, test} from 'vitest';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {bridgeTo} from '../support/bridge.ts';
import {clientThat, type Speaks, serverThat} from './support.ts';

const echoThrough = async (how: Speaks, origin: string, options: Parameters<typeof bridgeTo>[1]) => {
  const bridge = await bridgeTo(origin, options);
  const {client, transport} = await clientThat(how, bridge);
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({name}) => name)).toContain('echo');
  expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({content: [{type: 'text'}]});
  await client.close();
  await bridge.close();
};

test.each<[Speaks, 'modern' | 'legacy']>([
  ['legacy', 'modern'],
  ['modern', 'legacy'],
])('of a %s client and a %s server the second session asks nothing in the other era', async (how, server) => {
  const {origin, seen} = await serverThat(server);
  const home = await temporaryDirectory();
  await echoThrough(how, origin, {home});
  expect(seen).toContain(`${how} POST`);
  expect(await portsIn(home).eras.get(`${origin}/mcp`)).toBe(server);
  seen.length = 0;
  await echoThrough(how, origin, {home});
  expect(seen.filter(line => line === `${how} POST`)).toEqual([]);
  expect(seen).toContain(`${server} POST`);
});

test.each(['legacy', 'modern', 'dual'] as const)('a %s server of which it is not so any more is asked', async how => {
  const {origin} = await serverThat(how);
  for (const client of ['legacy', 'modern', 'dual'] as const) {
    for (const wrong of ['legacy', 'modern'] as const) {
      const home = await temporaryDirectory();
      await portsIn(home).eras.put(`${origin}/mcp`, wrong);
      await echoThrough(client, origin, {home});
      const isAlone = how !== 'dual' && wrong !== how && (client === 'dual' ? 'modern' : client) === how;
      if (isAlone) expect(await portsIn(home).eras.get(`${origin}/mcp`)).toBeUndefined();
    }
  }
});

test('nothing is kept of a server that shares an era with its client', async () => {
  const {origin} = await serverThat('dual');
  const home = await temporaryDirectory();
  await echoThrough('legacy', origin, {home});
  await echoThrough('modern', origin, {home});
  expect(portsIn(home).eras.isEmpty()).toBe(true);
});

test('whoever is signed out gets the local server, whatever is known of the server', async () => {
  const {origin, seen} = await serverThat('modern');
  const home = await temporaryDirectory();
  await portsIn(home).eras.put(`${origin}/mcp`, 'modern');
  const {initialize, request} = await bridgeTo(origin, {home, kept: 'none'});
  await initialize();
  expect((await request('tools/list')).result.tools).toMatchObject([{name: 'sign_in'}]);
  expect(seen).toEqual([]);
});
