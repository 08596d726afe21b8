import type {ChildProcess} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {hosts, PROXY_HOST} from './certificates.ts';
import {addresses, type Network} from './namespaces.ts';
import {tool} from './tools.ts';

export type Names = {
  /** The addresses of names that differ from the usual ones. An empty list for an unknown name. */
  readonly records?: Readonly<Record<string, readonly string[]>>;
  /** The address of every unknown name. */
  readonly wildcard?: string;
  /** The client's nameservers, in the order in which it asks them. */
  readonly nameservers?: readonly string[];
};

/** Files that replace others, by which programs resolve names. */
export type Zone = {
  /** For the client: the files that point to its nameservers. */
  readonly client: Readonly<Record<string, string>>;
  /** For proxies and the platform: files with every name, whatever the client can resolve. */
  readonly known: Readonly<Record<string, string>>;
};

const usual: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.values(hosts).map(host => [host, [addresses.platform]])),
  [PROXY_HOST]: [addresses.router],
};

/** Starts the nameserver of a network, and returns the files by which programs use it. */
export const startNames = async (
  network: Network,
  {records = {}, wildcard, nameservers = [addresses.router]}: Names,
): Promise<Zone> => {
  const {directory} = network;
  const known = Object.entries({...usual, ...records}).filter(([, own]) => own.length > 0);
  const command = [
    ...[tool('dnsmasq'), '--keep-in-foreground', '--conf-file=/dev/null', '--user=root', '--log-facility=-'],
    ...['--no-resolv', '--no-hosts', '--no-poll', '--bind-interfaces', `--listen-address=${addresses.router}`],
    ...['--pid-file=', '--local=/test/', ...known.map(([name, own]) => `--host-record=${[name, ...own].join(',')}`)],
    ...(wildcard === undefined ? [] : [`--address=/test/${wildcard}`]),
  ];
  await ready(network.start('router', command), /started/);

  const path = (name: string) => join(directory, name);
  await writeFile(path('resolv.conf'), nameservers.map(one => `nameserver ${one}\n`).join(''));
  await writeFile(path('resolv-known.conf'), `nameserver ${addresses.router}\n`);
  await writeFile(path('hosts'), '127.0.0.1 localhost\n');
  await writeFile(path('hosts-known'), hostsFile());
  return {
    client: {'/etc/resolv.conf': path('resolv.conf'), '/etc/hosts': path('hosts')},
    known: {'/etc/resolv.conf': path('resolv-known.conf'), '/etc/hosts': path('hosts-known')},
  };
};

const hostsFile = () =>
  ['127.0.0.1 localhost', ...Object.entries(usual).map(([name, [address]]) => `${address} ${name}`), ''].join('\n');

/** Waits until a program prints its ready line. */
export const ready = (child: ChildProcess, pattern: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    const look = (text: string) => {
      said += text;
      if (pattern.test(said)) resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', look);
    child.stderr?.setEncoding('utf8').on('data', look);
    child.once('error', reject);
    child.once('close', code => reject(new Error(`${child.spawnargs.join(' ')} exited with code ${code}: ${said}`)));
  });
