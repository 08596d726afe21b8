import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isExecutable, onPath} from '../../cluster/support/tools.ts';

/** Of mitmproxy, where it has to be installed. */
export const MITMPROXY_VERSION = '11.0.2';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/networks', import.meta.url));

/** Where mitmproxy is installed. */
export const mitmproxyDirectory = join(cache, `mitmproxy-${MITMPROXY_VERSION}`);

/** Where each program comes from. Without the first ones nothing can be tried; each of the others, some situations want. */
const origins = {
  ip: 'Debian: iproute2',
  nft: 'Debian: nftables',
  dnsmasq: 'Debian: dnsmasq-base',
  openssl: 'Debian: openssl',
  conntrack: 'Debian: conntrack',
  squid: 'Debian: squid',
  microsocks: 'Debian: microsocks',
  python3: 'Debian: python3',
  mitmdump: 'PyPI: mitmproxy',
} as const;

export type Tool = keyof typeof origins;

const always: readonly Tool[] = ['ip', 'nft', 'dnsmasq', 'openssl'];

/** The path of a program, which is there. */
export const tool = (name: Tool): string => {
  const path = find(name);
  if (path === undefined) throw new Error(`${name} is missing.`);
  return path;
};

let mayMakeNamespaces: boolean | undefined;

/** What is missing for situations that want these tools besides those that all want; undefined where nothing is. */
export const missingFor = (wanted: readonly Tool[] = []): string | undefined => {
  if (process.platform !== 'linux') return 'network namespaces, which only Linux has';
  // Root in a container may lack them.
  mayMakeNamespaces ??= spawnSync('unshare', ['--net', '--mount', 'true']).status === 0;
  if (!mayMakeNamespaces) return 'the right to make network namespaces, which root has';
  return missing([...always, ...wanted]);
};

/** The same for every situation together. */
export const missingAtAll = (): string | undefined => missingFor(Object.keys(origins) as Tool[]);

const missing = (wanted: readonly Tool[]): string | undefined => {
  const absent = [...new Set(wanted)].filter(name => find(name) === undefined);
  return absent.length === 0 ? undefined : absent.map(name => `${name} (${origins[name]})`).join(', ');
};

const find = (name: Tool): string | undefined => {
  // Some systems have these outside of PATH, as only root uses them.
  const known = onPath(name) ?? [`/usr/sbin/${name}`, `/sbin/${name}`].find(isExecutable);
  if (known !== undefined || name !== 'mitmdump') return known;
  return [join(mitmproxyDirectory, 'bin', name)].find(isExecutable);
};
