import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {chmod, copyFile, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {certificatePaths} from './certificates.ts';
import {ready, type Zone} from './names.ts';
import {addresses, type Network} from './namespaces.ts';
import {type Tool, tool} from './tools.ts';

export const PROXY_PORT = 3128;
export const PROXY_USER = 'ann';
export const PROXY_PASSWORD = 'pass@word:of/ann';

/** A proxy on the router. It can resolve every name. */
export type ProxyKind =
  /** With a password, a refusal of everything, a delay of so many seconds before each tunnel, or TLS of its own. */
  | {
      readonly kind: 'squid';
      readonly password?: boolean;
      readonly denies?: boolean;
      readonly delay?: number;
      readonly tls?: boolean;
    }
  | {readonly kind: 'socks'; readonly password?: boolean}
  /** Intercepts the traffic with an authority of its own, as the client's proxy or without the client's knowledge. */
  | {readonly kind: 'mitmproxy'; readonly mode: 'regular' | 'transparent'}
  /** A web server that answers everything with a page. */
  | {readonly kind: 'page'};

/** Returns the programs that a proxy needs. */
export const toolsOf = (proxy: ProxyKind | undefined): readonly Tool[] => {
  switch (proxy?.kind) {
    case 'squid':
      return ['squid'];
    case 'socks':
      return ['microsocks'];
    case 'mitmproxy':
      return ['mitmdump'];
    default:
      return [];
  }
};

type Surroundings = {readonly network: Network; readonly certificates: string; readonly zone: Zone};

export type RunningProxy = {
  /** Ends it at once, with every connection through it. */
  stop(): Promise<void>;
};

/** Starts a proxy, and waits until it listens. */
export const startProxy = async (proxy: ProxyKind, surroundings: Surroundings): Promise<RunningProxy> => {
  const {network, zone} = surroundings;
  const command = await commandOf(proxy, surroundings);
  const child = network.start('router', command, {instead: zone.known});
  const ended = ready(child, /(?!)/);
  await Promise.race([ended, listening(network)]);
  ended.catch(() => {});
  return {
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
};

/** Waits by asking the system, because not every proxy reports when it listens. */
const listening = async ({run}: Network): Promise<void> => {
  for (;;) {
    if ((await run('router', 'ss', '-Hltn', `sport = :${PROXY_PORT}`)).trim() !== '') return;
    await wait(50);
  }
};

const commandOf = async (proxy: ProxyKind, {network, certificates}: Surroundings): Promise<readonly string[]> => {
  const {directory} = network;
  switch (proxy.kind) {
    case 'squid': {
      const file = join(directory, 'squid.conf');
      await writeFile(file, await squidConfiguration(proxy, directory, certificates));
      // The name separates what squid shares with its helpers from that of other instances on this machine.
      // It may have 32 characters. Only the last characters of a directory's name are unique.
      return [tool('squid'), '-N', '-f', file, '-n', `n${directory.replace(/[^a-z0-9]/gi, '').slice(-24)}`];
    }
    case 'socks': {
      const credentials = proxy.password ? ['-u', PROXY_USER, '-P', PROXY_PASSWORD] : [];
      return [tool('microsocks'), '-i', addresses.router, '-p', String(PROXY_PORT), ...credentials];
    }
    case 'mitmproxy': {
      const own = join(directory, 'mitmproxy');
      await mkdir(own);
      const {authority, interceptorWithKey} = certificatePaths(certificates);
      await copyFile(interceptorWithKey, join(own, 'mitmproxy-ca.pem'));
      const options = [`confdir=${own}`, `ssl_verify_upstream_trusted_ca=${authority}`, 'connection_strategy=lazy'];
      const port = ['--listen-host', addresses.router, '--listen-port', String(PROXY_PORT)];
      const mode = ['--mode', proxy.mode, '--quiet'];
      return [tool('mitmdump'), ...mode, ...port, ...options.flatMap(one => ['--set', one])];
    }
    case 'page':
      return [process.execPath, fileURLToPath(new URL('page-process.ts', import.meta.url)), String(PROXY_PORT)];
  }
};

const squidConfiguration = async (
  {password, denies, delay, tls}: Extract<ProxyKind, {kind: 'squid'}>,
  directory: string,
  certificates: string,
): Promise<string> => {
  const lines: string[] = [];
  if (password) {
    const users = join(directory, 'users');
    const {stdout} = await promisify(execFile)(tool('openssl'), ['passwd', '-apr1', PROXY_PASSWORD]);
    await writeFile(users, `${PROXY_USER}:${stdout}`);
    lines.push(`auth_param basic program /usr/lib/squid/basic_ncsa_auth ${users}`, 'auth_param basic realm corp');
    lines.push('acl signed-in proxy_auth REQUIRED', 'http_access deny !signed-in');
  }
  if (delay !== undefined) {
    const helper = join(directory, 'delay');
    await writeFile(helper, `#!/bin/sh\nwhile read -r _; do sleep ${delay}; echo OK; done\n`);
    await chmod(helper, 0o755);
    lines.push(`external_acl_type delay ttl=0 children-max=20 children-startup=12 %SRCPORT ${helper}`);
    lines.push('acl late external delay', 'http_access deny !late');
  }
  lines.push(`http_access ${denies ? 'deny' : 'allow'} all`);
  const {certificate, key} = certificatePaths(certificates);
  const port = PROXY_PORT;
  lines.push(
    tls ? `https_port ${port} tls-cert=${certificate('platform')} tls-key=${key('platform')}` : `http_port ${port}`,
    ...[`visible_hostname ${addresses.router}`, 'cache deny all', 'cache_mem 8 MB', 'memory_pools off'],
    ...['pid_filename none', 'access_log none', 'cache_log /dev/null', 'cache_store_log none', 'netdb_filename none'],
    ...['shutdown_lifetime 0 seconds', 'pinger_enable off', 'coredump_dir /', 'max_filedescriptors 1024'],
  );
  return `${lines.join('\n')}\n`;
};
