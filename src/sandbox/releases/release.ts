import type {Roles} from '../roles.ts';

/** A refusal of the token endpoint (RFC 6749 5.2). */
export type Refusal = {readonly status: number; readonly error: string; readonly description: string};

/** How a release finds out which client asks, and what it says when that fails. */
export type ClientAuthenticationRules = {
  /**
   * Whether the two halves of Basic credentials are form-urlencoded, as RFC 6749 2.3.1 has it, or compared as they were
   * sent.
   */
  readonly basic: 'as-sent' | 'form';
  /** Whether wrong Basic credentials are answered with a challenge (RFC 6749 5.2). */
  readonly challenged: boolean;
  readonly twoMethods: Refusal;
  readonly noClient: Refusal;
  readonly noSecret: Refusal;
  readonly wrongMethod: Refusal;
  readonly grantNotAllowed: Refusal;
};

/** `POST /flow/execute`. */
export type FlowRules = {
  /** What the ID of a sign-in is called, in the address of the sign-in page too. */
  readonly idMember: 'flowId' | 'executionId';
  /** Whether each step gives a token that the next one has to send back. */
  readonly challenged: boolean;
  /** What a wrong password leads to: the end of the flow, or the same question once more. */
  readonly afterFailure: 'end' | 'again';
  readonly reasons: {readonly 'wrong-password': string; readonly 'unknown-user': string};
  /** Whether a flow can be started without an authorization request. */
  readonly direct: boolean;
};

/** `/applications`. */
export type ApplicationRules = {
  /** How the members of bodies are spelt. */
  readonly spelling: 'snake_case' | 'camelCase';
  /** Whether an application may name the issuer of its tokens. */
  readonly ownIssuer: boolean;
  readonly listed: 'by-creation' | 'by-name';
};

/** Authorization server metadata (RFC 8414 2): what is a path below the issuer, and what is as it stands. */
export type Discovery = {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  /** What only the OpenID Connect document adds (OpenID Connect Discovery 3). */
  readonly openIdMembers: Readonly<Record<string, unknown>>;
};

/** Endpoints that some releases have, and others can be given. */
export type Extra = 'revocation' | 'device';

/** Everything in which the identity provider of one release differs from that of another. */
export type RefreshTokenUse = 'rotating' | 'reusable' | 'none';

export type IdentityRelease = {
  readonly readiness: object;
  readonly discovery: Discovery;
  /** The extras that it has by itself, and others that no option gives. */
  readonly endpoints: readonly (Extra | 'pushed-authorization' | 'end-session')[];
  /** Where an administrator sees the applications. */
  readonly portal: '/develop' | '/console';
  /** Whether an application for trying things out comes with it. */
  readonly sampleApplication: boolean;
  /** Whether the administrator's password is known to everybody until it is changed. */
  readonly defaultPassword: boolean;
  readonly tokens: {
    /** The `typ` of access tokens (RFC 9068 2.1 wants `at+jwt`). */
    readonly accessTokenType: 'JWT' | 'at+jwt';
    /** Whether `kid` ends with the padding of base64. */
    readonly paddedKeyId: boolean;
    /** Whether ID tokens carry the `nonce` of the request (OpenID Connect Core 2). */
    readonly nonce: boolean;
    readonly idTokenOnRefresh: boolean;
    /** Who a client is in the `sub` of its own tokens. */
    readonly clientSubject: 'client-id' | 'application-id';
    /** Whether a refresh token is good once, or again and again; or whether there is none. */
    readonly refreshTokens: RefreshTokenUse;
    /** How long a person's sign-in lasts, however often it is renewed, in seconds. */
    readonly signInLifetime: number;
  };
  /** Whether the authorization response names its issuer (RFC 9207). */
  readonly issuerInResponse: boolean;
  /** The error code of the page for an unknown client. */
  readonly unknownClient: 'invalid_client' | 'invalid_request';
  readonly clientAuthentication: ClientAuthenticationRules;
  /** The error text of a code that was used already. */
  readonly usedCode: string;
  readonly resources: {
    /** Resource servers that are registered where nobody says otherwise; `unchecked` takes any name. */
    readonly registered: 'unchecked' | 'none';
    readonly onlyOne: boolean;
    /** Whether a client's own token needs a resource as soon as it asks for a scope. */
    readonly neededForScope: boolean;
  };
  /** Dynamic client registration (RFC 7591): for everybody, or for administrators. */
  readonly registration: 'open' | 'closed';
  /** Whether introspection asks who wants to know (RFC 7662 2.1). */
  readonly authenticatedIntrospection: boolean;
  readonly flow: FlowRules;
  readonly applications: ApplicationRules;
  /** Whether texts of errors are objects with a key to translate. */
  readonly translatedErrors: boolean;
};

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
