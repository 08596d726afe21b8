import {join} from 'node:path';
import {expect} from 'vitest';
import {runSetup} from '../../e2e/support/run.ts';
import {temporaryDirectory} from '../../support/place.ts';

/** Exports a kit from a platform, and returns its directory. */
export const exported = async (flags: readonly string[]): Promise<string> => {
  const kit = join(await temporaryDirectory(), 'kit');
  expect(await runSetup(['org', 'export', kit, ...flags])).toMatchObject({code: 0});
  return kit;
};

/** A client's first message to a server that it has started. */
export const initialize = {
  ...{jsonrpc: '2.0', id: 1, method: 'initialize'},
  params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
};
