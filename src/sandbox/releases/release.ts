import type {IdentityRelease} from './identity-release.ts';

/** The REST API of the control plane. */
export type ApiRules = {
  /** Lists below a project in two flavours, or lists of a namespace with pages. */
  readonly shape: 'by-project' | 'by-namespace';
  /** Whether a path with two slashes in a row leads to the one without (Go's `path.Clean`). */
  readonly cleansPaths: boolean;
};

/** The MCP servers. */
export type McpRules = {
  /** Names and arguments of the control plane's tools. */
  readonly tools: 'by-uid' | 'by-name';
  /** Whether a client can ask for some sets of them by `?toolsets=`. */
  readonly toolSets: boolean;
  /** What a `Host` that is nobody's gets at `/mcp`. */
  readonly foreignHost: 'misdirected' | 'forbidden';
};

/** Protected resource metadata (RFC 9728 2) and the challenge that leads there. */
export type ResourceMetadataRules = {
  /** Whether it names the clients of people. */
  readonly clients: boolean;
  /** The scopes to ask for, in the challenge too. */
  readonly scopes: readonly string[];
  /** Whether the control plane tells clients at a path of its own, asked for with `X-Use-OpenAPI`. */
  readonly cliDiscovery: boolean;
};

/** Whether roles count. */
export type AuthorizationRules = {
  /** What somebody is told by the REST API who may not see one object. */
  readonly forbidden: string;
  /** Whether tools that somebody may not call are left out of the list, and refused by the protocol. */
  readonly hidesTools: boolean;
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
};
