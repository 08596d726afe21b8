import {flagsAsTyped} from '../assistants/formats/command-line.ts';
import {parseAddress, withoutSlash} from '../domain/address.ts';
import {type Config, type Context, currentContextIn, findContext} from '../domain/context.ts';
import type {Credentials} from '../domain/credentials.ts';
import {type Secret, secretFrom} from '../domain/secret.ts';
import {type SuggestedCommand, setup} from '../errors/remedy.ts';
import {type BaseDomain, parseBaseDomain} from '../platform/addresses.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import type {Ports} from '../ports/ports.ts';
import {kindsOf} from '../state/derived/wizard-deployment.ts';
import type {Answers, Settings} from '../state/model.ts';
import type {Invocation} from './command.ts';
import type {FlagName, FlagValues} from './flags.ts';
import {issuerIn} from './wizard/token-flags.ts';

/** The flags that say where the platform is. With one of these, a run is about that platform, not the saved one. */
const whereabouts: readonly FlagName[] = [
  'base-domain',
  'control-plane-url',
  'observer-url',
  'auth-url',
  'issuer',
  'layout',
  'platform',
];

/** Returns the addresses that were typed, by their flags, for commands that have to be about the same platform. */
export const typedAddresses = ({flags, typed}: Pick<Invocation, 'flags' | 'typed'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    whereabouts.flatMap(name => {
      const value = flags[name];
      return typed.has(name) && typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );

/** Returns the command that signs in to the platform whose addresses were typed; none if none were typed. */
export const signInCommandFor = (
  invocation: Pick<Invocation, 'flags' | 'typed'>,
): {readonly signInCommand?: SuggestedCommand} => {
  const flags = flagsAsTyped(typedAddresses(invocation));
  return flags === '' ? {} : {signInCommand: setup('login', flags)};
};

export type Saved = {
  readonly contexts: readonly Context[];
  /** The name of the current context. */
  readonly current?: string;
  readonly context?: Context;
  /** The secret of the context's client, if it has one. */
  readonly clientSecret?: Secret;
  /** True if the identity provider has refused that client the last time. */
  readonly isRefused?: true;
};

/** Whether flags name the platform's servers, so that the run searches for it even if it is saved. */
export const isSearched = (flags: FlagValues): boolean =>
  whereabouts.some(name => name !== 'base-domain' && flags[name] !== undefined);

/**
 * Returns the saved context that flags are about: the named one, the one that their addresses lead to, or the current
 * one if they give no address. Addresses that differ from the saved ones replace these one by one.
 *
 * @throws SetupError `input-invalid` naming the flag
 */
export const savedContext = (flags: FlagValues, config: Config): Context | undefined => {
  const context = contextMeant(flags, config);
  return context && overruled(context, flags);
};

const contextMeant = (flags: FlagValues, config: Config): Context | undefined => {
  const {'base-domain': baseDomain, 'control-plane-url': controlPlaneUrl} = flags;
  // A name identifies a context better than an address, unless the two disagree.
  if (flags.context !== undefined) {
    const named = findContext(config, flags.context);
    return baseDomain === undefined || (named && isAt(named, baseDomain)) ? named : undefined;
  }
  const current = currentContextIn(config);
  if (whereabouts.every(name => flags[name] === undefined)) return current;
  const all = current ? [current, ...config.contexts.filter(one => one !== current)] : config.contexts;
  const found = all.filter(one => isLedTo(one, flags));
  return found.find(one => isSame(controlPlaneUrl, one.controlPlaneUrl)) ?? found[0];
};

/** Whether flags lead to a context: by its base domain, else by its control plane, else by another of its addresses. */
const isLedTo = (context: Context, flags: FlagValues): boolean => {
  const {'base-domain': baseDomain, 'control-plane-url': controlPlaneUrl} = flags;
  if (baseDomain !== undefined) return isAt(context, baseDomain);
  if (controlPlaneUrl !== undefined) return isSame(controlPlaneUrl, context.controlPlaneUrl);
  const {observerUrl, authUrl, issuer} = context;
  return isSame(flags['observer-url'], observerUrl) || isSame(flags['auth-url'], authUrl) || flags.issuer === issuer;
};

/** Whether a text is a context's base domain, with or without a scheme and a port, or one of its addresses. */
const isAt = (context: Context, text: string): boolean => {
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = context;
  if (text === baseDomain) return true;
  const own = [controlPlaneUrl, observerUrl, authUrl].flatMap(one => (one === undefined ? [] : [new URL(one).origin]));
  if (URL.canParse(text.trim()) && own.includes(new URL(text.trim()).origin)) return true;
  const parsed = baseDomainIn(text, context);
  if (parsed?.name !== baseDomain || parsed.observerUrl !== undefined) return false;
  const {protocol, port} = new URL(controlPlaneUrl);
  const isScheme = parsed.scheme === undefined || `${parsed.scheme}:` === protocol;
  return isScheme && (parsed.port === undefined || String(parsed.port) === (port || standardPorts[protocol]));
};

const standardPorts: Readonly<Record<string, string>> = {'http:': '80', 'https:': '443'};

/** A text that is not a base domain matches no context; the search reports what is wrong with it. */
const baseDomainIn = (text: string, context: Context): BaseDomain | undefined => {
  try {
    return parseBaseDomain(text, [platformOfDeployment(context)]);
  } catch {
    return undefined;
  }
};

/** Whether a typed address is this one. */
const isSame = (typed: string | undefined, url: string | undefined): boolean =>
  typed !== undefined &&
  url !== undefined &&
  URL.canParse(typed.trim()) &&
  withoutSlash(new URL(typed.trim()).href) === withoutSlash(new URL(url).href);

/** Returns a context with the addresses from flags in place of its own. */
const overruled = (context: Context, flags: FlagValues): Context => {
  const {observerUrl: _, ...others} = context;
  const {'control-plane-url': controlPlane, 'observer-url': observer, 'auth-url': auth} = flags;
  const other = (name: AddressFlag, url: string | undefined) => {
    const typed = flags[name];
    return typed === undefined || isSame(typed, url) ? undefined : parseAddress(typed, `--${name}`);
  };
  const controlPlaneUrl = controlPlane && other('control-plane-url', context.controlPlaneUrl);
  const observerUrl = observer === 'none' ? undefined : other('observer-url', context.observerUrl);
  const authUrl = auth && other('auth-url', context.authUrl);
  const issuer = issuerIn(flags) ?? authUrl;
  const isOther = controlPlaneUrl ?? observerUrl ?? authUrl ?? (issuer !== undefined && issuer !== context.issuer);
  const loses = observer === 'none' && context.observerUrl !== undefined;
  if (!isOther && !loses) return context;
  return {
    ...(loses ? others : context),
    ...(controlPlaneUrl ? {controlPlaneUrl} : {}),
    ...(observerUrl ? {observerUrl} : {}),
    ...(authUrl ? {authUrl} : {}),
    ...(issuer ? {issuer} : {}),
  };
};

type AddressFlag = 'control-plane-url' | 'observer-url' | 'auth-url';

/**
 * Returns the saved contexts and the one that the run is about, with its client's secret: the named one, the one that
 * addresses lead to, or the current one if no flag says where the platform is.
 *
 * @param as returns the context with the sign-in that the run is about
 * @throws SetupError `local-config-invalid`, so that a broken file is reported before anything is done
 */
export const readSaved = async (
  flags: FlagValues,
  {config, credentials}: Ports,
  as: (context: Context) => Context = same => same,
): Promise<Saved> => {
  const read = await config.read();
  const {contexts} = read;
  const found = savedContext(flags, read);
  const context = found && as(found);
  const current = currentContextIn(read)?.name;
  const known = {contexts, ...(current === undefined ? {} : {current})};
  if (!context) return known;
  const stored = await storedClient(context, credentials);
  const clientSecret = secretFrom(stored?.clientSecret);
  const refusal = stored?.refused ? {isRefused: true as const} : {};
  return {...known, context, ...(clientSecret ? {clientSecret, ...refusal} : {})};
};

/** Returns the secret of a context's client; undefined also if it cannot be read, because the sign-in reports why. */
export const storedClientSecret = async (
  context: Context,
  credentials: Ports['credentials'],
): Promise<Secret | undefined> => secretFrom((await storedClient(context, credentials))?.clientSecret);

const storedClient = async (context: Context, credentials: Ports['credentials']): Promise<Credentials | undefined> =>
  context.signIn === 'browser' ? undefined : credentials.get(context).catch(() => undefined);

/** Returns the settings with what is saved, so that a sign-in that worked before works again without typing. */
export const withSaved = (
  settings: Settings,
  {contexts, context, current, clientSecret: savedSecret, isRefused}: Saved,
): Settings => {
  const known = {...settings, contexts, ...(current === undefined ? {} : {currentContext: current})};
  if (!context) return known;
  const {descriptor} = context;
  const kinds = descriptor ? {kinds: [platformOfDeployment(context), ...kindsOf(settings)]} : {};
  const {signIn: way, clientId, issuer} = context;
  const clientSecret = way === 'browser' ? undefined : (settings.clientSecret ?? savedSecret);
  const preset = clientSecret ? {preset: {clientId, clientSecret, clientEntered: true as const}} : {};
  const last = {...preset, ...(savedSecret ? {savedSecret} : {}), ...(isRefused ? {isRefused} : {})};
  return {...known, ...kinds, lastSignIn: {issuer, way, ...last}};
};

/**
 * Adds the saved settings of a person's sign-in (redirect URI, PKCE, token requests), for a run that asks no questions.
 * Flags take precedence.
 */
export const withTerms = (settings: Settings, context: Context | undefined): Settings => {
  const {redirectUri, assumesPkce, asks} = context ?? {};
  return {
    ...settings,
    ...(settings.redirectUri === undefined && redirectUri ? {redirectUri} : {}),
    ...(settings.assumesPkce === undefined && assumesPkce ? {assumesPkce} : {}),
    ...(asks ? {asks: {...asks, ...settings.asks}} : {}),
  };
};

/** Returns the answers that sign in again in the same way as before. Flags take precedence. */
export const answersOf = (context: Context, fromFlags: Answers, savedSecret: Secret | undefined): Answers => {
  const signIn = fromFlags.signIn ?? context.signIn;
  // A client of the assistants that is created again keeps its name.
  const isSame = signIn === context.signIn || (signIn === 'create-mcp-client' && context.actsAs === 'assistants');
  const same: Pick<Answers, 'clientId' | 'clientFor'> = isSame ? {clientId: context.clientId, clientFor: signIn} : {};
  const isByClient = signIn === 'service-account' || signIn === 'mcp-client';
  // The saved secret belongs to the saved client only.
  const clientId = fromFlags.clientId ?? same.clientId;
  const own = clientId === context.clientId ? savedSecret : undefined;
  const clientSecret = isByClient ? (fromFlags.clientSecret ?? own) : undefined;
  const client = clientSecret ? {clientSecret, clientEntered: true as const} : {};
  return {deploymentAccepted: true, ...same, ...fromFlags, signIn, ...client};
};
