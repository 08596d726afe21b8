import type {Roles} from '../authorization/roles.ts';
import type {IdentityRelease} from './identity-release.ts';

/** The REST API of the control plane. */
export type ApiRules = {
  /**
   * Lists below a project in two flavours; lists of a namespace with pages; or these for who asks with `X-Use-OpenAPI`,
   * and the older flavour of the former for everybody else.
   */
  readonly shape: 'by-project' | 'by-header' | 'by-namespace';
  /** Kinds of objects of the whole cluster that it lists, by the last part of their paths: newer releases know more. */
  readonly clusterKinds: readonly string[];
  /** Whether a path with two slashes in a row leads to the one without (Go's `path.Clean`). */
  readonly cleansPaths: boolean;
};

/** The MCP servers. */
export type McpRules = {
  /** Names and arguments of the control plane's tools. */
  readonly tools: 'by-uid' | 'by-name';
  /** Whether a client can ask for some sets of them by `?toolsets=`. */
  readonly toolSets: boolean;
  /** What a `Host` that is nobody's gets at `/mcp`: it is refused, or not looked at. */
  readonly foreignHost: 'misdirected' | 'served' | 'forbidden';
  /** What a stream is refused with that belongs to no session. */
  readonly noSession: {readonly status: number; readonly text: string};
};

/** Protected resource metadata (RFC 9728 2) and the challenge that leads there. */
export type ResourceMetadataRules = {
  /** Whether it names the clients of people. */
  readonly clients: boolean;
  /** The scopes to ask for, in the challenge too. */
  readonly scopes: readonly string[];
  /** The path of its own where the control plane tells clients, asked for with `X-Use-OpenAPI`. */
  readonly cliDiscovery?: string;
};

/** Whether roles count. */
export type AuthorizationRules = {
  /** What somebody is told by the REST API who may not see one object. */
  readonly forbidden: string;
  /** Whether tools that somebody may not call are left out of the list, and refused by the protocol. */
  readonly hidesTools: boolean;
  readonly roles: Roles;
  /** Which groups of people an installation comes with: one of engineers, or one for each of the things that people do. */
  readonly groups: 'engineers' | 'by-task';
};

/** Everything in which a release differs from another, as data: handlers read it and know no release by its name. */
export type Release = {
  /** What `/version` says. */
  readonly version: {readonly version: string; readonly gitRevision: string; readonly buildTime: string};
  readonly identity: IdentityRelease;
  readonly api: ApiRules;
  /** Undefined where everybody with a token may do everything. */
  readonly authorization?: AuthorizationRules;
  readonly mcp: McpRules;
  readonly resourceMetadata: ResourceMetadataRules;
  /** Whether the charts tell the observer its own address: never, where there are several clusters, or always. */
  readonly observerAddress: 'untold' | 'told-to-clusters' | 'told';
  /** Whether they tell it whom to trust: where there are several clusters, or always. */
  readonly observerAuthority: 'told-to-clusters' | 'told';
};
