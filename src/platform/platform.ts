/** How the services of one deployment are spread. In the multi-cluster layout the observer has a plane of its own. */
export type Layout = 'single' | 'multi';

/** The services that a deployment is made of. */
export type Service = 'control-plane' | 'identity-provider' | 'observer';

/** What is known of a kind of platform before any of its deployments is looked at. Data only; one file per platform. */
export type Platform = {
  readonly id: string;
  /** The base domain of a deployment on the person's own machine, tried when nothing else names one. */
  readonly localBaseDomain: string;
  /** The leading label of each service's host. */
  readonly labels: {readonly [S in Service]: string};
  /** The label between the observer's and the base domain in the multi-cluster layout. */
  readonly observabilityLabel: string;
  /** TCP ports of a plain-http local deployment. Behind https everything is on 443. */
  readonly ports: {readonly gateway: number; readonly observer: {readonly [L in Layout]: number}};
  readonly paths: {
    readonly health: string;
    readonly version: string;
    readonly mcp: string;
    readonly protectedResource: string;
    readonly developerPortal: string;
    readonly flowExecute: string;
    readonly applications: string;
    readonly authorize: string;
    readonly token: string;
    readonly namespaces: string;
    /** Where releases before 0.17 tell their CLI client, newest first; asked with `X-Use-OpenAPI: true`. */
    readonly cliDiscovery: readonly string[];
  };
  /** Where the base domain can be read in a cluster. */
  readonly cluster: {
    readonly release: string;
    readonly namespace: string;
    /** The HTTPRoute of the identity provider; its first hostname is its label and the base domain. */
    readonly identityProviderRoute: string;
  };
  /** The redirect URI that the identity provider has registered for the public CLI client. */
  readonly callbackUrl: string;
  /** The public CLI client, where the control plane does not tell it. */
  readonly cliClient: {readonly name: string; readonly clientId: string; readonly scopes: readonly string[]};
  /** The platform's own CLI, where it has one, and its configuration file below the person's home. */
  readonly ownCli?: {readonly name: string; readonly configPath: readonly string[]};
  /** The member of the protected resource metadata that lists the clients of people (from 0.17). */
  readonly externalClientsKey: string;
  /** The client of the pre-provisioned sample application; its application ID starts the admin sign-in. */
  readonly sampleApplication: {readonly name: string; readonly clientId: string; readonly redirectUri: string};
  /** Labels under which an assistant knows the two MCP servers. */
  readonly mcpServers: {readonly controlPlane: string; readonly observability: string};
};
