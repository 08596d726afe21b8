import type {Layout, PlatformChanges} from '../platform/platform.ts';
import type {Method, Scaffolding, Scope} from './assistant-entry.ts';
import type {NetworkSettings} from './network-settings.ts';
import type {SignInMethod} from './sign-in/sign-in-method.ts';
import type {SaidRequest} from './sign-in/token-request.ts';
import type {ToolPreset} from './tool-sets.ts';
import type {WrittenEntries} from './written-entry.ts';

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
