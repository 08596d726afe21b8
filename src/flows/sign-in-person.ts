import type {Platform} from '../platform/platform.ts';
import {browserSignIn} from './browser-sign-in.ts';
import {type CliClient, findCliClient} from './deployment/find-cli-client.ts';
import {deviceSignIn} from './device-sign-in.ts';
import type {Flow} from './flow.ts';
import {reporting} from './reporting.ts';
import type {TokenFacts} from './token-set.ts';

export type SignedInPerson = {readonly client: CliClient; readonly token: TokenFacts};

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId?: string;
  /** Through a browser on this machine, or by a code that is typed into one anywhere. */
  readonly by: 'browser' | 'paste' | 'device';
  readonly redirectUri: string;
  /** Whether to open a browser, or only to show the address. */
  readonly open: boolean;
};

/** Signs a person in with the CLI's own public client, which the control plane tells (platform access 5.4). */
export const signInPerson: Flow<Input, SignedInPerson> = async function* (input, ports, signal) {
  const {issuer, by, open, redirectUri} = input;
  const client = yield* reporting(signal, async (tell, signal) => {
    const found = await findCliClient(input, ports, signal, tell);
    tell({type: 'cli-client-found', clientId: found.clientId, scopes: found.scopes});
    return found;
  });
  const request = {issuer, ...client};
  const token =
    by === 'device'
      ? yield* deviceSignIn(request, ports, signal)
      : yield* browserSignIn({...request, open, redirectUri, listen: by === 'browser'}, ports, signal);
  return {client, token};
};
