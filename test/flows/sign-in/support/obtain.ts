import {Secret} from '../../../../src/domain/secret.ts';
import type {ClientMethod} from '../../../../src/domain/token-request.ts';
import {obtainToken} from '../../../../src/flows/sign-in/client-credentials.ts';
import {createClient} from '../../../../src/flows/sign-in/create-client.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import type {SandboxReady} from '../../../../src/sandbox/sandbox.ts';
import {collect} from '../../../support/flows.ts';
import {temporaryPorts} from '../../../support/place.ts';

export const obtain = async (issuer: string, clientId: string, secret: string, method: ClientMethod) => {
  const ports = await temporaryPorts();
  const request = {issuer, clientId, method, secret: new Secret(secret)};
  const {result, events} = await collect(obtainToken, request, ports);
  return {result, events, token: result.access.reveal()};
};

type Overrides = {
  readonly clientId?: string;
  readonly username?: string;
  readonly password?: string;
  readonly applicationId?: string;
  readonly existing?: 'refuse' | 'reset-secret';
};

/** Creates an MCP client as an administrator of a sandbox. */
export const createWith = (
  ready: SandboxReady,
  ports: Awaited<ReturnType<typeof temporaryPorts>>,
  overrides: Overrides = {},
) => {
  const {
    username = ready.admin.username,
    password = ready.admin.password,
    clientId = 'mcp_client',
    existing = 'refuse',
  } = overrides;
  const application = overrides.applicationId ? {applicationId: overrides.applicationId} : {};
  const input = {
    platform: bundled,
    authUrl: ready.authUrl,
    issuer: ready.authUrl,
    username,
    password: new Secret(password),
    clientId,
    existing,
    ...application,
  };
  return collect(createClient, input, ports);
};
