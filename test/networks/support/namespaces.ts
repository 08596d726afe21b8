import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

/** The place at which a program runs: the person's network, the router between, or the platform's network. */
export type Place = 'client' | 'router' | 'platform';

/** The addresses in each network. They never leave its namespaces. */
export const addresses = {
  client: '10.77.1.2',
  router: '10.77.1.1',
  platform: '10.77.2.2',
  platform6: 'fd77:2::2',
  /** An unused address. Packets to it are dropped. */
  nowhere: '10.77.9.9',
  nowhere6: 'fd77:9::9',
} as const;

type Options = {
  /** The whole environment. That of the tests by default. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Files and directories that replace others, for this program only. */
  readonly instead?: Readonly<Record<string, string>>;
};

export type Network = {
  /** Readable by all accounts, and removed with the network. */
  readonly directory: string;
  /** Starts a program there. Removing the network kills it. */
  start(place: Place, command: readonly string[], options?: Options): ChildProcess;
  /** Runs a program there to its end, which must be a success. Resolves with its standard output. */
  run(place: Place, ...command: readonly string[]): Promise<string>;
  remove(): Promise<void>;
};

const PREFIX = 'setup-test';
const execute = promisify(execFile);
const ip = (...args: readonly string[]) => execute('ip', args);

/** Mounts files over others, visible to this program only, and then executes the program. */
const SCRIPT = [
  'while [ "$1" != -- ]; do /bin/mount --bind "$1" "$2" || exit 125; shift 2; done',
  'shift',
  'exec "$@"',
].join('\n');

let made = 0;

/** Creates a client and a platform, each on a network of its own, and a router between the two. */
export const createNetwork = async (): Promise<Network> => {
  made += 1;
  const nameOf = (place: Place) => `${PREFIX}-${process.pid}-${made}-${place}`;
  const places: readonly Place[] = ['client', 'router', 'platform'];
  const directory = mkdtempSync(join(tmpdir(), 'setup-network-'));
  const children = new Set<ChildProcess>();

  const inside = (place: Place, command: readonly string[], instead: Options['instead'] = {}) => {
    const binds = Object.entries(instead).flatMap(([path, stand]) => [stand, path]);
    return ['netns', 'exec', nameOf(place), '/bin/sh', '-c', SCRIPT, 'sh', ...binds, '--', ...command];
  };
  const network: Network = {
    directory,
    start(place, command, {instead, ...options} = {}) {
      const child = spawn(ipPath(), inside(place, command, instead), options);
      children.add(child);
      child.once('close', () => children.delete(child));
      return child;
    },
    run: async (place, ...command) => (await ip(...inside(place, command))).stdout,
    async remove() {
      for (const child of children) child.kill('SIGKILL');
      for (const place of places) await removeNamespace(nameOf(place));
      rmSync(directory, {recursive: true, force: true});
    },
  };
  try {
    for (const place of places) await ip('netns', 'add', nameOf(place));
    await connect(network, nameOf);
    await execute('chmod', ['755', directory]);
    return network;
  } catch (error) {
    await network.remove();
    throw error;
  }
};

const ipPath = () => ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find(existsSync) ?? 'ip';

const connect = async ({run}: Network, nameOf: (place: Place) => string): Promise<void> => {
  const script = (place: Place, ...lines: readonly string[]) => run(place, '/bin/sh', '-ec', lines.join('\n'));
  // An IPv6 address is usable at once, without a second of duplicate address detection.
  const noWaiting = 'for of in all default; do echo 0 > /proc/sys/net/ipv6/conf/$of/accept_dad; done';
  for (const place of ['client', 'router', 'platform'] as const) await script(place, noWaiting);
  const pair = ['type', 'veth', 'peer', 'name', 'eth0', 'netns'];
  for (const [device, place] of [
    ['inside', 'client'],
    ['outside', 'platform'],
  ] as const) {
    await ip('-n', nameOf('router'), 'link', 'add', device, ...pair, nameOf(place));
  }
  await script(
    'router',
    'ip link set lo up',
    'ip link set inside up',
    'ip link set outside up',
    `ip address add ${addresses.router}/24 dev inside`,
    'ip address add fd77:1::1/64 dev inside nodad',
    'ip address add 10.77.2.1/24 dev outside',
    'ip address add fd77:2::1/64 dev outside nodad',
    // Packets to nowhere vanish, as in a network that drops them.
    'ip route add blackhole 10.77.9.0/24',
    'ip -6 route add blackhole fd77:9::/64',
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    'echo 1 > /proc/sys/net/ipv6/conf/all/forwarding',
    // The firewall does not recognise a flow that began before it.
    'echo 0 > /proc/sys/net/netfilter/nf_conntrack_tcp_loose',
  );
  for (const [place, own, subnet] of [
    ['client', addresses.client, 1],
    ['platform', addresses.platform, 2],
  ] as const) {
    await script(
      place,
      'ip link set lo up',
      'ip link set eth0 up',
      `ip address add ${own}/24 dev eth0`,
      `ip address add fd77:${subnet}::2/64 dev eth0 nodad`,
      `ip route add default via 10.77.${subnet}.1`,
      `ip route add default via fd77:${subnet}::1`,
    );
  }
};

const removeNamespace = async (name: string): Promise<void> => {
  const {stdout} = await ip('netns', 'pids', name).catch(() => ({stdout: ''}));
  for (const pid of stdout.split('\n').filter(line => line !== '')) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has ended in the meantime.
    }
  }
  await ip('netns', 'delete', name).catch(() => {});
};

/** Removes the namespaces of earlier runs that were killed before they could remove them. */
export const removeAbandoned = async (): Promise<void> => {
  const {stdout} = await ip('netns', 'list');
  for (const name of stdout.match(new RegExp(`^${PREFIX}-\\S+`, 'gm')) ?? []) {
    const owner = name.split('-')[2];
    if (!existsSync(`/proc/${owner}`)) await removeNamespace(name);
  }
};
