import {expect, test} from 'vitest';
import type {Deployment} from '../../src/domain/context.ts';
import {addressIn, entriesOf, serversOf} from '../../src/domain/mcp-servers.ts';
import {bundled} from '../../src/platform/platforms.ts';

const deployment: Deployment = {
  platform: 'bundled',
  baseDomain: 'acme.example',
  layout: 'single',
  evidence: '',
  controlPlaneUrl: 'https://api.acme.example/base/',
  authUrl: 'https://idp.acme.example',
  issuer: 'https://idp.acme.example',
};
const observerUrl = 'https://observer.acme.example';

test('a deployment has the control plane’s server, and the observer’s where there is one', () => {
  const controlPlane = {server: 'control-plane', url: 'https://api.acme.example/base/mcp'};
  expect(serversOf(deployment, bundled)).toEqual([controlPlane]);
  const observability = {server: 'observability', url: `${observerUrl}/mcp`};
  expect(serversOf({...deployment, observerUrl}, bundled)).toEqual([controlPlane, observability]);
});

test('its entries are labelled by the context and by what the platform calls each server', () => {
  const labels = entriesOf('acme', {...deployment, observerUrl}, bundled, undefined).map(({label}) => label);
  const {controlPlane, observability} = bundled.mcpServers;
  expect(labels).toEqual([`acme-${controlPlane}`, `acme-${observability}`]);
});

test('of both servers the control plane’s has the sets of tools', () => {
  const sets = {build: ['component'], run: ['pe']};
  const entries = entriesOf('acme', {...deployment, observerUrl}, bundled, sets);
  expect(entries.map(({toolSets}) => toolSets)).toEqual([sets, undefined]);
  expect(entries.map(entry => addressIn(entry, 'run'))).toEqual([
    'https://api.acme.example/base/mcp?toolsets=pe',
    `${observerUrl}/mcp`,
  ]);
  expect(entries.map(entry => addressIn(entry))).toEqual(entries.map(({url}) => url));
});
