import {addressOf} from '../../domain/address.ts';
import type {Context} from '../../domain/context.ts';
import {type WantedToken, wantedOf, wantedWith} from '../../domain/token-request.ts';
import {quietRun} from '../../flows/quiet-run.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';
import type {Platform} from '../../platform/platform.ts';
import {bundled, platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Invocation} from '../command.ts';
import {platformNamed} from '../company/platform-flag.ts';
import {savedContext} from '../context/saved-context.ts';
import {portsTo} from '../network-flags.ts';
import {asksIn, issuerIn} from '../wizard/token-flags.ts';

/** The subject of a command about an identity provider, from its flags and from what is saved. */
export type ProviderSubject = {
  /** The ports with the platform's network settings. */
  readonly ports: Ports;
  readonly platform: Platform;
  readonly context?: Context;
  /** Absent if neither names one. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly wanted: WantedToken;
};

/**
 * @param said the issuer from the arguments
 * @throws SetupError `input-invalid` naming the flag
 */
export const providerSubject = async (invocation: Invocation, base: Ports, said?: string): Promise<ProviderSubject> => {
  const {flags, typed} = invocation;
  const context = savedContext(flags, await base.config.read());
  const ports = await portsTo(context, invocation, base);
  const named = await platformNamed(invocation, ports);
  const platform = named ?? (context ? platformOfDeployment(context) : bundled);
  const issuer = issuerIn({...flags, ...(said === undefined ? {} : {issuer: said})}) ?? context?.issuer;
  const isOwn = context?.signIn === 'browser' && context.issuer === issuer;
  // The environment's client ID is a service account's, and so is an ID that comes with a secret.
  const isService = flags['client-secret-stdin'] ?? typed.has('client-secret');
  const given = typed.has('client-id') && !isService ? flags['client-id'] : undefined;
  const found =
    isOwn && context ? wantedOf(context) : {scopes: platform.cliClient.scopes, ...audienceOf(context, platform)};
  return {
    ports,
    platform,
    ...(context ? {context} : {}),
    ...(issuer === undefined ? {} : {issuer}),
    clientId: given ?? (isOwn ? context?.clientId : undefined) ?? platform.cliClient.clientId,
    redirectUri: flags['redirect-uri'] ?? context?.redirectUri ?? platform.callbackUrl,
    wanted: wantedWith(asksIn(flags).asks, found),
  };
};

/** Returns the control plane's own identifier, which its tokens are for. */
const audienceOf = (context: Context | undefined, {paths}: Platform) =>
  context ? {resource: addressOf(context.controlPlaneUrl, paths.mcp).href} : {};

/** Identifies the kind of identity provider at an issuer. */
export const kindAt = async (issuer: string, ports: Ports, signal: AbortSignal): Promise<IdentityProvider> =>
  (await import('../../flows/check-provider.ts')).identifyProvider({issuer}, quietRun(ports, signal));
