import {once} from 'node:events';
import {request} from 'node:https';
import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {startSandbox} from '../../../src/sandbox/sandbox.ts';
import {SandboxInputError} from '../../../src/sandbox/values.ts';
import {heldPort, isRefused} from '../../e2e/support/ports.ts';
import {runningSandbox} from '../support.ts';

const options = {layout: 'single', baseDomain: 'platform.localhost', port: 0} as const;

test.each(['single', 'multi'] as const)(
  'self-signed, %s: whoever trusts its certificate reaches every service by its name',
  async layout => {
    const {ready} = await runningSandbox({layout, faults: ['self-signed']});
    for (const url of [ready.controlPlaneUrl, ready.authUrl, ready.observerUrl]) {
      const {protocol, hostname, port} = new URL(url);
      expect(protocol).toBe('https:');
      const answer = request({
        ...{host: '127.0.0.1', port, servername: hostname, agent: false},
        ...{path: '/health', headers: {host: `${hostname}:${port}`}},
        ca: ready.authority ?? '',
      }).end();
      const [response] = await once(answer, 'response');
      expect(response.socket.authorized).toBe(true);
      await text(response);
    }
  },
);

test('idp-down resets connections, which is no orderly end', async () => {
  const {authUrl} = (await runningSandbox({faults: ['idp-down']})).ready;
  const {host, port} = new URL(authUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const ended = once(socket, 'end');
  socket.write(`GET /health/readiness HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect(ended).rejects.toMatchObject({code: 'ECONNRESET', syscall: 'read'});
});

test('only a certificate that would help is offered for trust', async () => {
  const offered = async (...faults: FaultName[]) => 'authority' in (await runningSandbox({faults})).ready;
  expect(await offered('self-signed')).toBe(true);
  expect(await offered('expired-certificate')).toBe(false);
  expect(await offered('expired-certificate', 'self-signed')).toBe(false);
  expect(await offered()).toBe(false);
});

test('a certificate is refused for hosts that it is not for', async () => {
  const start = startSandbox({...options, baseDomain: 'elsewhere.localhost', faults: ['self-signed']});
  const error = await start.catch(reason => reason);
  expect(error).toBeInstanceOf(SandboxInputError);
  expect(error.message).toMatch(/^The certificate of this fault is not for api\.elsewhere\.localhost, but for /);
});

test('the ready line names each fault once, and in one order', async () => {
  const {ready} = await runningSandbox({faults: ['mcp-401', 'idp-down', 'mcp-401']});
  expect(ready.faults).toEqual(['idp-down', 'mcp-401']);
});

test('port-taken gives the port back at the end', async () => {
  const {port} = new URL((await runningSandbox({faults: ['observer-missing']})).ready.observerUrl);
  const redirectUri = `http://127.0.0.1:${port}/auth-callback`;
  const sandbox = await startSandbox({...options, redirectUri, faults: ['port-taken']});
  expect(await isRefused(Number(port))).toBe(false);
  await sandbox.close();
  expect(await isRefused(Number(port))).toBe(true);
});

test('port-taken says when another program was there before', async () => {
  const port = await heldPort();
  const redirectUri = `http://127.0.0.1:${port}/auth-callback`;
  const start = startSandbox({...options, redirectUri, faults: ['port-taken']});
  await expect(start).rejects.toMatchObject({code: 'EADDRINUSE', port});
});

test.each(['https://localhost:3000/', 'http://console.example/', 'com.example:/callback'])(
  'port-taken needs a port of this machine, which %s has not',
  async redirectUri => {
    const error = await startSandbox({...options, redirectUri, faults: ['port-taken']}).catch(reason => reason);
    expect(error).toBeInstanceOf(SandboxInputError);
    expect(error.message).toBe(`The sandbox cannot hold the port of ${redirectUri}: it is not a port of this machine.`);
  },
);
