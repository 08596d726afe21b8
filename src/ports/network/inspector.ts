import {X509Certificate} from 'node:crypto';
import {lookup as systemLookup} from 'node:dns/promises';
import {once} from 'node:events';
import type {Duplex} from 'node:stream';
import {setTimeout as wait} from 'node:timers/promises';
import type {DetailedPeerCertificate, SecureContext} from 'node:tls';
import type {Anchor, Env, NetworkInspector} from '../ports.ts';
import {createConnector, patient} from './connect.ts';
import {held, verificationCode, within} from './network-errors.ts';
import {showProxy} from './proxies.ts';
import {isLocalhostName, type Route, targetOf} from './route.ts';
import {beginTls, secureContextOf} from './tls.ts';

/** In milliseconds. */
const SYSTEM_PATIENCE = 300;

/** The network below HTTP, looked at layer by layer, as every call of ours goes through it. */
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
      // What the system says of it is of interest, and not worth its patience with a name server that is away.
      const bySystem = await Promise.race([asked, wait(SYSTEM_PATIENCE, [])]);
      return {addresses: ['127.0.0.1', '::1'], bySystem};
    },
    proxy: async url => {
      const proxy = connector.proxy(url);
      return proxy && showProxy(proxy);
    },
    connectToProxy: async (url, signal) => {
      const {ms} = await timed(() => connector.reachProxy(url, {patience: patient, signal}));
      return {ms};
    },
    connect: (url, signal) => timed(() => connector.reach(url, {patience: patient, signal})),
    certificate: async (url, signal) => {
      const secureContext = secureContextOf(route.settings, env, route.system.certificates());
      const over = async <T>(look: (connection: Duplex, host: string, context: SecureContext) => Promise<T>) => {
        const connection = await connector.reach(url, {patience: patient, signal});
        const begin = () => look(connection, targetOf(url).host, secureContext);
        return within({time: patient.tls, part: 'tls', signal}, begin).finally(() => held(connection).destroy());
      };
      const shown = await over(certificateOver);
      // Of what Node has no name for, it keeps OpenSSL's words only where it refuses the certificate.
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

/** What a server shows of itself, whether it is trusted or not. */
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

/** OpenSSL's words for what is wrong with a server's certificate; none where it is right by now. */
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

/** The end of the chain that was shown: a root refers to itself. */
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
