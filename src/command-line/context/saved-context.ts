import {type Config, currentContextIn, findContext} from '../../domain/config.ts';
import type {Context} from '../../domain/context.ts';
import {type Secret, secretFrom} from '../../domain/secret.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import {kindsOf} from '../../state/derived/deployment-of.ts';
import type {Answers, Settings, SignIn} from '../../state/model.ts';
import type {FlagName, FlagValues} from '../flags.ts';

/** Flags that say where the platform is: with one of these a run is about that, and not about what is saved. */
const whereabouts: readonly FlagName[] = [
  'base-domain',
  'control-plane-url',
  'observer-url',
  'auth-url',
  'issuer',
  'layout',
  'platform',
];

export type Saved = {
  readonly contexts: readonly Context[];
  readonly context?: Context;
  /** Of the context's client, where it has one. */
  readonly clientSecret?: Secret;
};

/** Whether flags say where the platform's servers are, so that it is looked for anew, whatever is saved of it. */
export const isSearched = (flags: FlagValues): boolean =>
  whereabouts.some(name => name !== 'base-domain' && flags[name] !== undefined);

/** The saved context that flags are about: the named one, the one of the given base domain, or the current one. */
export const savedContext = (flags: FlagValues, config: Config): Context | undefined => {
  const wanted = flags['base-domain'];
  // A name says more than where it is, unless the two disagree.
  if (flags.context !== undefined) {
    const named = findContext(config, flags.context);
    return wanted === undefined || named?.baseDomain === wanted ? named : undefined;
  }
  const isElsewhere = whereabouts.some(name => flags[name] !== undefined);
  return isElsewhere ? config.contexts.find(({baseDomain}) => baseDomain === wanted) : currentContextIn(config);
};

/**
 * What is saved, and the context of it that a run is about, with its client secret: the named one, the one of the given
 * base domain, or the current one when no flag says where else to go.
 *
 * @throws SetupError `local-config-invalid`, so that a broken file is known before anything is done
 */
export const readSaved = async (flags: FlagValues, {config, credentials}: Ports): Promise<Saved> => {
  const read = await config.read();
  const {contexts} = read;
  const context = savedContext(flags, read);
  if (!context) return {contexts};
  const clientSecret = await keptSecret(context, credentials);
  return {contexts, context, ...(clientSecret ? {clientSecret} : {})};
};

/** The secret that a context's client signed in with. One that cannot be read is asked for: signing in says what is wrong. */
export const keptSecret = async (context: Context, credentials: Ports['credentials']): Promise<Secret | undefined> => {
  if (context.signIn === 'browser') return undefined;
  const kept = await credentials.get(context).catch(() => undefined);
  return secretFrom(kept?.clientSecret);
};

/** Settings that know what is saved: a sign-in that worked before needs no typing to work again. */
export const withSaved = (settings: Settings, {contexts, context, clientSecret: kept}: Saved): Settings => {
  const taken = contexts.map(({name, baseDomain}) => ({name, baseDomain}));
  if (!context) return {...settings, taken};
  const {descriptor} = context;
  const kinds = descriptor ? {kinds: [platformOfDeployment(context), ...kindsOf(settings)]} : {};
  const {signIn, clientId} = context;
  const clientSecret = signIn === 'browser' ? undefined : (settings.clientSecret ?? kept);
  const preset = clientSecret ? {[signIn]: {clientId, clientSecret, clientEntered: true}} : {};
  const suggested: SignIn = settings.suggested ?? signIn;
  const from = clientSecret && settings.secretFrom === undefined ? {secretFrom: 'the last sign-in'} : {};
  return {...settings, ...kinds, ...from, taken, presets: {...preset, ...settings.presets}, suggested};
};

/** The answers that sign in again the way it was done before; what flags say comes first. */
export const answersOf = (context: Context, given: Answers, kept: Secret | undefined): Answers => {
  const signIn = given.signIn ?? context.signIn;
  const same = signIn === context.signIn ? {clientId: context.clientId} : {};
  const isByClient = signIn === 'service-account' || signIn === 'mcp-client';
  const clientSecret = isByClient ? (given.clientSecret ?? kept) : undefined;
  const client = clientSecret ? {clientSecret, clientEntered: true as const} : {};
  return {deploymentAccepted: true, ...same, ...given, signIn, ...client};
};
