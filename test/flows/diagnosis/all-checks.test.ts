import {expect, test} from 'vitest';
import {checksOf} from '../../../src/flows/diagnosis/all-checks.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {openchoreo} from '../../../src/platform/openchoreo.ts';
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
