import type {OwnTokenServer} from '../../domain/sign-in/server-tokens.ts';
import type {Token} from '../../domain/sign-in/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {type CliClient, findCliClient} from '../deployment/entry.ts';
import type {Flow} from '../flow.ts';
import {reporting} from '../reporting.ts';
import {browserSignIn} from './browser-sign-in.ts';
import {deviceSignIn} from './device-sign-in.ts';

export type SignedInPerson = {readonly client: CliClient; readonly token: Token};

/** How a person signs in. */
type Way = {
  /** Through a browser on this machine, or by a code that is typed into one anywhere. */
  readonly by: 'browser' | 'paste' | 'device';
  readonly redirectUri: string;
  /** Whether to open a browser, or only to show the address. */
  readonly open: boolean;
};

/** The same, by which client and for what. */
export type PersonSignIn = Way & {readonly clientId: string; readonly scopes: readonly string[]};

type Input = Way & {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId?: string;
  /** Set where the identity provider refused the control plane's resource the last time. */
  readonly withoutResource?: boolean;
};

/**
 * Signs a person in with the CLI's own public client, which the control plane tells (platform access 5.4). The token is
 * asked for the resource that the control plane is (RFC 8707); where the identity provider does not know that, without.
 */
export const signInPerson: Flow<Input, SignedInPerson> = async function* (input, ports, signal) {
  const {issuer, by, open, redirectUri} = input;
  const {resource, ...client} = yield* reporting({ports, signal}, async run => {
    const {tell} = run;
    const found = await findCliClient(input, run);
    tell({type: 'cli-client-found', clientId: found.clientId, scopes: found.scopes});
    return found;
  });
  const signIn = (wanted: {readonly resource?: string}) =>
    signInBy({issuer, ...client, by, open, redirectUri, ...wanted}, ports, signal);
  if (resource === undefined) return {client, token: yield* signIn({})};
  if (input.withoutResource) return {client: {...client, resource: 'none'}, token: yield* signIn({})};
  try {
    return {client: {...client, resource}, token: yield* signIn({resource})};
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-resource-refused') throw error;
    yield {
      type: 'warning',
      message: `${error.message} Signing in without it: the token is not bound to the control plane.`,
    };
    return {client: {...client, resource: 'none'}, token: yield* signIn({})};
  }
};

type Request = PersonSignIn & {
  readonly issuer: string;
  readonly resource?: string;
  readonly server?: OwnTokenServer;
};

/** One sign-in of a person, in the way that they have chosen. */
export const signInBy: Flow<Request, Token> = ({by, ...request}, ports, signal) =>
  by === 'device'
    ? deviceSignIn(request, ports, signal)
    : browserSignIn({...request, listen: by === 'browser'}, ports, signal);
