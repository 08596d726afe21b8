import type {Layout, PlatformChanges} from '../platform/platform.ts';

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
