import type {Layout, PlatformChanges} from '../platform/platform.ts';
import type {SaidRequest, SignInMethod} from './token-request.ts';
import type {ToolPreset} from './tool-sets.ts';
import type {WrittenEntries} from './written-entry.ts';

/** Whether an entry is the person's, in every project, or one project's. */
export type Scope = 'user' | 'project';

/**
 * How an entry stays signed in: a command that prints headers, a program in between, a token that ends, or a sign-in of
 * the assistant's own (OAuth).
 */
export type Method = 'helper' | 'bridge' | 'header' | 'oauth';

/** Whether an entry of this method starts this program. */
export const startsProgram = (method: Method): boolean => method === 'helper' || method === 'bridge';

/**
 * What `set` has to create besides the entries, and what stood there before: enough for `remove` to give back the same
 * bytes. Holds layout only, never a value of the file's; plain JSON, so that it can be kept.
 */
export type Scaffolding =
  | {readonly kind: 'nothing'}
  /** There was a place for entries with none in it. `within` is the white space before its closing bracket. */
  | {readonly kind: 'entries'; readonly within: string}
  /** There was no place for entries. `within` belongs to the root, where that was empty. */
  | {readonly kind: 'map'; readonly within?: string}
  /** The file was blank, or there was none. */
  | {readonly kind: 'contents'; readonly text: string};

/**
 * How a deployment is reached, as it is kept with its context; no secrets. What is absent is left to the environment
 * and to this machine's own certificates.
 */
export type NetworkSettings = {
  /** `none` for no proxy at all, `environment` for what the variables say at each start. */
  readonly proxy?: 'none' | 'environment' | KeptProxies;
  /** Authorities that are trusted for it besides this machine's own: a file by its absolute path, or PEM. */
  readonly authority?: {readonly file: string} | {readonly pem: string};
  /** What this machine proves itself with (mutual TLS): absolute paths of PEM files. */
  readonly clientCertificate?: {readonly certificate: string; readonly key: string};
  /** Host names that may be called over plain http. */
  readonly allowHttp?: readonly string[];
};

/** Proxies by the scheme of the address they are for, without passwords, and what goes past them as NO_PROXY has it. */
export type KeptProxies = {readonly http?: string; readonly https?: string; readonly except?: string};

/** Passwords of proxies by the proxy as it is shown, without one. */
export type ProxyPasswords = Readonly<Record<string, string>>;

/** One deployment that the person is connected to. No secrets. */
export type Context = {
  readonly name: string;
  /** The platform descriptor's id. */
  readonly platform: string;
  /** What a company file has changed of that descriptor. */
  readonly descriptor?: PlatformChanges;
  readonly baseDomain: string;
  /** Whom a company file names to ask: an address or a channel. */
  readonly contact?: string;
  readonly layout: Layout | 'unknown';
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** Which kind of identity provider it is, by its ID in the catalogue. */
  readonly identityProvider?: string;
  readonly signIn: SignInMethod;
  readonly clientId: string;
  /** As whom a person has signed in. */
  readonly account?: string;
  /** The control plane's release where its paths told it: what it says of itself names none. */
  readonly release?: string;
  /** What a sign-in asks for. */
  readonly scopes?: readonly string[];
  /** The audience that is asked for (RFC 8707); `none` where the identity provider refused the one that there is. */
  readonly resource?: string;
  /** The server that takes only a token of its own, and the resource that it is asked for; the sign-in's is the control plane's. */
  readonly resources?: {readonly observability?: string};
  /** What the person has said that tokens are to be asked for, where it is not what the platform says. */
  readonly asks?: SaidRequest;
  /** Whether the person goes on with an identity provider that does not say that it supports PKCE. */
  readonly assumesPkce?: true;
  /** Where the browser is sent back to, if not to the platform's own redirect URL. */
  readonly redirectUri?: string;
  /** How it is reached, where that was said, or is not as the environment has it. */
  readonly network?: NetworkSettings;
  /** The files of assistants that hold an entry of this context, to be renewed with the sign-in. */
  readonly entries?: readonly ContextEntry[];
  /** The file of the platform's own CLI, where that is signed in as well, to be renewed with the sign-in. */
  readonly cli?: ContextCli;
};

/** What is known of the deployment that was entered in the file of the platform's own CLI. */
export type ContextCli = {
  readonly path: string;
  /** Of the context in it, of its control plane and of its credentials. */
  readonly name: string;
  /** The lists that had nothing of this name before. */
  readonly added: readonly ('controlplanes' | 'credentials' | 'contexts')[];
  /** Whether there was no such file before. */
  readonly created?: true;
  /** The context that was the current one before. */
  readonly previous?: string;
  /** The control plane's release, where it told. */
  readonly version?: string;
};

export type ContextEntry = {
  readonly assistant: string;
  readonly scope: Scope;
  /** The project that the person was in, absolute: where the file is, if it is a project's. */
  readonly project: string;
  readonly method: Method;
  readonly path: string;
  /** The client that the assistant signs in with by itself, where it does. */
  readonly oauthClient?: string;
  /** Which tools it has, where these are not all. */
  readonly tools?: ToolPreset;
  /** The names of the entries in it. */
  readonly names: readonly string[];
  /** What was written of them. */
  readonly written?: WrittenEntries;
  /** Those that took the place of an entry of somebody else's, which comes back when they go. */
  readonly replaced?: readonly string[];
  /** What was made for them, to be taken away with them. */
  readonly made?: Scaffolding;
  /** Whether there was no such file before them. */
  readonly created?: true;
  /** The directories that were made for the file, the innermost first. */
  readonly directories?: readonly string[];
  /** The line that keeps the file out of git, where this program wrote it. */
  readonly ignored?: IgnoreLine;
};

/** A line of an ignore file that this program wrote. */
export type IgnoreLine = {
  /** The ignore file, in the root of the repository. */
  readonly path: string;
  readonly pattern: string;
  /** What was made for the line besides: the file itself, or the end of the line before it. */
  readonly made?: 'file' | 'line-end';
};

/** A context is called like the first label of its base domain unless the person names it. */
export const contextNameOf = (baseDomain: string): string => baseDomain.split('.')[0] || baseDomain;

/** What is saved of the deployments that the person is connected to. No secrets. */
export type Config = {
  readonly version: 1;
  readonly currentContext?: string;
  readonly contexts: readonly Context[];
};

/**
 * The context that is worked with unless another is named: the one that was made current, or the first where none was, or
 * where that one is gone. Undefined where nothing is saved.
 */
export const currentContextIn = ({contexts, currentContext}: Config): Context | undefined =>
  contexts.find(({name}) => name === currentContext) ?? contexts[0];

/** The context of that name; the current one where none is named. Undefined where there is no such context. */
export const findContext = (config: Config, name?: string): Context | undefined =>
  name === undefined ? currentContextIn(config) : config.contexts.find(one => one.name === name);

/** Where the base domain may be found. */
export type Source = 'given' | 'saved-context' | 'helm-release' | 'gateway-route' | 'local-address';

/** A deployment whose services answered. URLs have no trailing slash. */
export type Deployment = {
  /** The id of its kind of platform. */
  readonly platform: string;
  /** What a company file has changed of that kind. */
  readonly descriptor?: PlatformChanges;
  readonly baseDomain: string;
  readonly layout: Layout | 'unknown';
  /** The sentence that says how the layout is known. */
  readonly evidence: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** Which kind of identity provider it is, by its ID in the catalogue; absent where nobody has looked. */
  readonly identityProvider?: string;
  /** What people call that kind, where it is one that does not come with the platform. */
  readonly identityProviderName?: string;
  /** The control plane's release, where it tells, or where its paths do. */
  readonly version?: string;
  /** Set where the release is told by its paths alone: what it says of itself names none. */
  readonly versionByPaths?: true;
  /** Set where the identity provider is known not to let an administrator create clients as the documentation has it. */
  readonly withoutRecipe?: true;
  /** Whether a person can sign in with a code on another machine; absent where nobody has looked. */
  readonly device?: boolean;
};

/** One of several platforms that it may be. */
export type DeploymentChoice = {
  readonly source: Source;
  /** What people call the kind of platform. */
  readonly name: string;
  /** Names this one, wherever a base domain is asked for. */
  readonly controlPlaneUrl: string;
};

/** What a search ends with. Where nobody said which, and there is more than one, it is for the person to say. */
export type FoundDeployment = {readonly deployment: Deployment} | {readonly choices: readonly DeploymentChoice[]};
