import {X509Certificate} from 'node:crypto';
import {lookup as systemLookup} from 'node:dns/promises';
import {once} from 'node:events';
import type {Duplex} from 'node:stream';
import {setTimeout as wait} from 'node:timers/promises';
import type {DetailedPeerCertificate, SecureContext} from 'node:tls';
import type {Anchor, Env, NetworkInspector} from '../ports.ts';
import {createConnector, defaultTimeouts} from './connect.ts';
import {held, verificationCode, withTimeout} from './network-errors.ts';
import {showProxy} from './proxies.ts';
import {isLocalhostName, type Route, targetOf} from './route.ts';
import {beginTls, secureContextOf} from './tls.ts';

/** How long to wait for the system's resolver to answer about a localhost name, in milliseconds. */
const SYSTEM_TIMEOUT = 300;

/** Inspects the network below HTTP, layer by layer, by the route that calls to the deployment take. */
export const createInspector = (route: Route, env: Env): NetworkInspector => {
  const connector = createConnector(route, env);
  return {
    resolve: async host => {
      const asked = systemLookup(host, {all: true}).then(
        found => found.map(({address}) => address),
        () => [],
      );
      if (!isLocalhostName(host)) {
        const bySystem = await asked;
        return {addresses: bySystem, bySystem};
      }
      // The system's answer is of interest, but not worth a wait for a dead name server.
      const bySystem = await Promise.race([asked, wait(SYSTEM_TIMEOUT, [])]);
      return {addresses: ['127.0.0.1', '::1'], bySystem};
    },
    proxy: async url => {
      const proxy = connector.proxy(url);
      return proxy && showProxy(proxy);
    },
    connectToProxy: async (url, signal) => {
      const {ms} = await timed(() => connector.reachProxy(url, {timeouts: defaultTimeouts, signal}));
      return {ms};
    },
    connect: (url, signal) => timed(() => connector.reach(url, {timeouts: defaultTimeouts, signal})),
    certificate: async (url, signal) => {
      const secureContext = secureContextOf(route.settings, env, route.system.certificates());
      const over = async <T>(look: (connection: Duplex, host: string, context: SecureContext) => Promise<T>) => {
        const connection = await connector.reach(url, {timeouts: defaultTimeouts, signal});
        const begin = () => look(connection, targetOf(url).host, secureContext);
        return withTimeout({time: defaultTimeouts.tls, part: 'tls', signal}, begin).finally(() =>
          held(connection).destroy(),
        );
      };
      const {authority} = route.settings;
      const seen = await over(certificateOver);
      const shown = {...seen, ...(authority && !seen.trusted ? {authority} : {})};
      // For a problem that it does not name, Node keeps OpenSSL's message only if it refuses the certificate.
      return shown.problem === 'UNSPECIFIED' ? {...shown, problem: verificationCode(await over(refusalOf))} : shown;
    },
  };
};

const timed = async (reach: () => Promise<Duplex>) => {
  const started = performance.now();
  const connection = await reach();
  const address = 'remoteAddress' in connection ? String(connection.remoteAddress) : '';
  connection.destroy();
  return {address, ms: Math.round(performance.now() - started)};
};

/** Returns the certificate that a server shows, trusted or not. */
const certificateOver = async (connection: Duplex, host: string, secureContext: SecureContext) => {
  const socket = held(beginTls(connection, host, {secureContext, rejectUnauthorized: false}));
  await once(socket, 'secureConnect');
  const shown = socket.getPeerCertificate(true);
  const error = socket.authorizationError as unknown as (Error & {code?: string}) | string | null;
  return {
    ...describe(shown),
    names: shown.subjectaltname ?? '',
    trusted: socket.authorized,
    anchor: anchorOf(shown),
    ...(error ? {problem: typeof error === 'string' ? error : (error.code ?? error.message)} : {}),
  };
};

/** Returns OpenSSL's message about a server's certificate; empty if the certificate is valid by now. */
const refusalOf = (connection: Duplex, host: string, secureContext: SecureContext): Promise<string> =>
  once(held(beginTls(connection, host, {secureContext, rejectUnauthorized: true})), 'secureConnect').then(
    () => '',
    error => error.message,
  );

const describe = ({subject, issuer, valid_to: validTo, fingerprint256}: DetailedPeerCertificate) => ({
  subject: textOf(subject?.CN ?? subject?.O),
  issuer: textOf(issuer?.CN ?? issuer?.O),
  validTo: Date.parse(validTo),
  fingerprint: fingerprint256 ?? '',
});

/** Returns the end of the chain that was shown: a root refers to itself. */
const anchorOf = (shown: DetailedPeerCertificate): Anchor => {
  let top = shown;
  const seen = new Set<string>();
  while (top.issuerCertificate && !seen.has(top.fingerprint256)) {
    seen.add(top.fingerprint256);
    top = top.issuerCertificate;
  }
  return {...describe(top), pem: top.raw ? new X509Certificate(top.raw).toString() : ''};
};

const textOf = (name: string | string[] | undefined): string => [name].flat().join(', ');
