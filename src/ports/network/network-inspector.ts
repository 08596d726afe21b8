import {lookup as systemLookup} from 'node:dns/promises';
import {connect as connectTcp} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {type ConnectionOptions, connect as connectTls} from 'node:tls';
import type {Certificate, NetworkInspector} from '../ports.ts';
import {trustedAuthorities} from './authorities.ts';
import {lookup} from './lookup.ts';
import {isLocalhostName} from './loopback.ts';

/** How long one address is tried before the next: a busy server is not to be taken for one that is not there. In ms. */
const ATTEMPT_TIMEOUT = 1_000;

/** In milliseconds. */
const SYSTEM_PATIENCE = 300;

/** The network below HTTP, looked at layer by layer, as every call of ours goes through it. */
export const networkInspector: NetworkInspector = {
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
  connect: (host, port, signal) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const socket = connectTcp({host, port, lookup, signal, autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT});
      socket.once('connect', () => {
        resolve({address: socket.remoteAddress ?? '', ms: Math.round(performance.now() - started)});
        socket.destroy();
      });
      socket.once('error', reject);
    }),
  certificate: (host, port, signal) =>
    new Promise<Certificate>((resolve, reject) => {
      // Looked at, never relied on: what is wrong with it is what is to be told.
      // The types of tls.connect lack what it hands on to the socket beneath.
      const options: ConnectionOptions & {autoSelectFamilyAttemptTimeout: number} = {
        host,
        port,
        servername: host,
        lookup,
        autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT,
        ca: trustedAuthorities(),
        rejectUnauthorized: false,
      };
      const socket = connectTls(options);
      const stop = () => socket.destroy(signal.reason);
      signal.addEventListener('abort', stop, {once: true});
      socket.once('secureConnect', () => {
        const {subject, issuer, valid_to: validTo, subjectaltname: names} = socket.getPeerCertificate();
        const error = socket.authorizationError as unknown as (Error & {code?: string}) | string | null;
        resolve({
          subject: textOf(subject?.CN),
          issuer: textOf(issuer?.CN ?? issuer?.O),
          names: names ?? '',
          validTo: Date.parse(validTo),
          trusted: socket.authorized,
          ...(error ? {problem: typeof error === 'string' ? error : (error.code ?? error.message)} : {}),
        });
        socket.destroy();
      });
      socket.once('error', reject);
      socket.once('close', () => signal.removeEventListener('abort', stop));
    }),
};

const textOf = (name: string | string[] | undefined): string => [name].flat().join(', ');
