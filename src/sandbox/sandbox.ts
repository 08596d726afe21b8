import {bundled} from '../platform/bundled.ts';
import type {Layout} from '../platform/platform.ts';
import {addressesOf} from './addresses.ts';
import {callbackPortOf} from './callback-port.ts';
import {certifiedFor, worthTrusting} from './certified.ts';
import {hooksOf, inOrder} from './faults/effects.ts';
import type {Hooks} from './faults/hooks.ts';
import type {FaultName} from './faults.ts';
import {hostRouter} from './http/host-router.ts';
import {type LoopbackListener, listenOnLoopback} from './http/loopback-listener.ts';
import type {Application} from './identity/applications.ts';
import {SandboxInputError} from './sandbox-input-error.ts';
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
  /** What the external clients of the values have registered. The bundled platform's by default. */
  readonly redirectUri?: string;
  /** The lifetime of access tokens of all clients that are there from the start, in seconds. An hour by default. */
  readonly accessTokenLifetime?: number;
  /** How it misbehaves. */
  readonly faults?: readonly FaultName[];
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
  readonly faults: readonly FaultName[];
  /** A certificate (PEM) that has to be trusted before anything here can be reached; absent when trust would not help. */
  readonly authority?: string;
};

export type Sandbox = {
  readonly ready: SandboxReady;
  /** Ends open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

/**
 * Starts a whole platform on loopback, in memory: identity provider, control plane and observer, each on its own host.
 *
 * @throws SandboxInputError when the options cannot be used; Node's `EADDRINUSE` or `EACCES` error, with its `port`,
 *   when a port is taken or may not be. Nothing stays open then.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const {layout, port = bundled.ports.gateway, faults = []} = options;
  const observerPort = options.observerPort ?? (port === 0 ? 0 : bundled.ports.observer[layout]);
  const hooks = hooksOf(faults);
  const {certificate} = hooks;
  const clients = clientOptions(options, hooks);
  const scheme = certificate ? 'https' : 'http';
  // Before anything opens, whatever the ports will be.
  const addresses = addressesOf({...options, scheme, ports: {gateway: 0, observer: 0}});
  if (certificate) certifiedFor(addresses, certificate);
  const callbackPort = hooks.holdsCallbackPort ? callbackPortOf(clients.redirectUri) : undefined;

  const listeners: LoopbackListener[] = [];
  const open = async (...[port, certificate]: Parameters<typeof listenOnLoopback>) => {
    const listener = await listenOnLoopback(port, certificate);
    listeners.push(listener);
    return listener;
  };
  const close = async () => {
    await Promise.all(listeners.map(listener => listener.close()));
  };
  try {
    const gateway = await open(port, certificate);
    const observability = await open(observerPort, certificate);
    if (callbackPort !== undefined) await open(callbackPort);

    const deployment = {...options, scheme, ports: {gateway: gateway.port, observer: observability.port}} as const;
    const services = await createServices(deployment, {...clients, hooks});
    gateway.serve(hostRouter(services.gateway));
    observability.serve(hostRouter(services.observability));
    // It had to listen for a moment, as that is how a free port is found.
    if (!hooks.observerListens) await observability.close();
    return {
      ready: {
        ...readyLine(options, services),
        faults: inOrder(faults),
        ...(certificate && worthTrusting(certificate) && {authority: certificate.certificate}),
      },
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

const clientOptions = (options: SandboxOptions, hooks: Hooks) => {
  const {values = defaultValues, redirectUri = bundled.callbackUrl, accessTokenLifetime} = options;
  const externalClients = externalClientsOf(values);
  // RFC 6749 3.1.2.
  if (!URL.canParse(redirectUri) || redirectUri.includes('#')) {
    throw new SandboxInputError(`${redirectUri} cannot be a redirect URI.`);
  }
  if (accessTokenLifetime !== undefined && !(Number.isInteger(accessTokenLifetime) && accessTokenLifetime > 0)) {
    throw new SandboxInputError(`An access token cannot live for ${accessTokenLifetime} seconds.`);
  }
  const others = accessTokenLifetime ?? 3600;
  const lifetimes = {others, externalClients: accessTokenLifetime ?? hooks.cliTokenLifetime ?? others};
  return {externalClients, redirectUri, lifetimes};
};

const readyLine = (
  {layout, baseDomain}: SandboxOptions,
  {urls, admin: {username, password}, applications}: Services,
): Omit<SandboxReady, 'faults' | 'authority'> => ({
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
