import {bundled} from '../platform/bundled.ts';
import type {Layout} from '../platform/platform.ts';
import {hostRouter} from './http/host-router.ts';
import {type LoopbackListener, listenOnLoopback} from './http/loopback-listener.ts';
import type {Application} from './identity/applications.ts';
import {createServices, type Services} from './services.ts';
import {defaultValues, externalClientsOf} from './values.ts';

export type SandboxOptions = {
  readonly layout: Layout;
  readonly baseDomain: string;
  /** The gateway's port; 0 takes a free one. */
  readonly port?: number;
  readonly observerPort?: number;
  /** The control plane's configuration values (YAML), platform access 2.4. */
  readonly values?: string;
};

export type SandboxClient = {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: Application['tokenEndpointAuthMethod'];
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
};

/** What somebody needs to know to use a running sandbox. URLs have no trailing slash. */
export type SandboxReady = {
  readonly type: 'ready';
  readonly layout: Layout;
  readonly baseDomain: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl: string;
  readonly authUrl: string;
  readonly admin: {readonly username: string; readonly password: string};
  /** The sample application's, for `POST /flow/execute`. */
  readonly applicationId: string;
  readonly clients: readonly SandboxClient[];
};

export type Sandbox = {
  readonly ready: SandboxReady;
  /** Ends open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

/**
 * Starts a whole platform on loopback, in memory: identity provider, control plane and observer, each on its own host.
 *
 * @throws Node's `EADDRINUSE` error, with its `port`, when a port is taken; Error when the values or the base domain
 *   cannot be used. Nothing stays open then.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const {layout, port = bundled.ports.gateway, values = defaultValues} = options;
  const observerPort = options.observerPort ?? (port === 0 ? 0 : bundled.ports.observer[layout]);
  const externalClients = externalClientsOf(values);

  const listeners: LoopbackListener[] = [];
  const close = async () => {
    await Promise.all(listeners.map(listener => listener.close()));
  };
  try {
    const gateway = await listenOnLoopback(port);
    listeners.push(gateway);
    const observability = await listenOnLoopback(observerPort);
    listeners.push(observability);

    const deployment = {...options, ports: {gateway: gateway.port, observer: observability.port}};
    const services = await createServices(deployment, externalClients);
    gateway.serve(hostRouter(services.gateway));
    observability.serve(hostRouter(services.observability));
    return {
      ready: readyLine(options, services),
      async close() {
        await services.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const readyLine = (
  {layout, baseDomain}: SandboxOptions,
  {urls, admin: {username, password}, applications}: Services,
): SandboxReady => ({
  type: 'ready',
  layout,
  baseDomain,
  controlPlaneUrl: urls.controlPlane,
  observerUrl: urls.observer,
  authUrl: urls.identityProvider,
  admin: {username, password},
  applicationId: applications.byClientId(bundled.sampleApplication.clientId)?.id ?? '',
  clients: applications.list().map(clientOf),
});

const clientOf = (application: Application): SandboxClient => ({
  name: application.name,
  clientId: application.clientId,
  ...(application.clientSecret !== undefined && {clientSecret: application.clientSecret}),
  tokenEndpointAuthMethod: application.tokenEndpointAuthMethod,
  grantTypes: application.grantTypes,
  ...(application.redirectUris.length > 0 && {redirectUris: application.redirectUris}),
});
