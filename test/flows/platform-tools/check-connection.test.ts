import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {checkConnection} from '../../../src/flows/platform-tools/check-connection.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {json, serve, serveRoutes, text} from '../../support/server.ts';
import {signedIn} from '../support/signed-in.ts';

describe('the check', () => {
  test('reads the tools of both servers', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const {result, events} = await collect(checkConnection({platform: bundled, deployment, tokens}, ports, noSignal));
    expect(result.servers.map(({server, tools}) => [server, tools > 5])).toEqual([
      ['control-plane', true],
      ['observability', true],
    ]);
    expect(events.filter(({type}) => type === 'health-checked')).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-checked', warnings: []}));
  });

  test('a refused token says what is odd about it', async () => {
    const {ports, deployment} = await signedIn();
    const foreign = [{alg: 'RS256'}, {iss: 'https://elsewhere.example', exp: 1}].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const tokens = {signIn: new Secret(`${foreign.join('.')}.c2ln`)};
    const input = {platform: bundled, deployment, tokens};
    await expect(collect(checkConnection(input, ports, noSignal))).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringContaining('was issued by https://elsewhere.example'),
    });
  });

  test.each([
    ['403', text('no', 403), 'auth-permission-missing'],
    ['HTML', text('<html>', 200, 'text/html'), 'network-portal'],
    ['500', text('no', 500), 'platform-error'],
    ['JSON that is no message', json({hello: 'there'}), 'platform-invalid-answer'],
    ['404', text('no', 404), 'platform-no-such-endpoint'],
    ['an error of the protocol', json({jsonrpc: '2.0', id: 1, error: {code: 1, message: 'no'}}), 'platform-mcp-failed'],
  ])('an MCP server that answers %s', async (_name, handler, code) => {
    const {ports, deployment, tokens} = await signedIn();
    const controlPlaneUrl = await serveRoutes({'/health': text('OK'), '/mcp': handler});
    const error = await collect(
      checkConnection({platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens}, ports, noSignal),
    ).catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(`${controlPlaneUrl}/mcp`)});
  });

  test('an MCP server that redirects does not get the token sent elsewhere', async () => {
    const {ports, deployment, tokens} = await signedIn();
    let arrived = 0;
    const thief = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const controlPlaneUrl = await serveRoutes({
      '/health': text('OK'),
      '/mcp': (_request, response) => response.writeHead(307, {Location: thief}).end(),
    });
    const run = collect(
      checkConnection({platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens}, ports, noSignal),
    );
    await expect(run).rejects.toMatchObject({code: expect.any(String)});
    expect(arrived).toBe(0);
  });
});
