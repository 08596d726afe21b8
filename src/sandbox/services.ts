import type {Service} from '../platform/platform.ts';
import {type Address, addressesOf, type Deployment} from './addresses.ts';
import {controlPlane} from './control-plane/control-plane.ts';
import type {Hooks} from './faults/hooks.ts';
import type {Handler} from './http/handler.ts';
import type {Hosts} from './http/host-router.ts';
import {type Applications, createApplications} from './identity/applications.ts';
import {createIdentityProvider} from './identity/identity-provider.ts';
import {type InitialApplications, initialApplications} from './identity/initial-applications.ts';
import {registration} from './identity/registration.ts';
import {createSigningKey} from './identity/signing-key.ts';
import {tokenVerifier} from './identity/token-verifier.ts';
import {createUsers, type User} from './identity/users.ts';
import {type McpEndpoint, mcpEndpoint} from './mcp/mcp-endpoint.ts';
import {resourceOf} from './mcp/protected-resource.ts';
import {registerObservabilityTools} from './observer/observability-tools.ts';
import {observer} from './observer/observer.ts';
import {createResourceStore} from './resources/resource-store.ts';
import {registerResourceTools} from './resources/resource-tools.ts';
import {seed} from './resources/seed.ts';

export type ServicesOptions = Omit<InitialApplications, 'issuer' | 'accessTokenLifetime'> & {
  /** The lifetime of all access tokens in seconds, whatever a fault says of some. An hour by default. */
  readonly accessTokenLifetime?: number;
  readonly hooks: Hooks;
};

export type Services = {
  readonly urls: {readonly controlPlane: string; readonly identityProvider: string; readonly observer: string};
  /** What the two ports serve. */
  readonly gateway: Hosts;
  readonly observability: Hosts;
  readonly admin: User;
  readonly applications: Applications;
  /** Registers the clients of the CLI anew when the faults in force want them otherwise than they are. */
  register(): void;
  /** Ends sessions and event streams. */
  close(): Promise<void>;
};

/** Builds the three services of a deployment around one signing key, one set of users, and one store of resources. */
export const createServices = async (deployment: Deployment, options: ServicesOptions): Promise<Services> => {
  const {externalClients, accessTokenLifetime, hooks} = options;
  const {clockOffset} = hooks;
  const addresses = addressesOf(deployment);
  const urls = {
    controlPlane: addresses['control-plane'].url,
    identityProvider: addresses['identity-provider'].url,
    observer: addresses.observer.url,
  };
  const issuer = urls.identityProvider;
  const key = await createSigningKey();
  const users = createUsers();
  const applications = createApplications();
  const initial = initialApplications({issuer, ...options, accessTokenLifetime: accessTokenLifetime ?? 3600});
  const register = registration(initial, applications, application => {
    if (!externalClients.some(({client_id}) => client_id === application.clientId)) return application;
    const accessTokenValidity = accessTokenLifetime ?? hooks.cliTokenLifetime() ?? application.accessTokenValidity;
    return hooks.cliClient({...application, accessTokenValidity});
  });
  register();
  const store = createResourceStore();
  seed(store);

  // A token for the control plane is one for the platform (platform access 1.2); one for the observer is only for that.
  const defaultAudience = resourceOf(urls.controlPlane);
  const audiences = [defaultAudience, resourceOf(urls.observer)];
  const resources = mcpEndpoint({
    serverInfo: {name: 'platform-api', title: 'Platform control plane', version: '1.0.0'},
    instructions: 'Manages organizations, projects, components, deployments and infrastructure. Lists show UIDs.',
    registerTools: server => registerResourceTools(server, store),
  });
  const telemetry = mcpEndpoint({
    serverInfo: {name: 'platform-observer', title: 'Platform observability', version: '1.0.0'},
    instructions: 'Answers with logs, metrics and traces. The UIDs that it takes come from the control plane.',
    registerTools: server => registerObservabilityTools(server, store),
  });

  const handlers: {readonly [S in Service]: Handler} = {
    'control-plane': controlPlane({
      url: urls.controlPlane,
      verify: tokenVerifier(key.jwks, {issuer, audiences: [defaultAudience], clockOffset}),
      mcp: hooked(resources, hooks),
      ...{issuer, store, externalClients},
    }),
    'identity-provider': await createIdentityProvider({
      ...{issuer, key, users, applications, defaultAudience, audiences, hooks},
    }),
    observer: observer({
      url: urls.observer,
      verify: tokenVerifier(key.jwks, {issuer, audiences, clockOffset}),
      mcp: hooked(telemetry, hooks),
      issuer,
    }),
  };
  const hosts = (...services: readonly Service[]): Hosts => ({
    handlers: new Map(
      services.flatMap(service => hosted(addresses[service], hooks.before(service, handlers[service]))),
    ),
    origins: new Set(Object.values(urls)),
  });

  return {
    urls,
    gateway: hosts('control-plane', 'identity-provider'),
    observability: hosts('observer'),
    admin: users.admin,
    applications,
    register,
    async close() {
      await Promise.all([resources.close(), telemetry.close()]);
    },
  };
};

const hooked = (endpoint: McpEndpoint, hooks: Hooks): McpEndpoint => ({
  ...endpoint,
  serve: subject => hooks.mcp(endpoint.serve(subject)),
});

const hosted = ({hosts}: Address, handler: Handler): [host: string, handler: Handler][] =>
  hosts.map(host => [host, handler]);
