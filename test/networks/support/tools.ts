import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isExecutable, onPath} from '../../cluster/support/tools.ts';

/** The version of mitmproxy to install. */
export const MITMPROXY_VERSION = '11.0.2';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/networks', import.meta.url));

/** The directory in which mitmproxy is installed. */
export const mitmproxyDirectory = join(cache, `mitmproxy-${MITMPROXY_VERSION}`);

/** The source of each program. Every situation needs the first ones. Only some situations need each of the others. */
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

/** Returns the path of a program, which must exist. */
export const tool = (name: Tool): string => {
  const path = find(name);
  if (path === undefined) throw new Error(`${name} is missing.`);
  return path;
};

let mayMakeNamespaces: boolean | undefined;

/** Returns what is missing for situations that need these tools besides the common ones. Undefined if nothing is. */
export const missingFor = (wanted: readonly Tool[] = []): string | undefined => {
  if (process.platform !== 'linux') return 'network namespaces, which only Linux has';
  // Root in a container may lack this right.
  mayMakeNamespaces ??= spawnSync('unshare', ['--net', '--mount', 'true']).status === 0;
  if (!mayMakeNamespaces) return 'the right to make network namespaces, which root has';
  return missing([...always, ...wanted]);
};

/** Returns the same for all situations together. */
export const missingAtAll = (): string | undefined => missingFor(Object.keys(origins) as Tool[]);

const missing = (wanted: readonly Tool[]): string | undefined => {
  const absent = [...new Set(wanted)].filter(name => find(name) === undefined);
  return absent.length === 0 ? undefined : absent.map(name => `${name} (${origins[name]})`).join(', ');
};

const find = (name: Tool): string | undefined => {
  // Some systems have these outside of PATH, because only root uses them.
  const known = onPath(name) ?? [`/usr/sbin/${name}`, `/sbin/${name}`].find(isExecutable);
  if (known !== undefined || name !== 'mitmdump') return known;
  return [join(mitmproxyDirectory, 'bin', name)].find(isExecutable);
};
