import {type Address, addressesOf, type Deployment} from './addresses.ts';
import {controlPlane} from './control-plane/control-plane.ts';
import {withFault} from './faults/effects.ts';
import type {Fault} from './faults.ts';
import type {Handler} from './http/handler.ts';
import type {Hosts} from './http/host-router.ts';
import {type Applications, createApplications} from './identity/applications.ts';
import {createIdentityProvider} from './identity/identity-provider.ts';
import {type InitialApplications, initialApplications} from './identity/initial-applications.ts';
import {createSigningKey} from './identity/signing-key.ts';
import {tokenVerifier} from './identity/token-verifier.ts';
import {createUsers, type User} from './identity/users.ts';
import {mcpEndpoint} from './mcp/mcp-endpoint.ts';
import {resourceOf} from './mcp/protected-resource.ts';
import {registerObservabilityTools} from './observer/observability-tools.ts';
import {observer} from './observer/observer.ts';
import {createResourceStore} from './resources/resource-store.ts';
import {registerResourceTools} from './resources/resource-tools.ts';
import {seed} from './resources/seed.ts';

export type ServicesOptions = Omit<InitialApplications, 'issuer'> & {readonly fault: Fault | undefined};

export type Services = {
  readonly urls: {readonly controlPlane: string; readonly identityProvider: string; readonly observer: string};
  /** What the two ports serve. */
  readonly gateway: Hosts;
  readonly observability: Hosts;
  readonly admin: User;
  readonly applications: Applications;
  /** Ends sessions and event streams. */
  close(): Promise<void>;
};

/** Builds the three services of a deployment around one signing key, one set of users, and one store of resources. */
export const createServices = async (
  deployment: Deployment,
  {fault, ...clients}: ServicesOptions,
): Promise<Services> => {
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
  for (const application of initialApplications({issuer, ...clients})) applications.put(application);
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

  const handlers = withFault(fault, {
    'control-plane': controlPlane({
      url: urls.controlPlane,
      verify: tokenVerifier(key.jwks, {issuer, audiences: [defaultAudience]}),
      mcp: resources,
      externalClients: clients.externalClients,
      ...{issuer, store},
    }),
    'identity-provider': await createIdentityProvider({issuer, key, users, applications, defaultAudience, audiences}),
    observer: observer({
      url: urls.observer,
      verify: tokenVerifier(key.jwks, {issuer, audiences}),
      mcp: telemetry,
      issuer,
    }),
  });
  const hosts = (...services: readonly (keyof typeof handlers)[]): Hosts => ({
    handlers: new Map(services.flatMap(service => hosted(addresses[service], handlers[service]))),
    origins: new Set(Object.values(urls)),
  });

  return {
    urls,
    gateway: hosts('control-plane', 'identity-provider'),
    observability: hosts('observer'),
    admin: users.admin,
    applications,
    async close() {
      await Promise.all([resources.close(), telemetry.close()]);
    },
  };
};

const hosted = ({hosts}: Address, handler: Handler): [host: string, handler: Handler][] =>
  hosts.map(host => [host, handler]);
