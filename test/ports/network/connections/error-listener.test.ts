import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {checkOpen, held} from '../../../../src/ports/network/connections/error-listener.ts';
import {openTunnel} from '../../../../src/ports/network/connections/http-tunnel.ts';
import {noSignal} from '../../../support/flows.ts';

test('a connection that broke off on its way from one part to the next tells the next why', async () => {
  const connection = held(new PassThrough());
  expect(() => checkOpen(connection)).not.toThrow();
  const reason = Object.assign(new Error('reset'), {code: 'ECONNRESET'});
  connection.destroy(reason);
  await new Promise(resolve => connection.once('close', resolve));
  expect(() => checkOpen(connection)).toThrow(reason);
  const proxy = {scheme: 'http', host: '127.0.0.1', port: 1} as const;
  await expect(openTunnel(connection, {host: 'a', port: 1}, proxy, 9_000, noSignal)).rejects.toBe(reason);
});

test('a connection that ended without a word counts as reset', () => {
  const connection = held(new PassThrough());
  connection.destroy();
  expect(() => checkOpen(connection)).toThrow(expect.objectContaining({code: 'ECONNRESET'}));
});
