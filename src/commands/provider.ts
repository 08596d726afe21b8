import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {describeOutcome, endWithFirst, exitCodeOf} from '../command-line/output/describe-outcome.ts';
import {nearest} from '../command-line/parse-flags.ts';
import {platformNamed} from '../command-line/platform-flag.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readSecrets} from '../command-line/read-secrets.ts';
import {savedContext} from '../command-line/saved-context.ts';
import {asksIn, issuerIn} from '../command-line/wizard/token-flags.ts';
import {addressOf} from '../domain/address.ts';
import type {Context} from '../domain/context.ts';
import {summaryOf} from '../domain/finding.ts';
import {addressIn} from '../domain/mcp-servers.ts';
import {type WantedToken, wantedOf, wantedWith} from '../domain/token-request.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {checkProvider} from '../flows/check-provider.ts';
import {quietRun} from '../flows/flow.ts';
import {savedEntriesOf} from '../flows/saved-entries.ts';
import {allProviders, findProvider} from '../identity-providers/catalogue.ts';
import {guideText} from '../identity-providers/guide.ts';
import type {IdentityProvider} from '../identity-providers/identity-provider.ts';
import type {Platform} from '../platform/platform.ts';
import {bundled, platformOfDeployment} from '../platform/platforms.ts';
import {externalClientRequirements, externalClientValues} from '../platform/role-binding.ts';
import type {Ports} from '../ports/ports.ts';
import {SETUP} from '../setup-command.ts';
import {guideFor, withOffline} from '../state/derived/client-guide.ts';

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
 * @param typedIssuer the issuer from the arguments
 * @throws SetupError `input-invalid` naming the flag
 */
export const providerSubject = async (
  invocation: Invocation,
  base: Ports,
  typedIssuer?: string,
): Promise<ProviderSubject> => {
  const {flags, typed} = invocation;
  const context = savedContext(flags, await base.config.read());
  const ports = await portsTo(context, invocation, base);
  const named = await platformNamed(invocation, ports);
  const platform = named ?? (context ? platformOfDeployment(context) : bundled);
  const issuer = issuerIn({...flags, ...(typedIssuer === undefined ? {} : {issuer: typedIssuer})}) ?? context?.issuer;
  const isOwn = context?.signIn === 'browser' && context.issuer === issuer;
  // The environment's client ID is a service account's, and so is an ID that comes with a secret.
  const isService = flags['client-secret-stdin'] ?? typed.has('client-secret');
  const typedClientId = typed.has('client-id') && !isService ? flags['client-id'] : undefined;
  const found =
    isOwn && context ? wantedOf(context) : {scopes: platform.cliClient.scopes, ...audienceOf(context, platform)};
  return {
    ports,
    platform,
    ...(context ? {context} : {}),
    ...(issuer === undefined ? {} : {issuer}),
    clientId: typedClientId ?? (isOwn ? context?.clientId : undefined) ?? platform.cliClient.clientId,
    redirectUri: flags['redirect-uri'] ?? context?.redirectUri ?? platform.callbackUrl,
    wanted: wantedWith(asksIn(flags).asks, found),
  };
};

/** Returns the resource for which tokens are requested, the control plane's MCP address; empty without a context. */
const audienceOf = (context: Context | undefined, {paths}: Platform) =>
  context ? {resource: addressOf(context.controlPlaneUrl, paths.mcp).href} : {};

/** Identifies the kind of identity provider at an issuer. */
export const kindAt = async (issuer: string, ports: Ports, signal: AbortSignal): Promise<IdentityProvider> =>
  (await import('../flows/check-provider.ts')).identifyProvider({issuer}, quietRun(ports, signal));

/**
 * `setup provider check`: tests what the platform needs from an identity provider, as far as that works without a
 * person. The exit code is that of the first failure's family.
 */
export const runProviderCheck: CommandHandler = async (invocation): Promise<number> => {
  const {flags, args, env, terminal, signal} = invocation;
  const subject = await providerSubject(invocation, portsOf(invocation), args[0]);
  const {ports, issuer, clientId, redirectUri, wanted} = subject;
  if (issuer === undefined) {
    throw new SetupError('input-required', 'No identity provider was named.', {
      remedy: phrase`Name its issuer: ${setup('provider check', 'https://idp.example.com')}.`,
    });
  }
  const {clientSecret: secret} = await readSecrets(invocation);
  const serviceId = flags['client-id'];
  const service = secret && serviceId !== undefined ? {service: {clientId: serviceId, secret}} : {};
  const outcomes = await checkProvider({issuer, clientId, redirectUri, wanted, ...service}, quietRun(ports, signal));
  const line = (text: string) => terminal.stdout.write(`${text}\n`);
  for (const outcome of outcomes) {
    if (flags.json) terminal.stdout.writeJson({type: 'check', ...outcome});
    else line(describeOutcome(outcome, env, {isWhole: true}));
  }
  const summary = summaryOf(outcomes);
  if (flags.json) terminal.stdout.writeJson({type: 'done', summary});
  else line(`\n${summary}`);
  if (flags.json) endWithFirst(outcomes, flags.strict);
  return exitCodeOf(outcomes, flags.strict);
};

/** `setup provider guide`: prints what to click and type at an identity provider, with this deployment's values. */
export const runProviderGuide: CommandHandler = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const [name] = args;
  const {ports, ...subject} = await providerSubject(invocation, portsOf(invocation));
  const provider =
    name === undefined
      ? subject.issuer === undefined
        ? undefined
        : await kindAt(subject.issuer, ports, signal)
      : await providerNamed(name);
  if (!provider) {
    throw new SetupError('input-required', 'No identity provider was named.', {
      remedy: phrase`Choose one of ${names}: ${setup('provider guide', 'NAME')}. Or pass its issuer: --issuer URL.`,
    });
  }
  const guide = guideFor(provider, {...subject, assistants: allAssistants, servers: serversOfSubject(subject)});
  if (flags.json) terminal.stdout.writeJson({provider: provider.id, ...guide});
  else terminal.stdout.write(`${guideText(guide)}\n`);
};

/** Returns the servers’ addresses, including those of presets of their tools: a redirect URI may depend on them. */
const serversOfSubject = ({context, platform}: Pick<ProviderSubject, 'context' | 'platform'>): readonly string[] => {
  if (!context) return [];
  const choices = ['all' as const, ...(context.entries ?? []).flatMap(({tools}) => tools ?? [])];
  const entries = savedEntriesOf(context, platform);
  return [...new Set(entries.flatMap(entry => choices.map(choice => addressIn(entry, choice))))];
};

const names = allProviders.map(({id}) => id).join(', ');

const providerNamed = async (name: string): Promise<IdentityProvider> => {
  const found = findProvider(name);
  if (found) return found;
  const meant = await nearest(
    name.toLowerCase(),
    allProviders.map(({id}) => id),
  );
  throw new SetupError('input-invalid', `There is no guide for ${name}.`, {
    remedy: meant === undefined ? `Choose one of ${names}.` : `Did you mean ${meant}?`,
  });
};

/**
 * `setup values`: prints the control plane values that register a CLI client to standard output, and the requirements
 * for that client to standard error. The values include the scope for a refresh token, if the identity provider is
 * known to need one.
 */
export const runValues: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const {ports, platform, issuer, clientId, wanted} = await providerSubject(invocation, portsOf(invocation));
  const provider = issuer === undefined ? undefined : await kindAt(issuer, ports, signal);
  const client = {clientId, scopes: withOffline(wanted.scopes, provider?.refreshToken.scope)};
  if (flags.json) {
    terminal.stdout.writeJson({name: platform.cliClient.name, ...client});
    return;
  }
  if (!flags.quiet) {
    const audience = wanted.audience ?? (wanted.resource === 'none' ? undefined : wanted.resource);
    const needs = [
      ...externalClientRequirements(platform),
      ...(audience === undefined ? [] : [`access tokens for the audience ${audience}`]),
    ];
    const lines = needs.map(line => `  ${line}\n`).join('');
    const more = provider ? `${SETUP} provider guide ${provider.id} shows where.\n` : '';
    terminal.stderr.write(`At your identity provider, ${clientId} needs:\n${lines}${more}\n`);
  }
  terminal.stdout.write(externalClientValues(platform, client));
};
