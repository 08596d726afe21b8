import type {Roles} from '../roles.ts';

/** A refusal of the token endpoint (RFC 6749 5.2). */
export type ErrorAnswer = {readonly status: number; readonly error: string; readonly description: string};

/** How a release determines which client asks, and its answers if that fails. */
export type ClientAuthenticationRules = {
  /** How the two halves of Basic credentials are read: form-decoded, as RFC 6749 2.3.1 requires, or as sent. */
  readonly basic: 'as-sent' | 'form';
  /** True if wrong Basic credentials are answered with a challenge (RFC 6749 5.2). */
  readonly challenged: boolean;
  readonly twoMethods: ErrorAnswer;
  readonly noClient: ErrorAnswer;
  readonly noSecret: ErrorAnswer;
  readonly wrongMethod: ErrorAnswer;
  readonly grantNotAllowed: ErrorAnswer;
};

/** The rules of `POST /flow/execute`. */
export type FlowRules = {
  /** The name of a sign-in's ID, also in the address of the sign-in page. */
  readonly idMember: 'flowId' | 'executionId';
  /** True if each step returns a token that the next step has to send back. */
  readonly challenged: boolean;
  /** The effect of a wrong password: the flow ends, or it asks again. */
  readonly afterFailure: 'end' | 'again';
  readonly reasons: {readonly 'wrong-password': string; readonly 'unknown-user': string};
  /** True if a flow can be started without an authorization request. */
  readonly direct: boolean;
};

/** The rules of `/applications`. */
export type ApplicationRules = {
  /** The spelling of the members of bodies. */
  readonly spelling: 'snake_case' | 'camelCase';
  /** True if an application may name the issuer of its tokens. */
  readonly ownIssuer: boolean;
  readonly listed: 'by-creation' | 'by-name';
};

/**
 * Authorization server metadata (RFC 8414 2): `endpoints` holds paths below the issuer, `members` holds values as they
 * are.
 */
export type Discovery = {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  /** Members that only the OpenID Connect document has (OpenID Connect Discovery 3). */
  readonly openIdMembers: Readonly<Record<string, unknown>>;
};

/** Endpoints that some releases have, and that options can add to the others. */
export type Extra = 'revocation' | 'device';

/** Whether refresh tokens can be used once (`rotating`) or repeatedly (`reusable`), or are not issued (`none`). */
export type RefreshTokenUse = 'rotating' | 'reusable' | 'none';

/** All differences between the identity providers of releases. */
export type IdentityRelease = {
  readonly readiness: object;
  readonly discovery: Discovery;
  /** The extras that the release itself has, and endpoints that no option adds. */
  readonly endpoints: readonly (Extra | 'pushed-authorization' | 'end-session')[];
  /** The path at which an administrator sees the applications. */
  readonly portal: '/develop' | '/console';
  /** True if it comes with an application for trying things out. */
  readonly sampleApplication: boolean;
  /** True if the administrator's password is publicly known until it is changed. */
  readonly defaultPassword: boolean;
  readonly tokens: {
    /** The `typ` of access tokens (RFC 9068 2.1 requires `at+jwt`). */
    readonly accessTokenType: 'JWT' | 'at+jwt';
    /** True if `kid` ends with base64 padding. */
    readonly paddedKeyId: boolean;
    /** True if ID tokens carry the `nonce` of the request (OpenID Connect Core 2). */
    readonly nonce: boolean;
    readonly idTokenOnRefresh: boolean;
    /** The `sub` of a client's own tokens. */
    readonly clientSubject: 'client-id' | 'application-id';
    readonly refreshTokens: RefreshTokenUse;
    /** The lifetime of a person's sign-in, however often it is renewed, in seconds. */
    readonly signInLifetime: number;
  };
  /** True if the authorization response names its issuer (RFC 9207). */
  readonly issuerInResponse: boolean;
  /** The error code of the page for an unknown client. */
  readonly unknownClient: 'invalid_client' | 'invalid_request';
  readonly clientAuthentication: ClientAuthenticationRules;
  /** The error text for a code that was already used. */
  readonly usedCode: string;
  readonly resources: {
    /** The registered resource servers if no option says otherwise; `unchecked` allows any name. */
    readonly registered: 'unchecked' | 'none';
    readonly onlyOne: boolean;
    /** True if a client's own token request needs a resource as soon as it requests a scope. */
    readonly neededForScope: boolean;
  };
  /** Dynamic client registration (RFC 7591): for everyone, or for administrators only. */
  readonly registration: 'open' | 'closed';
  /** True if introspection requires client authentication (RFC 7662 2.1). */
  readonly authenticatedIntrospection: boolean;
  readonly flow: FlowRules;
  readonly applications: ApplicationRules;
  /** True if error texts are objects with a key for translation. */
  readonly translatedErrors: boolean;
};

/** The rules of the control plane's REST API. */
export type ApiRules = {
  /**
   * `by-project`: lists below a project, in two flavours. `by-namespace`: lists of a namespace, with pages.
   * `by-header`: as `by-namespace` for clients that send `X-Use-OpenAPI`, and the older flavour of `by-project` for all
   * others.
   */
  readonly shape: 'by-project' | 'by-header' | 'by-namespace';
  /** The kinds of cluster-wide objects that the API lists, by the last part of their path; newer releases have more. */
  readonly clusterKinds: readonly string[];
  /** True if a path with two consecutive slashes is redirected to the path with one (Go's `path.Clean`). */
  readonly cleansPaths: boolean;
};

/** The rules of the MCP servers. */
export type McpRules = {
  /** How the control plane's tools are named and addressed. */
  readonly tools: 'by-uid' | 'by-name';
  /** True if the control plane's tools that list objects return them in pages. */
  readonly hasPages: boolean;
  /** True if a client can ask for some sets of tools with `?toolsets=`. */
  readonly toolSets: boolean;
  /**
   * The treatment of an unknown `Host` at `/mcp`: refused by the gateway (`misdirected`) or by the server
   * (`forbidden`), or ignored (`served`).
   */
  readonly foreignHost: 'misdirected' | 'served' | 'forbidden';
  /** The answer to a request for a stream without a session. */
  readonly noSession: {readonly status: number; readonly text: string};
};

/** The rules of the protected resource metadata (RFC 9728 2) and of the challenge that points to it. */
export type ResourceMetadataRules = {
  /** True if the metadata names the clients for people. */
  readonly clients: boolean;
  /** The scopes to request, also in the challenge. */
  readonly scopes: readonly string[];
  /** The separate path at which the control plane names clients, requested with `X-Use-OpenAPI`. */
  readonly cliDiscovery?: string;
};

/** The rules of a release that grants access by roles. */
export type AuthorizationRules = {
  /** The REST API's error for a caller who may not see an object. */
  readonly forbidden: string;
  /** True if tools that a caller may not call are left out of the list, and refused at the protocol level. */
  readonly hidesTools: boolean;
  readonly roles: Roles;
  /** The groups of people that an installation comes with: one of engineers, or one for each kind of work. */
  readonly groups: 'engineers' | 'by-task';
};

/** All differences between releases, as data: handlers read it and know no release by its name. */
export type SandboxRelease = {
  /** The answer of `/version`. */
  readonly version: {readonly version: string; readonly gitRevision: string; readonly buildTime: string};
  readonly identity: IdentityRelease;
  readonly api: ApiRules;
  /** Undefined if everyone with a token may do everything. */
  readonly authorization?: AuthorizationRules;
  readonly mcp: McpRules;
  readonly resourceMetadata: ResourceMetadataRules;
  /** When the charts tell the observer its own address: never, only if there are several clusters, or always. */
  readonly observerAddress: 'untold' | 'told-to-clusters' | 'told';
  /**
   * When the charts tell the observer which identity provider to trust: only if there are several clusters, or always.
   */
  readonly observerAuthority: 'told-to-clusters' | 'told';
};
