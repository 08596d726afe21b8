import {describe, expect, test} from 'vitest';
import {findCliClient} from '../../../src/flows/deployment/cli-client.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, type Handler, json, serve, text} from '../../support/server.ts';

const METADATA = '/.well-known/oauth-protected-resource';
const [OLD, OLDER] = bundled.paths.cliDiscovery as readonly [string, string];

/** Asks a control plane with these answers for the client, and records the `X-Use-OpenAPI` header of each request. */
const find = async (routes: Readonly<Record<string, Handler>> = {}, clientId?: string) => {
  const asked: Record<string, unknown> = {};
  const controlPlaneUrl: string = await serve((request, response) => {
    asked[request.url ?? ''] = request.headers['x-use-openapi'];
    (routes[request.url ?? ''] ?? text('404 page not found', 404))(request, response);
  });
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const input = {platform: bundled, controlPlaneUrl, ...(clientId === undefined ? {} : {clientId})};
  return {asked, controlPlaneUrl, client: await findCliClient(input, run)};
};

const {clientId, scopes} = bundled.cliClient;
const usual = {clientId, scopes, isAssumed: true};
const listed = (...external_clients: readonly unknown[]) => json({external_clients});
const told = (id: string) => listed({name: 'cli', client_id: id, scopes: ['openid']});

describe('the client with which a person signs in', () => {
  test.each([
    ['the metadata before every other', {[METADATA]: told('a'), [OLD]: told('b'), [OLDER]: told('c')}, 'a'],
    ['the OpenID configuration', {[METADATA]: json({}), [OLD]: told('b'), [OLDER]: told('c')}, 'b'],
    ['the oldest place', {[METADATA]: text('['), [OLDER]: told('c')}, 'c'],
    ['another place where one has no list', {[METADATA]: json({external_clients: 'cli'}), [OLD]: told('b')}, 'b'],
    ['another place where one fails', {[METADATA]: json({external_clients: []}, 500), [OLD]: told('b')}, 'b'],
  ])('is told by %s', async (_where, routes, expected) => {
    expect((await find(routes)).client).toStrictEqual({clientId: expected, scopes: ['openid']});
  });

  test('is the platform’s usual one where nothing tells', async () => {
    const {asked, client} = await find();
    expect(client).toStrictEqual(usual);
    expect(asked).toEqual({[METADATA]: undefined, [OLD]: 'true', [OLDER]: 'true'});
  });

  test('is the one of the right name, else the first', async () => {
    const [other, right] = [
      {name: 'ui', client_id: 'ui'},
      {name: 'cli', client_id: 'right'},
    ];
    expect((await find({[METADATA]: listed(other, right)})).client.clientId).toBe('right');
    expect((await find({[METADATA]: listed(other, {name: 'x', client_id: 'x'})})).client.clientId).toBe('ui');
    expect((await find({[METADATA]: listed(null, right)})).client.clientId).toBe('right');
  });

  test('is the one that the person gave, with the scopes that are told', async () => {
    const {client} = await find({[METADATA]: told('a')}, 'mine');
    expect(client).toStrictEqual({clientId: 'mine', scopes: ['openid']});
  });

  test.each(['', 'a\u001B[2J', 'ä', '\u0000a', 'a\n'])('is never %j, which no grammar allows', async id => {
    expect((await find({[METADATA]: told(id)})).client).toStrictEqual(usual);
  });

  test.each([
    [undefined, scopes],
    ['openid', scopes],
    [[], scopes],
    [[7, 'a b', 'a"', 'a\\', 'ä', ''], scopes],
    [
      ['openid', 'a b', 'x:y/z'],
      ['openid', 'x:y/z'],
    ],
  ])('asks for scopes that are such, of %j', async (given, expected) => {
    const {client} = await find({[METADATA]: listed({name: 'cli', client_id: 'a', scopes: given})});
    expect(client.scopes).toEqual(expected);
  });

  test('cannot be found where nobody answers', async () => {
    const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
    const gone = findCliClient({platform: bundled, controlPlaneUrl: await closedOrigin()}, run);
    await expect(gone).rejects.toMatchObject({code: 'network-refused'});
  });
});

test('a control plane’s resource is asked for where that is its own address (RFC 9728 3.3)', async () => {
  const controlPlaneUrl: string = await serve((request, response) =>
    json({resource: `${controlPlaneUrl}/mcp`})(request, response),
  );
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const found = await findCliClient({platform: bundled, controlPlaneUrl}, run);
  expect(found).toStrictEqual({...usual, resource: `${controlPlaneUrl}/mcp`});
  const other = await find({[METADATA]: json({resource: 'https://other.example/mcp'})});
  expect(other.client).not.toHaveProperty('resource');
});
