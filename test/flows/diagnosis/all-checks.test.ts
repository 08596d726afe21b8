import {describe, expect, test} from 'vitest';
import {checksOf} from '../../../src/flows/diagnosis/all-checks.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import {contextAt} from '../../support/context.ts';

const [controlPlaneUrl, observerUrl, authUrl] = ['api', 'observer', 'idp'].map(
  name => `https://${name}.acme.example`,
) as [string, string, string];
const issuer = authUrl;
const context = {...contextAt(issuer), controlPlaneUrl, observerUrl, resources: {observability: `${observerUrl}/mcp`}};
const subject: Subject = {platform: bundled, context, controlPlaneUrl, observerUrl, authUrl, issuer};

test('each check names whom it asks, and only who asks somebody', () => {
  const asked = checksOf(subject).map(check => [check.id, check.address?.(subject)]);
  expect(Object.fromEntries(asked.filter(([, address]) => address !== undefined))).toEqual({
    'name-control-plane': controlPlaneUrl,
    'tcp-control-plane': controlPlaneUrl,
    'tls-control-plane': controlPlaneUrl,
    'name-identity-provider': authUrl,
    'tcp-identity-provider': authUrl,
    'tls-identity-provider': authUrl,
    'name-observer': observerUrl,
    'tcp-observer': observerUrl,
    'tls-observer': observerUrl,
    'health-control-plane': controlPlaneUrl,
    'health-observer': observerUrl,
    versions: controlPlaneUrl,
    resource: controlPlaneUrl,
    discovery: authUrl,
    'redirect-url': authUrl,
    'sign-in': authUrl,
    token: authUrl,
    'token-observability': authUrl,
    'signing-key': authUrl,
    access: controlPlaneUrl,
    'challenge-control-plane': `${controlPlaneUrl}/mcp`,
    'mcp-control-plane': `${controlPlaneUrl}/mcp`,
    'challenge-observability': `${observerUrl}/mcp`,
    'mcp-observability': `${observerUrl}/mcp`,
  });
});

test('each check rests on others that there are, and all but two on the saved deployment in the end', () => {
  const entry = {
    assistant: 'cursor',
    scope: 'user',
    project: '/',
    method: 'bridge',
    path: '/mcp.json',
    names: [],
  } as const;
  const checks = checksOf({...subject, platform: openchoreo, context: {...context, entries: [entry, entry]}});
  const ids = checks.map(({id}) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(checks.flatMap(({needs}) => needs.filter(one => !ids.includes(one)))).toEqual([]);
  const reaches = (id: string): boolean =>
    id === 'config' || (checks.find(one => one.id === id)?.needs ?? []).some(reaches);
  expect(ids.filter(id => !reaches(id))).toEqual(['node', 'own-cli']);
});

describe('the checks of a deployment', () => {
  const {context: _context, ...without} = subject;
  const {resources: _, ...plain} = context;
  const idsOf = (about: Subject) => checksOf(about).map(({id}) => id);
  const entry = {assistant: 'cursor', scope: 'user', project: '/', method: 'bridge', path: '/m', names: []} as const;

  test('are more with an observer, and with a token that it has for itself', () => {
    const {observerUrl: _observer, ...least} = without;
    const [known, observed, own] = [least, without, subject].map(about => idsOf(about));
    const network = ['name-observer', 'tcp-observer', 'tls-observer', 'health-observer'];
    const mcp = ['challenge-observability', 'mcp-observability'];
    expect(known).not.toContain('own-cli');
    expect(observed?.filter(id => !known?.includes(id))).toEqual([...network, ...mcp]);
    expect(own?.filter(id => !observed?.includes(id))).toEqual(['token-observability']);
  });

  test('are more with a CLI of the platform’s own, and with entries', () => {
    const more = idsOf({...subject, platform: openchoreo, context: {...context, entries: [entry]}});
    expect(more.filter(id => !idsOf(subject).includes(id))).toEqual(['own-cli', 'assistant-cursor-user']);
  });

  test('ask each MCP server on the ground of its own service, with the token that it takes', () => {
    const needsOf = (about: Subject) =>
      Object.fromEntries(checksOf(about).flatMap(({id, needs}) => (id.startsWith('mcp-') ? [[id, needs]] : [])));
    const own = needsOf(subject);
    expect(own['mcp-control-plane']).toContain('token');
    expect(own['mcp-observability']).toContain('token-observability');
    const shared = needsOf({...subject, context: plain});
    expect(shared['mcp-observability']).toContain('token');
    const grounds = checksOf(subject).filter(({id}) => id.startsWith('challenge-'));
    expect(grounds.map(({id, needs}) => [id, needs.filter(one => one.startsWith('health-'))])).toEqual([
      ['challenge-control-plane', ['health-control-plane']],
      ['challenge-observability', ['health-observer']],
    ]);
  });
});
