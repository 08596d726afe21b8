import {expect, test} from 'vitest';
import {ownClientId} from '../../../src/command-line/wizard/own-client-id.ts';

test.each([
  ['ann', 'build-3.acme.example', 'mcp_client_ann_build-3'],
  ['ACME\\Ann Müller', 'ANN-PC', 'mcp_client_acme-ann-m-ller_ann-pc'],
  ['', '', 'mcp_client'],
  ['x'.repeat(80), 'host', `mcp_client_${'x'.repeat(49)}`],
])('an MCP client of one’s own is called after the person and the machine: %s at %s', (user, machine, id) => {
  expect(ownClientId({}, user, machine)).toBe(id);
});

test('it is the same at each run', () => {
  expect(ownClientId({})).toBe(ownClientId({}));
});
