import {onTestFinished} from 'vitest';
import type {Deployment} from '../../src/domain/context.ts';
import type {Layout} from '../../src/platform/platform.ts';
import {type Sandbox, type SandboxOptions, type SandboxReady, startSandbox} from '../../src/sandbox/sandbox.ts';
import {asUnderTest, giveRoles} from './release.ts';

/** Starts a sandbox platform on free ports, stopped when the test ends. */
export const runningPlatform = async (layout: Layout, options: Partial<SandboxOptions> = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox(asUnderTest({layout, baseDomain: 'acme.localhost', port: 0, ...options}));
  giveRoles(sandbox, options);
  onTestFinished(() => sandbox.close());
  return sandbox;
};

/** Starts such a platform, and returns what is needed to use it. */
export const sandboxPlatform = async (
  layout: Layout = 'single',
  options: Partial<SandboxOptions> = {},
): Promise<SandboxReady> => (await runningPlatform(layout, options)).ready;

/** Returns the addresses of a sandbox as flags would give them. */
export const addressesOf = ({controlPlaneUrl, observerUrl, authUrl}: SandboxReady) => ({
  controlPlaneUrl,
  observerUrl,
  authUrl,
});

/** Returns the deployment that the search for this sandbox finds. */
export const deploymentOf = (ready: SandboxReady): Deployment => ({
  platform: 'bundled',
  baseDomain: ready.baseDomain,
  layout: ready.layout,
  evidence: '',
  ...addressesOf(ready),
  issuer: ready.authUrl,
});

/** Returns the sandbox's own client that signs in by this method. */
export const clientOf = ({clients}: SandboxReady, method: 'client_secret_basic' | 'client_secret_post') => {
  const client = clients.find(one => one.tokenEndpointAuthMethod === method);
  if (!client?.clientSecret) throw new Error(`The sandbox has no client with ${method}.`);
  return {clientId: client.clientId, secret: client.clientSecret};
};
