import type {FaultName} from '../../../src/sandbox/faults.ts';
import type {Survey} from './survey.ts';

const answers = 'text/event-stream';
/** The findings of a client when nothing is wrong. */
export const healthy: Survey = {
  controlPlane: '200 text/plain',
  observer: '200 application/json',
  identityProvider: '200 application/json',
  trust: 'http',
  version: '0.14.0',
  issuer: 'its own',
  pkce: ['S256', 'plain'],
  authorization: 'granted',
  token: 'JWT',
  audience: 'platform-cli',
  lifetime: 3600,
  issued: [0, 0],
  refreshed: '200',
  administration: '200 application/json',
  resources: '200 application/json',
  mcpUnsigned: '401 application/json MISSING_TOKEN Bearer resource_metadata="…"',
  mcpSigned: `200 ${answers}`,
  observerMcpSigned: `200 ${answers}`,
  mcpSession: '200 200 200 200 200',
  toolCall: `200 ${answers}`,
  callbackPort: 'free',
  clocks: [0],
};

/** Findings that are missing while the identity provider issues no tokens. */
const noTokens = {
  ...{token: undefined, audience: undefined, lifetime: undefined, issued: undefined, refreshed: undefined},
} as const;

/** Findings that are missing while the MCP servers refuse the client. */
const noConversation = {mcpSession: undefined, toolCall: undefined} as const;

/** Findings that are also missing while the token endpoint answers no client. */
const noTokenEndpoint = {
  ...noTokens,
  ...noConversation,
  ...{resources: undefined, mcpSigned: undefined, observerMcpSigned: undefined},
} as const;

const noProvider = {
  ...noTokenEndpoint,
  ...{issuer: undefined, pkce: undefined, administration: undefined},
} as const;

const challenge = 'Bearer resource_metadata="…"';
const refusedMcp = (error: string) => ({
  ...noConversation,
  mcpSigned: `401 application/json ${error} ${challenge}`,
  observerMcpSigned: `401 application/json ${error} ${challenge}`,
});

const mcpAnswers = (seen: string) => ({
  ...noConversation,
  ...{mcpUnsigned: seen, mcpSigned: seen, observerMcpSigned: seen},
});

/** The findings that each fault changes. `slow-idp` takes long, and has a test of its own. */
export const shows: Readonly<Record<Exclude<FaultName, 'slow-idp'>, Partial<Survey>>> = {
  'idp-down': {...noProvider, identityProvider: 'ECONNRESET', authorization: 'ECONNRESET'},
  'control-plane-503': {
    ...noConversation,
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
  'idp-busy': {...noTokenEndpoint, authorization: '429 application/json temporarily_unavailable'},
  'lost-answer': {...noTokenEndpoint, authorization: 'ECONNRESET'},
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
  'mcp-busy': mcpAnswers('503 text/plain'),
  'mcp-forgets': {mcpSession: '200 200 200 404 404'},
  'mcp-breaks-off': {toolCall: 'ECONNRESET'},
  'mcp-html': mcpAnswers('200 text/html'),
  'mcp-401': refusedMcp('INVALID_TOKEN'),
  'mcp-403': {
    ...noConversation,
    mcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope"',
    observerMcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope"',
  },
  'missing-scope': {
    ...noConversation,
    mcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope", scope="platform:mcp"',
    observerMcpSigned: '403 application/json FORBIDDEN Bearer error="insufficient_scope", scope="platform:mcp"',
  },
  'port-taken': {callbackPort: 'held'},
};

export type Shown = keyof typeof shows;
