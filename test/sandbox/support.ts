import {createHash, randomBytes} from 'node:crypto';
import {type IncomingHttpHeaders, request as plainRequest} from 'node:http';
import {request as secureRequest} from 'node:https';
import {text} from 'node:stream/consumers';
import {Agent, fetch as undiciFetch} from 'undici';
import {afterAll} from 'vitest';
import {type Sandbox, type SandboxOptions, type SandboxReady, startSandbox} from '../../src/sandbox/sandbox.ts';

/** Starts a sandbox on free ports for one test file. Closed after its last test. */
export const runningSandbox = async (options: Partial<SandboxOptions> = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 0, ...options});
  afterAll(() => sandbox.close());
  return sandbox;
};

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON, loosely typed, because tests look into bodies of every shape. */
  // biome-ignore lint/suspicious/noExplicitAny: What a body holds is what the tests are about.
  readonly json: any;
};

export type Call = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sends `body` as JSON. */
  readonly json?: unknown;
  /** Sends `body` as a form. */
  readonly form?: Readonly<Record<string, string>> | URLSearchParams;
};

/**
 * Sends one request to a host of a sandbox. Connects to 127.0.0.1 for every host, follows no redirect, keeps no
 * cookie.
 */
export const send = async (
  url: string | URL,
  {headers = {}, body, json, form, ...call}: Call = {},
): Promise<Answer> => {
  const {protocol, host, hostname, port, pathname, search} = new URL(url);
  const content =
    json !== undefined
      ? {type: 'application/json', body: JSON.stringify(json)}
      : form !== undefined
        ? {type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString()}
        : {type: undefined, body};
  const method = call.method ?? (content.body === undefined ? 'GET' : 'POST');
  const request = protocol === 'https:' ? secureRequest : plainRequest;
  const outgoing = request({
    // Other tests cover how a client judges a certificate.
    ...{servername: hostname, rejectUnauthorized: false},
    host: '127.0.0.1',
    port,
    method,
    path: `${pathname}${search}`,
    agent: false,
    headers: {host, ...(content.type && {'content-type': content.type}), ...headers},
  });
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async response => {
      const received = await text(response);
      resolve({status: response.statusCode ?? 0, headers: response.headers, text: received, json: parsed(received)});
    });
    outgoing.end(content.body);
  });
};

const parsed = (received: string): unknown => {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
};

/** A fetch that finds every host on loopback, for clients with URLs of their own. */
export const loopbackFetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
  const response: unknown = await undiciFetch(url, {...(init as object), dispatcher: loopback});
  return response as Response;
};

const loopback = new Agent({
  connect: {lookup: (_, __, found) => found(null, [{address: '127.0.0.1', family: 4}])},
});

/** Gets an administrator's token: platform access 4.4, step 2. */
export const adminToken = async (ready: SandboxReady): Promise<string> => {
  const inputs = {...ready.admin, requested_permissions: 'system'};
  const body = {applicationId: ready.applicationId, flowType: 'AUTHENTICATION', inputs};
  return (await send(`${ready.authUrl}/flow/execute`, {json: body})).json.assertion;
};

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')}`;

/** Encodes as in RFC 6749 appendix B. */
const formEncoded = (part: string) => new URLSearchParams({part}).toString().slice('part='.length);

/** Returns a client of the sandbox by its ID. */
export const clientOf = (ready: SandboxReady, clientId: string) => {
  const client = ready.clients.find(known => known.clientId === clientId);
  if (!client) throw new Error(`The sandbox has no client ${clientId}`);
  return {...client, clientSecret: client.clientSecret ?? ''};
};

/** Gets an access token for the sandbox's own MCP client. */
export const serviceToken = async (ready: SandboxReady, parameters: Record<string, string> = {}): Promise<string> => {
  const {clientId, clientSecret} = clientOf(ready, 'sandbox_mcp_client');
  const answer = await send(`${ready.authUrl}/oauth2/token`, {
    headers: {authorization: basic(clientId, clientSecret)},
    form: {grant_type: 'client_credentials', ...parameters},
  });
  return answer.json.access_token;
};

export const bearer = (token: string) => ({authorization: `Bearer ${token}`});

/** Returns the body that creates an MCP client: platform access 2.1. */
export const applicationOf = (name: string, clientId: string, config: Record<string, unknown> = {}) => ({
  name,
  description: 'MCP client application',
  auth_flow_graph_id: 'auth_flow_config_basic',
  inbound_auth_config: [
    {
      type: 'oauth2',
      config: {
        client_id: clientId,
        client_secret: 'a-secret',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_basic',
        ...config,
      },
    },
  ],
});

/** Creates a PKCE pair (RFC 7636 4). */
export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return {verifier, challenge: createHash('sha256').update(verifier).digest('base64url')};
};

/** Returns the claims of a JWT, unchecked. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
