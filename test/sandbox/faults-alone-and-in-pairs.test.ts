import {expect, test} from 'vitest';
import type {FaultName} from '../../src/sandbox/faults.ts';
import {type SandboxOptions, startSandbox} from '../../src/sandbox/sandbox.ts';
import {reservedPort} from '../e2e/support/ports.ts';
import {type Survey, surveyOf} from './survey.ts';

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

const answers = 'text/event-stream';
const healthy: Survey = {
  controlPlane: '200 text/plain',
  observer: '200 application/json',
  identityProvider: '200 application/json',
  trust: 'http',
  version: '0.14.0',
  issuer: 'its own',
  pkce: ['S256'],
  authorization: 'granted',
  token: 'JWT',
  audience: 'the platform',
  lifetime: 3600,
  issued: [0, 0],
  refreshed: '200',
  administration: '200 application/json',
  resources: '200 application/json',
  mcpUnsigned: '401 application/json MISSING_TOKEN Bearer resource_metadata="…"',
  mcpSigned: `200 ${answers}`,
  observerMcpSigned: `200 ${answers}`,
  callbackPort: 'free',
  clocks: [0],
};

/** What nobody can find out while the identity provider gives no tokens. */
const noTokens = {
  ...{token: undefined, audience: undefined, lifetime: undefined, issued: undefined, refreshed: undefined},
} as const;

const noProvider = {
  ...noTokens,
  ...{issuer: undefined, pkce: undefined, administration: undefined},
  ...{resources: undefined, mcpSigned: undefined, observerMcpSigned: undefined},
} as const;

const challenge = 'Bearer resource_metadata="…"';
const refusedMcp = (error: string) => ({
  mcpSigned: `401 application/json ${error} ${challenge}`,
  observerMcpSigned: `401 application/json ${error} ${challenge}`,
});

/** How each fault shows, and nowhere else does it. That of `slow-idp` takes its time, and has a test of its own. */
const shows: Readonly<Record<Exclude<FaultName, 'slow-idp'>, Partial<Survey>>> = {
  'idp-down': {...noProvider, identityProvider: 'ECONNRESET', authorization: 'ECONNRESET'},
  'control-plane-503': {
    controlPlane: '503 text/plain',
    version: undefined,
    resources: '503 text/plain',
    mcpUnsigned: '503 text/plain',
    mcpSigned: '503 text/plain',
  },
  'observer-missing': {observer: 'ECONNREFUSED', observerMcpSigned: 'ECONNREFUSED'},
  'expired-certificate': {trust: 'CERT_HAS_EXPIRED'},
  'self-signed': {trust: 'DEPTH_ZERO_SELF_SIGNED_CERT'},
  'clock-ahead': {clocks: [-90], issued: [-90, -90]},
  'idp-html': {...noProvider, identityProvider: '200 text/html', authorization: '200 text/html; charset=utf-8'},
  'wrong-issuer': {issuer: 'http://identity-provider.internal:8090'},
  'no-pkce': {pkce: ['plain']},
  'unknown-client': {...noTokens, authorization: 'Invalid client_id'},
  'missing-redirect': {...noTokens, authorization: 'Invalid redirect URI'},
  'no-refresh': {refreshed: undefined},
  'refresh-refused': {refreshed: '400 invalid_grant', lifetime: 35},
  'opaque-tokens': {
    ...{token: 'string', audience: undefined, lifetime: undefined, issued: undefined},
    resources: '401 application/json INVALID_TOKEN',
    ...refusedMcp('INVALID_TOKEN'),
  },
  'wrong-audience': {
    audience: 'https://api.other.example/mcp',
    resources: '401 application/json INVALID_CLAIMS',
    ...refusedMcp('INVALID_CLAIMS'),
  },
  'old-control-plane': {version: '0.12.3'},
  'mcp-html': {mcpUnsigned: '200 text/html', mcpSigned: '200 text/html', observerMcpSigned: '200 text/html'},
  'mcp-401': refusedMcp('INVALID_TOKEN'),
  'mcp-403': {
    mcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope"',
    observerMcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope"',
  },
  'port-taken': {callbackPort: 'held'},
};

type Shown = keyof typeof shows;

test('without a fault all is well', async () => {
  expect(await surveyed([])).toEqual(healthy);
});

test.each(Object.keys(shows) as Shown[])('%s is seen, and changes nothing else', async fault => {
  expect(await surveyed([fault])).toEqual({...healthy, ...shows[fault]});
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

// Two that would show in the same place: the one nearer to the client hides the other, whichever was named first.
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
