import {PROXY_HOST} from './certificates.ts';
import type {Names} from './names.ts';
import type {PlatformOptions} from './platform.ts';
import {PROXY_PASSWORD, PROXY_PORT, PROXY_USER, type ProxyKind} from './proxies.ts';

/**
 * How the authority of the platform's certificate becomes trusted, if at all. With `interceptor`, that of an
 * intercepting proxy is trusted instead, by `--ca-file`.
 */
export type Trust = 'NODE_EXTRA_CA_CERTS' | 'SSL_CERT_FILE' | '--ca-file' | 'system' | 'interceptor' | 'none';

export type Failure = {
  readonly code: string;
  /** The exit code. That of the family by default. */
  readonly exit?: number;
  /** The words that the sentence must contain. */
  readonly says: RegExp;
  /** The words that the sentence must not contain. */
  readonly saysNot?: RegExp;
};

/** The settings of a network, the command in it, and the expected end. */
export type Situation = {
  readonly name: string;
  readonly names?: Names;
  /** nftables statements for packets that the router forwards from the client to the platform. */
  readonly firewall?: readonly string[];
  readonly proxy?: ProxyKind;
  /** False if the platform is absent: nothing listens at its addresses. */
  readonly platform?: PlatformOptions | false;
  readonly trust?: Trust;
  /** The client's certificate: from the accepted authority or from another one. */
  readonly clientCertificate?: 'client' | 'stranger-client';
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** True if no server may receive a request. */
  readonly hearsNothing?: true;
  readonly end: 'connected' | Failure;
};

/** The only way from the client to the platform is a proxy. The router refuses direct connections at once. */
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
  /** An address at which nothing listens. */
  down: `http://${PROXY_HOST}:3999`,
};
