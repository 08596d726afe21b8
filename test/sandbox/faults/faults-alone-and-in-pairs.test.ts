import {expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {type SandboxOptions, startSandbox} from '../../../src/sandbox/sandbox.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {healthy, type Shown, shows} from './shows.ts';
import {surveyOf} from './survey.ts';

const surveyed = async (faults: readonly FaultName[], options: Partial<SandboxOptions> = {}) => {
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const sandbox = await startSandbox({
    ...{layout: 'single', baseDomain: 'platform.localhost', port: 0, redirectUri, faults},
    ...options,
  });
  try {
    return await surveyOf(sandbox.ready, redirectUri);
  } finally {
    await sandbox.close();
  }
};

test('without a fault all is well', async () => {
  expect(await surveyed([])).toEqual(healthy);
});

test.each(Object.keys(shows) as Shown[])('%s is seen, and changes nothing else', async fault => {
  expect(await surveyed([fault])).toEqual({...healthy, ...shows[fault]});
});

test.each(rowsOfTable(Object.keys(shows) as Shown[]))('%s is seen in a release with roles too', async fault => {
  const release = '1.2';
  const now = {...healthy, version: '1.2.3', pkce: ['S256']};
  expect(await surveyed([fault], {release})).toEqual({...now, ...shows[fault]});
});

test.each<readonly [Shown, Shown]>([
  ['wrong-issuer', 'no-pkce'],
  ['unknown-client', 'port-taken'],
  ['no-refresh', 'mcp-403'],
  ['observer-missing', 'control-plane-503'],
  ['clock-ahead', 'wrong-audience'],
  ['self-signed', 'clock-ahead'],
  ['self-signed', 'observer-missing'],
  ['self-signed', 'idp-down'],
  ['refresh-refused', 'old-control-plane'],
  ['mcp-401', 'missing-redirect'],
])('%s and %s are seen together', async (...pair) => {
  const both = {...healthy, ...shows[pair[0]], ...shows[pair[1]]};
  expect(await surveyed(pair)).toEqual(both);
});

// Two faults in the same place: the one nearer to the client hides the other, in either order.
test.each<readonly [seen: Shown, hidden: Shown]>([
  ['idp-down', 'idp-html'],
  ['idp-down', 'unknown-client'],
  ['expired-certificate', 'self-signed'],
  ['unknown-client', 'missing-redirect'],
  ['control-plane-503', 'old-control-plane'],
  ['mcp-401', 'mcp-403'],
])('%s hides %s', async (seen, hidden) => {
  const [one, other] = await Promise.all([surveyed([seen, hidden]), surveyed([hidden, seen])]);
  expect(one).toEqual({...healthy, ...shows[seen]});
  expect(other).toEqual(one);
});
