import {onTestFinished} from 'vitest';
import {type SandboxOptions, startSandbox} from '../../../src/sandbox/sandbox.ts';
import {asUnderTest, giveRoles} from '../../support/release.ts';
import {reservedPort} from './ports.ts';
import {flagsFor} from './sandbox.ts';

/** Starts a sandbox in this process for sign-ins through a browser, with a redirect URI of the test. */
export const startPlatform = async (options: Partial<SandboxOptions> = {}) => {
  const port = await reservedPort();
  const redirectUri = `http://127.0.0.1:${port}/auth-callback`;
  const addresses = {layout: 'single', baseDomain: 'platform.localhost', port: 0, redirectUri} as const;
  const sandbox = await startSandbox(asUnderTest({...addresses, ...options}));
  giveRoles(sandbox, options);
  const {ready, close, bind, define, raise, mend, renewKeys} = sandbox;
  let closing: Promise<void> | undefined;
  const end = () => {
    closing ??= close();
    return closing;
  };
  const flags = [...flagsFor(ready), '--redirect-uri', redirectUri];
  return {ready, redirectUri, port, flags, bind, define, raise, mend, renewKeys, end};
};

/** Starts the same for one test. */
export const platformForTest = async (options: Partial<SandboxOptions> = {}): Promise<Platform> => {
  const platform = await startPlatform(options);
  onTestFinished(platform.end);
  return platform;
};

export type Platform = Awaited<ReturnType<typeof startPlatform>>;
