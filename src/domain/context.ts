import type {Layout, PlatformChanges} from '../platform/platform.ts';
import type {SaidRequest, SignInMethod} from './token-request.ts';
import type {ToolLimit} from './tool-sets.ts';
import type {WrittenEntries} from './written-entry.ts';

/** Whether an entry belongs to the person, in every project, or to one project. */
export type Scope = 'user' | 'project';

/**
 * How an entry stays signed in: a command that prints headers, a program in between, a token that expires, or a sign-in
 * of the assistant's own (OAuth).
 */
export type Method = 'helper' | 'bridge' | 'header' | 'oauth';

/** Whether an entry of this method starts this program. */
export const startsProgram = (method: Method): boolean => method === 'helper' || method === 'bridge';

/**
 * The parts of a file that `set` creates besides the entries, and their state before: enough for `remove` to restore
 * the same bytes. Holds layout only, never a value of the file; plain JSON, so that it can be kept.
 */
export type Scaffolding =
  | {readonly kind: 'nothing'}
  /**
   * There was a place for entries, but it was empty. `within` is the white space before its closing bracket; in YAML,
   * the text in place of the entries, such as `null`.
   */
  | {readonly kind: 'entries'; readonly within: string}
  /** There was no place for entries. `within` is the white space inside the root, if the root was empty. */
  | {readonly kind: 'map'; readonly within?: string}
  /** The file was blank, or did not exist. */
  | {readonly kind: 'contents'; readonly text: string};

/**
 * How this machine reaches a deployment, as kept with its context; no secrets. For whatever is absent, the environment
 * and this machine's own certificates apply.
 */
export type NetworkSettings = {
  /** `none` for no proxy at all, `environment` to read the variables at each start. */
  readonly proxy?: 'none' | 'environment' | KeptProxies;
  /**
   * Certificate authorities that are trusted for the deployment besides this machine's own: a file by its absolute
   * path, or PEM.
   */
  readonly authority?: {readonly file: string} | {readonly pem: string};
  /** The client certificate of this machine (mutual TLS): absolute paths of PEM files. */
  readonly clientCertificate?: {readonly certificate: string; readonly key: string};
  /** Host names that may be called over plain http. */
  readonly allowHttp?: readonly string[];
};

/**
 * Proxies by the scheme of the target address, without passwords; `except` lists the hosts that bypass them, in the
 * form of NO_PROXY.
 */
export type KeptProxies = {readonly http?: string; readonly https?: string; readonly except?: string};

/** Passwords of proxies. The key is the proxy as it is shown, without a password. */
export type ProxyPasswords = Readonly<Record<string, string>>;

/** One deployment that the person is connected to. No secrets. */
export type Context = {
  readonly name: string;
  /** The platform descriptor's id. */
  readonly platform: string;
  /** The changes that a company file makes to that descriptor. */
  readonly descriptor?: PlatformChanges;
  readonly baseDomain: string;
  /** The contact that a company file names: an address or a channel. */
  readonly contact?: string;
  readonly layout: Layout | 'unknown';
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** The kind of identity provider, by its ID in the catalogue. */
  readonly identityProvider?: string;
  readonly signIn: SignInMethod;
  readonly clientId: string;
  /** The account of the person who signed in. */
  readonly account?: string;
  /** The control plane's release if its paths revealed it, because its own version answer names none. */
  readonly release?: string;
  /** The scopes that a sign-in asks for. */
  readonly scopes?: readonly string[];
  /** The resource that a sign-in requests (RFC 8707); `none` if the identity provider refused the control plane's. */
  readonly resource?: string;
  /**
   * For a server that accepts only a token of its own: the resource of that token. The sign-in's token is the control
   * plane's.
   */
  readonly resources?: {readonly observability?: string};
  /** The person's wishes for token requests, if they differ from what the platform says. */
  readonly asks?: SaidRequest;
  /** True if the person continues with an identity provider that does not say that it supports PKCE. */
  readonly assumesPkce?: true;
  /** Set if the person signed in last by typing a code into a browser (RFC 8628). The next sign-in is the same. */
  readonly signInBy?: 'device';
  /** The redirect URI, if it is not the platform's own. */
  readonly redirectUri?: string;
  /** How this machine reaches the deployment, if the person said so or if it differs from the environment. */
  readonly network?: NetworkSettings;
  /** The files of assistants that hold an entry of this context. They are renewed with the sign-in. */
  readonly entries?: readonly ContextEntry[];
  /** The file of the platform's own CLI, if that CLI is signed in as well. It is renewed with the sign-in. */
  readonly cli?: ContextCli;
  /** The account of the assistants, if they do not act as the person. */
  readonly assistantsAccount?: AssistantsAccount;
  /** Set while the assistants may only look, whatever tools their entries have. */
  readonly onlyLook?: true;
  /** Set if the sign-in members are those of the assistants' account. Never saved: `assistantsAccount` is. */
  readonly actsAs?: 'assistants';
};

/** The deployment as entered in the file of the platform's own CLI. */
export type ContextCli = {
  readonly path: string;
  /** The name that the context, its control plane and its credentials share in that file. */
  readonly name: string;
  /** The lists that had no item of this name before. */
  readonly added: readonly ('controlplanes' | 'credentials' | 'contexts')[];
  /** True if the file did not exist before. */
  readonly created?: true;
  /** The directories that were created for the file, the innermost first. */
  readonly directories?: readonly string[];
  /** The name of the context that was the current one before. */
  readonly previous?: string;
  /** The control plane's release, if it says so. */
  readonly version?: string;
};

export type ContextEntry = {
  readonly assistant: string;
  readonly scope: Scope;
  /** The directory of the person's project, absolute. A project's file is in it. */
  readonly project: string;
  readonly method: Method;
  readonly path: string;
  /** The client ID with which the assistant signs in by itself, if it does. */
  readonly oauthClient?: string;
  /** The tools that the entry has, if not all. */
  readonly tools?: ToolLimit;
  /** The names of the entries in the file. */
  readonly names: readonly string[];
  /** Digests of what this program wrote of the entries. */
  readonly written?: WrittenEntries;
  /** The names of entries that replaced a foreign entry. The foreign entry comes back when they are removed. */
  readonly replaced?: readonly string[];
  /** The parts of the file that were created for the entries, and are removed with them. */
  readonly made?: Scaffolding;
  /** True if the file did not exist before the entries were written. */
  readonly created?: true;
  /** The directories that were created for the file, the innermost first. */
  readonly directories?: readonly string[];
  /** The line that keeps the file out of git, if this program wrote it. */
  readonly ignored?: IgnoreLine;
};

/** A line of an ignore file that this program wrote. */
export type IgnoreLine = {
  /** The ignore file, in the root of the repository. */
  readonly path: string;
  readonly pattern: string;
  /** Set if the ignore file itself, or the end of the line before, was created for this line. */
  readonly made?: 'file' | 'line-end';
};

/**
 * Whether an assistant that is connected in this way can be limited to the tools that read: only the bridge holds back
 * the others. `auto` chooses the bridge for an assistant that may only look.
 */
export const canOnlyLook = (method: Method | 'auto'): boolean => method === 'bridge' || method === 'auto';

/** Returns the tools to which an entry is limited in fact. */
export const toolLimitOf = ({method, tools}: Pick<ContextEntry, 'method' | 'tools'>): ToolLimit | undefined =>
  tools === 'look' && !canOnlyLook(method) ? undefined : tools;

/**
 * What an account of the assistants is for, which decides about its role: only to look, to build services, or to run
 * the platform.
 */
export type AccountPurpose = 'look' | 'build' | 'run';

/** The names of the objects that were created to grant a role. */
export type GrantedRole = {
  readonly roles: readonly string[];
  readonly bindings: readonly string[];
  /** The kube context in which kubectl created them; absent if the control plane did. */
  readonly kubeContext?: string;
};

/** The sign-in of a context's assistants: the members in which it differs from the person's own. No secrets. */
export type AssistantsAccount = Pick<Context, 'signIn' | 'clientId' | 'scopes' | 'resource' | 'resources' | 'asks'> & {
  /** What it is for, if the person said so. */
  readonly purpose?: AccountPurpose;
  /** The objects that give it its role and that this program created. They are deleted when the account is given up. */
  readonly granted?: GrantedRole;
};

/**
 * Returns a context as its assistants see it: the same deployment with their own sign-in. Undefined if they have none,
 * and so act as the person.
 */
export const asAssistants = (context: Context): Context | undefined =>
  context.assistantsAccount === undefined ? undefined : withAccount(context, context.assistantsAccount);

/** Returns the context whose sign-in the assistants use: with their own account if they have one, else as it is. */
export const contextForAssistants = (context: Context): Context => asAssistants(context) ?? context;

/** Whether a sign-in is that of a client with a secret, which this program may have the only copy of. */
export const hasClientSecret = ({signIn}: Pick<Context, 'signIn'>): boolean => signIn !== 'browser';

/** Returns the flags that name a context and its sign-in, for a command that is about them. */
export const contextFlags = ({name, actsAs}: Pick<Context, 'name' | 'actsAs'>): readonly string[] => [
  ...['--context', name],
  ...(actsAs === undefined ? [] : ['--as', actsAs]),
];

/**
 * Returns a context as its assistants see it with this account: the same deployment, with the account's sign-in instead
 * of the person's.
 */
export const withAccount = (context: Context, account: AssistantsAccount): Context => {
  const {
    account: _,
    scopes: __,
    resource: ___,
    resources: ____,
    asks: _____,
    signInBy: ______,
    ...deployment
  } = context;
  return {...deployment, ...account, assistantsAccount: account, actsAs: 'assistants'};
};

/** Returns the part of a context that is saved as its assistants' account. */
export const accountIn = ({
  signIn,
  clientId,
  scopes,
  resource,
  resources,
  asks,
  assistantsAccount: {purpose, granted} = {signIn, clientId},
}: Context): AssistantsAccount => ({
  signIn,
  clientId,
  ...(purpose === undefined ? {} : {purpose}),
  ...(granted ? {granted} : {}),
  ...(scopes ? {scopes} : {}),
  ...(resource === undefined ? {} : {resource}),
  ...(resources ? {resources} : {}),
  ...(asks ? {asks} : {}),
});

/** What a context may be called, in words. */
export const CONTEXT_NAMES = 'letters, digits, dot, dash and underscore, 63 at most';

/** Whether a context can have this name: it is also part of the names of its entries in assistants. */
export const isContextName = (name: string): boolean => /^\w[\w.-]{0,62}$/.test(name);

/** Returns the default name of a context: the first label of its base domain. */
export const contextNameOf = (baseDomain: string): string => baseDomain.split('.')[0] || baseDomain;

/** The saved deployments that the person is connected to. No secrets. */
export type Config = {
  readonly version: 1;
  readonly currentContext?: string;
  readonly contexts: readonly Context[];
};

/**
 * Returns the context to use if none is named: the current one, or the first if none was made current or that one is
 * gone. Undefined if nothing is saved.
 */
export const currentContextIn = ({contexts, currentContext}: Config): Context | undefined =>
  contexts.find(({name}) => name === currentContext) ?? contexts[0];

/** Returns the context of that name, or the current one if no name is given. Undefined if there is no such context. */
export const findContext = (config: Config, name?: string): Context | undefined =>
  name === undefined ? currentContextIn(config) : config.contexts.find(one => one.name === name);

/**
 * Returns a context as it is saved now, with the same sign-in: the person's, or that of the assistants' account.
 * Undefined if it is gone.
 */
export const sameContextIn = (
  config: Config,
  {name, actsAs}: Pick<Context, 'name' | 'actsAs'>,
): Context | undefined => {
  const found = findContext(config, name);
  return found && actsAs === 'assistants' ? asAssistants(found) : found;
};

/** Where a base domain was found. */
export type Source = 'given' | 'saved-context' | 'helm-release' | 'gateway-route' | 'local-address';

/** A deployment whose services answered. URLs have no trailing slash. */
export type Deployment = {
  /** The ID of its kind of platform. */
  readonly platform: string;
  /** The changes that a company file makes to that kind. */
  readonly descriptor?: PlatformChanges;
  readonly baseDomain: string;
  readonly layout: Layout | 'unknown';
  /** A sentence that says how the layout is known. */
  readonly evidence: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** The kind of identity provider, by its ID in the catalogue; absent if it has not been determined. */
  readonly identityProvider?: string;
  /** The usual name of that kind, if it is not the one that comes with the platform. */
  readonly identityProviderName?: string;
  /** The control plane's release, if the control plane or its paths reveal it. */
  readonly version?: string;
  /** True if only the paths reveal the release, because the control plane's own version answer names none. */
  readonly versionByPaths?: true;
  /** True if the identity provider is known not to let an administrator create clients as documented. */
  readonly withoutRecipe?: true;
  /** True if a person can sign in with a code on another machine; absent if that has not been determined. */
  readonly device?: boolean;
};

/** Returns the deployment of a saved context. */
export const deploymentIn = ({
  platform,
  descriptor,
  baseDomain,
  layout,
  controlPlaneUrl,
  observerUrl,
  authUrl,
  issuer,
  identityProvider,
  release,
}: Context): Deployment => ({
  platform,
  ...(descriptor ? {descriptor} : {}),
  baseDomain,
  layout,
  evidence: 'As saved.',
  controlPlaneUrl,
  ...(observerUrl ? {observerUrl} : {}),
  authUrl,
  issuer,
  ...(identityProvider === undefined ? {} : {identityProvider}),
  ...(release === undefined ? {} : {version: release, versionByPaths: true}),
});

/** One of several deployments that were found. */
export type DeploymentChoice = {
  readonly source: Source;
  /** The usual name of the kind of platform. */
  readonly name: string;
  /** Identifies this deployment wherever a base domain is asked for. */
  readonly controlPlaneUrl: string;
};

/** The result of a search. If several deployments were found and none was specified, the person has to choose. */
export type FoundDeployment = {readonly deployment: Deployment} | {readonly choices: readonly DeploymentChoice[]};
