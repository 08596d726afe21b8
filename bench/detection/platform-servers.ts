import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {Platform, Service} from '../../src/platform/platform.ts';
import {bundled} from '../../src/platform/platforms.ts';

/** A service's pace: the milliseconds to its answer, or `dead` if it accepts connections and never answers. */
export type Pace = number | 'dead';

export type Paces = {
  readonly controlPlane: Pace;
  readonly identityProvider: Pace;
  readonly single: Pace;
  readonly multi: Pace;
};

export type PlatformServers = {
  /** The platform as the program knows it, on the ports of these servers. */
  readonly platform: Platform;
  close(): Promise<void>;
};

const BASE_DOMAIN = bundled.localBaseDomain;

/** Starts the services of a deployment on loopback. They answer only probes, each at its own pace. */
export const startServers = async (paces: Paces): Promise<PlatformServers> => {
  const gateway = await listen(host => (host.startsWith('idp.') ? paces.identityProvider : paces.controlPlane));
  const single = await listen(() => paces.single);
  const multi = await listen(() => paces.multi);
  const servers = [gateway, single, multi];
  return {
    platform: {
      ...bundled,
      ports: {gateway: gateway.port, observer: {single: single.port, multi: multi.port}},
    },
    close: async () => {
      await Promise.all(servers.map(({close}) => close()));
    },
  };
};

const listen = async (paceOf: (host: string) => Pace) => {
  const server: Server = createServer((request, response) => {
    const {host = ''} = request.headers;
    const pace = paceOf(host);
    if (pace === 'dead') return;
    const answer = () => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(bodyFor(host)));
    if (pace === 0) answer();
    else setTimeout(answer, pace);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port.');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {port: address.port, close};
};

/** Returns one document that satisfies every probe of a host. */
const bodyFor = (host: string) => {
  const url = (service: Service) => `http://${bundled.labels[service]}.${BASE_DOMAIN}:${host.split(':')[1]}`;
  return {
    status: 'ok',
    version: '0.0.0',
    issuer: `http://${host}`,
    authorization_servers: [url('identity-provider')],
  };
};
