import {PROXY_HOST} from './certificates.ts';
import type {Names} from './names.ts';
import type {PlatformOptions} from './platform.ts';
import {PROXY_PASSWORD, PROXY_PORT, PROXY_USER, type ProxyKind} from './proxies.ts';

/**
 * How the authority of the platform's certificate comes to be trusted, if it does. With `interceptor`, that of an
 * intercepting proxy is trusted in its place, by `--ca-file`.
 */
export type Trust = 'NODE_EXTRA_CA_CERTS' | 'SSL_CERT_FILE' | '--ca-file' | 'system' | 'interceptor' | 'none';

export type Failure = {
  readonly code: string;
  /** By default that of the family. */
  readonly exit?: number;
  /** What the sentence has to say. */
  readonly says: RegExp;
  /** What the sentence must not say. */
  readonly saysNot?: RegExp;
};

/** How a network is set, how the program is called there, and what has to come of it. */
export type Situation = {
  readonly name: string;
  readonly names?: Names;
  /** Statements of nftables for what the router passes on, from the client to the platform. */
  readonly firewall?: readonly string[];
  readonly proxy?: ProxyKind;
  /** False for a platform that is not there: nothing listens at its addresses. */
  readonly platform?: PlatformOptions | false;
  readonly trust?: Trust;
  /** The client's certificate: ours, or one of another authority. */
  readonly clientCertificate?: 'client' | 'stranger-client';
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What nobody may receive one request of. */
  readonly hearsNothing?: true;
  readonly end: 'connected' | Failure;
};

/** Nothing goes from the client to the platform but through a proxy. A way past it is refused at once. */
export const proxyOnly = ['ip saddr 10.77.1.0/24 counter reject with icmp type admin-prohibited'];

const at = `${PROXY_HOST}:${PROXY_PORT}`;
const credentials = `${PROXY_USER}:${encodeURIComponent(PROXY_PASSWORD)}`;

/** The addresses of the proxy, as people write them. */
export const proxyUrls = {
  http: `http://${at}`,
  https: `https://${at}`,
  socks: `socks5://${at}`,
  socksByName: `socks5h://${at}`,
  withPassword: (scheme: 'http' | 'socks5' | 'socks5h') => `${scheme}://${credentials}@${at}`,
  /** Nothing listens there. */
  down: `http://${PROXY_HOST}:3999`,
};
