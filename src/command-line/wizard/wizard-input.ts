import {allAssistants} from '../../assistants/catalogue/all.ts';
import {documented, generic} from '../../assistants/catalogue/generic.ts';
import {parseAddress} from '../../domain/address.ts';
import {CONTEXT_NAMES, type Context, isContextName} from '../../domain/context.ts';
import {type About, SetupError} from '../../errors/errors.ts';
import type {GivenAddresses} from '../../platform/addresses.ts';
import type {CompanyDefaults} from '../../platform/company-file.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Answers, Settings, SignIn} from '../../state/model.ts';
import type {ActsAs} from '../../state/selection.ts';
import {requirePerson} from '../acting-as.ts';
import type {Invocation} from '../command.ts';
import {ownCommand} from '../find-own-command.ts';
import type {FlagValues} from '../flags.ts';
import {portsTo} from '../network-flags.ts';
import {oneOfIfGiven} from '../one-of.ts';
import {nearest} from '../parse-flags.ts';
import {platformSettings, whereaboutsIn} from '../platform-flag.ts';
import {readPlace} from '../read-place.ts';
import {type GivenSecrets, readSecrets} from '../read-secrets.ts';
import {savedContext, signInCommandFor} from '../saved-context.ts';
import {toolsIn} from '../tools-flag.ts';
import {ownClientId} from './own-client-id.ts';
import {asksIn, issuerIn, redirectUriIn} from './token-flags.ts';

export type WizardInput = {
  readonly settings: Settings;
  readonly answers: Answers;
  /** The ports with the network settings that were given, or saved with the context. */
  readonly ports: Ports;
};

/**
 * Reads the wizard's answers from flags, the environment and standard input.
 *
 * @param context the saved context of this run, if it is not the one that flags lead to
 * @throws SetupError `input-invalid` naming the flag, or if only a person may decide
 */
export const readWizardInput = async (invocation: Invocation, base: Ports, context?: Context): Promise<WizardInput> => {
  const {flags, env, typed} = invocation;
  const {from: secretFrom, ...secrets} = await readSecrets(invocation);
  const presets = presetsOf(flags, secrets);
  const signIn = signInIn(flags);
  const about = context ?? (await savedNow(flags, base));
  // The choice as whom assistants act can give them more rights.
  if (flags['assistants-as'] !== undefined && about?.assistantsAccount) await requirePerson(invocation);
  const ports = await portsTo(about, invocation, base);
  const {settings: network} = ports.route;
  const obstacle = ports.browser.obstacle();
  const suggested = signIns.find(one => presets[one]?.clientEntered || presets[one]?.adminEntered);

  const settings: Settings = {
    ...(await platformSettings(invocation, ports)),
    place: readPlace(env, flags.project),
    assistants: allAssistants,
    own: ownCommand(invocation),
    connect: connectionOf(flags),
    ...serversIn(flags),
    ...(flags['oauth-client-id'] ? {oauthClient: flags['oauth-client-id']} : {}),
    ...(flags.replace ? {replace: true} : {}),
    ...(flags['overwrite-read-only'] ? {overwriteReadOnly: true} : {}),
    ...inGitIn(flags),
    ...(shapeIn(flags) === 'documented' ? {isDocumentedShape: true} : {}),
    layout: oneOfIfGiven('layout', flags.layout, ['auto', 'single', 'multi']) ?? 'auto',
    presets,
    ownClientId: ownClientId(env),
    ...(Object.keys(network).length > 0 ? {network} : {}),
    openBrowser: !flags['no-browser'] && obstacle === undefined,
    ...(flags['no-browser'] ? {wantsAddress: true} : {}),
    ...(isUnseen(invocation) ? {isUnseen: true} : {}),
    ...(obstacle ? {obstacle} : {}),
    ...(suggested ? {suggested} : {}),
    ...(secretFrom ? {secretFrom} : {}),
    ...(secrets.clientSecret ? {clientSecret: secrets.clientSecret} : {}),
    ...signInCommandFor(invocation),
    ...(flags.context ? {contextName: contextName(flags.context)} : {}),
    ...asksIn(flags),
    ...(flags['assume-pkce'] ? {assumesPkce: true} : {}),
    ...(flags['redirect-uri'] ? {redirectUri: redirectUriIn(flags['redirect-uri'])} : {}),
  };
  const addresses = addressesOf(flags);
  const answers: Answers = {
    ...(flags['base-domain'] ? {baseDomain: flags['base-domain']} : {}),
    ...(Object.keys(addresses).length > 0 ? {addresses} : {}),
    // The environment's client ID is a service account's only.
    ...(typed.has('client-id') ? {clientId: flags['client-id'] ?? ''} : {}),
    ...(flags['admin-username'] ? {adminUsername: flags['admin-username']} : {}),
    ...(signIn ? {signIn, ...presets[signIn]} : {}),
    ...(codeFlagIn(flags) ? {signInBy: 'device'} : {}),
    ...applicationIn(flags),
    ...(flags['reset-secret'] ? {existingClient: 'reset-secret'} : {}),
    ...roleIn(flags),
    ...(flags['cli-config'] ? {ownCli: true} : {}),
    ...(await connectIn(flags, settings.companyFile?.company.defaults)),
  };
  return {settings, answers: whereaboutsIn(settings, answers), ports};
};

/** Whether no person would see an address. `--no-browser` means that a person opens it. */
const isUnseen = ({terminal, flags, env}: Invocation) =>
  (!terminal.interactive || Boolean(env.CI)) && !flags['no-browser'];

/**
 * Returns the saved context that flags are about, if any. A config that cannot be read is reported where its contents
 * are needed.
 */
const savedNow = async (flags: FlagValues, {config}: Ports): Promise<Context | undefined> => {
  const saved = await config.read().catch(() => undefined);
  return saved && savedContext(flags, saved);
};

/**
 * The ways to sign in. The first one whose credentials are given is suggested, so an ID with a secret suggests a
 * service account and not an MCP client.
 */
const signIns: readonly SignIn[] = ['service-account', 'mcp-client', 'create-mcp-client', 'browser'];

/**
 * Returns the way to sign in that flags name. A code that is typed into a browser signs a person in.
 *
 * @throws SetupError `input-invalid` if two flags name different ways
 */
const signInIn = (flags: FlagValues): SignIn | undefined => {
  const named = flags['client-credentials'] ? 'service-account' : oneOfIfGiven('sign-in', flags['sign-in'], signIns);
  const code = codeFlagIn(flags);
  if (code === undefined) return named;
  if (named === undefined || named === 'browser') return 'browser';
  const flag = flags['client-credentials'] ? 'client-credentials' : 'sign-in';
  const other = flag === 'sign-in' ? `--sign-in ${named}` : `--${flag}`;
  throw new SetupError('input-invalid', `--${code} signs in a person, but ${other} signs in a client.`, {
    remedy: `Pass one of them: --${code} for a person, ${other} for a client.`,
    about: {flag},
  });
};

/** Returns the flag that asks for a sign-in by a code, if there is one. */
const codeFlagIn = (flags: FlagValues) => (['device', 'no-wait', 'resume'] as const).find(name => flags[name]);

const presetsOf = (
  flags: FlagValues,
  {clientSecret, adminPassword}: Omit<GivenSecrets, 'from'>,
): Settings['presets'] => {
  const clientId = flags['client-id'];
  const adminUsername = flags['admin-username'];
  const entered = clientSecret ? {clientSecret, clientEntered: true as const} : {};
  const client = clientId ? {clientId, ...entered} : undefined;
  const admin =
    adminUsername && adminPassword ? ({adminUsername, adminPassword, adminEntered: true} as const) : undefined;
  return {
    ...(client ? {'service-account': client, 'mcp-client': client} : {}),
    ...(admin ? {'create-mcp-client': admin} : {}),
  };
};

/**
 * Returns the IDs of assistants by name or ID, as `--assistants` and `setup mcp connect` take them.
 *
 * @param source where they were named, for the message
 * @throws SetupError `input-invalid`
 */
export const assistantIds = async (
  names: readonly string[],
  source: string,
  about: About = {},
): Promise<readonly string[]> => {
  const known = allAssistants.map(({id}) => id);
  // Only the flag takes words that stand for several assistants.
  const words = about.flag === 'assistants' ? '; detected or none' : '';
  return Promise.all(
    names.map(async typed => {
      const name = typed.trim().toLowerCase();
      const found = allAssistants.find(
        one => one.id === name || one.name.toLowerCase() === name || one.command === name,
      );
      if (found) return found.id;
      const meant = await nearest(name, known);
      throw new SetupError('input-invalid', `${source} does not accept ${typed}.`, {
        remedy: meant ? `Did you mean ${meant}?` : `It takes ${known.join(', ')}${words}.`,
        about,
      });
    }),
  );
};

/** Returns as whom assistants are to act; undefined if no flag says so. @throws SetupError `input-invalid` */
export const actsAsIn = (flags: FlagValues): ActsAs | undefined =>
  oneOfIfGiven('assistants-as', flags['assistants-as'], ['you', 'look', 'build', 'run']);

const connectionOf = (flags: FlagValues) => {
  const named = oneOfIfGiven('scope', flags.scope, ['user', 'project', 'shared']);
  const scope = named === 'shared' ? ({scope: 'project', isShared: true} as const) : named ? {scope: named} : {};
  const method = oneOfIfGiven('method', flags.method, ['auto', 'helper', 'bridge', 'header', 'oauth']);
  const tools = toolsIn(flags);
  const actsAs = actsAsIn(flags);
  if (named === 'shared' && method === 'header') {
    throw new SetupError('input-usage', '--scope shared and --method header contradict each other.', {
      remedy: 'Anyone with this project could use the platform as you. Pass --method bridge, or --scope project.',
      about: {flag: 'method'},
    });
  }
  return {...scope, ...(method ? {method} : {}), ...(tools ? {tools} : {}), ...(actsAs ? {actsAs} : {})};
};

/** @throws SetupError `input-invalid` for a text that is not a UUID, as every Application ID is */
const applicationIn = ({'application-id': id}: FlagValues): Pick<Answers, 'applicationId'> => {
  if (!id) return {};
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id.trim())) return {applicationId: id.trim()};
  throw new SetupError('input-invalid', `--application-id takes a UUID, as the developer portal shows it; not ${id}.`, {
    about: {flag: 'application-id'},
  });
};

const shapeIn = (flags: FlagValues) => oneOfIfGiven('shape', flags.shape, ['common', 'documented']);

/**
 * Returns the assistants, with `generic` in the shape that was given.
 *
 * @throws SetupError `input-usage` for a shape of an assistant that has only one
 */
export const inShape = (ids: readonly string[], flags: FlagValues): readonly string[] => {
  if (shapeIn(flags) !== 'documented') return ids;
  if (!ids.includes(generic.id)) {
    throw new SetupError('input-usage', '--shape documented is for the file of any client. Add --assistants generic.', {
      about: {flag: 'shape'},
    });
  }
  return ids.map(id => (id === generic.id ? documented.id : id));
};

/** Returns the choice of `--assistants`, connected as other flags say, else as the named company file suggests. */
const connectIn = async (flags: FlagValues, defaults: CompanyDefaults = {}): Promise<Pick<Answers, 'connect'>> => {
  const {assistants: names} = flags;
  if (names === undefined) return {};
  const assistants =
    names === 'detected'
      ? names
      : names === 'none'
        ? []
        : await assistantIds(names.split(','), '--assistants', {flag: 'assistants'});
  const shaped = assistants === 'detected' ? assistants : inShape(assistants, flags);
  const {scope, method, tools, assistantsAs} = defaults;
  const preset = {
    ...(scope ? {scope} : {}),
    ...(method ? {method} : {}),
    ...(tools ? {tools} : {}),
    ...(assistantsAs ? {actsAs: assistantsAs} : {}),
    ...connectionOf(flags),
  };
  const usual = {scope: 'user', method: 'auto'} as const;
  // Connected assistants stay as they are unless a scope or a method was given.
  const keeping = preset.scope === undefined && preset.method === undefined ? ({keepsConnected: true} as const) : {};
  return {connect: {assistants: shaped, ...usual, ...keeping, ...preset}};
};

const servers = ['control-plane', 'observability'] as const;

const serversIn = ({servers: value}: FlagValues): Pick<Settings, 'servers'> => {
  if (value === undefined) return {};
  const names = value.split(',').map(name => name.trim());
  const unknown = names.find(name => !servers.some(server => server === name));
  if (unknown !== undefined)
    throw new SetupError('input-invalid', `--servers takes ${servers.join(' and ')}; not ${unknown}.`, {
      about: {flag: 'servers'},
    });
  return {servers: servers.filter(server => names.includes(server))};
};

/** An account cannot grant itself a role, so `grant` and `kubectl` apply only to the account of the assistants. */
const roleIn = (flags: FlagValues): Pick<Answers, 'role' | 'accountRole'> => {
  const accountRole = oneOfIfGiven('role', flags.role, ['wait', 'grant', 'kubectl', 'without']);
  if (accountRole === undefined) return {};
  return {accountRole, ...(accountRole === 'grant' || accountRole === 'kubectl' ? {} : {role: accountRole})};
};

const inGitIn = (flags: FlagValues): Pick<Settings, 'inGit'> => {
  const inGit = oneOfIfGiven('in-git', flags['in-git'], ['refuse', 'ignore', 'write']);
  return inGit ? {inGit} : {};
};

const addressesOf = (flags: FlagValues): GivenAddresses => {
  const observer = flags['observer-url'] === 'none' ? 'none' : addressIn(flags, 'observer-url');
  const controlPlane = addressIn(flags, 'control-plane-url');
  const issuer = issuerIn(flags);
  const auth = addressIn(flags, 'auth-url') ?? (issuer === undefined ? undefined : parseAddress(issuer, '--issuer'));
  return {
    ...(controlPlane ? {controlPlaneUrl: controlPlane} : {}),
    ...(observer ? {observerUrl: observer} : {}),
    ...(auth ? {authUrl: auth} : {}),
    ...(issuer ? {issuer} : {}),
  };
};

const addressIn = (flags: FlagValues, name: 'control-plane-url' | 'observer-url' | 'auth-url'): string | undefined => {
  const text = flags[name];
  return text === undefined ? undefined : parseAddress(text, `--${name}`);
};

const contextName = (name: string): string => {
  if (isContextName(name)) return name;
  throw new SetupError('input-invalid', `--context takes ${CONTEXT_NAMES}.`, {
    about: {flag: 'context'},
  });
};
