import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, inject, onTestFinished} from 'vitest';
import {jsonLines} from '../../e2e/support/run.ts';
import {createSurroundings, launcher} from '../../support/terminal/terminal-environment.ts';
import {certificatePaths, hosts} from './certificates.ts';
import {startNames} from './names.ts';
import {addresses, createNetwork, type Network} from './namespaces.ts';
import {type Platform, startPlatform} from './platform.ts';
import {PROXY_PASSWORD, PROXY_PORT, startProxy} from './proxies.ts';
import type {Failure, Situation} from './situation.ts';

export type Ran = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

type RunOptions = {readonly env?: Readonly<Record<string, string>>; readonly cwd?: string};

/** A network with a platform and a person, for one test. */
export type Scene = {
  readonly network: Network;
  readonly platform: Platform | undefined;
  stopProxy(): Promise<void>;
  restartProxy(): Promise<void>;
  /** HOME. Empty at first. */
  readonly home: string;
  readonly setupHome: string;
  /** The project directory, in which the program runs. */
  readonly project: string;
  /** The environment of the program in this situation, including the client's secret. */
  readonly env: Readonly<Record<string, string>>;
  /** The flags with the platform's addresses and the sign-in. */
  readonly flags: readonly string[];
  /** Starts a program as the person. */
  start(command: readonly string[], options?: RunOptions): ReturnType<Network['start']>;
  /** Runs the built program to its end. */
  setup(args: readonly string[], options?: RunOptions): Promise<Ran>;
};

/** Sets everything up, and removes it when the test ends. */
export const sceneFor = async (situation: Omit<Situation, 'end' | 'name'>): Promise<Scene> => {
  const certificates = inject('certificates');
  const network = await createNetwork();
  onTestFinished(() => network.remove());
  const surroundings = createSurroundings();
  onTestFinished(() => surroundings.remove());

  const zone = await startNames(network, situation.names ?? {});
  await putUpFirewall(network, situation);
  const options = situation.platform ?? {};
  const platform = options === false ? undefined : await startPlatform(network, certificates, options, zone);
  const surroundingsOfProxy = {network, certificates, zone};
  let proxy = situation.proxy && (await startProxy(situation.proxy, surroundingsOfProxy));
  const stopProxy = async () => proxy?.stop();
  const restartProxy = async () => {
    proxy = situation.proxy && (await startProxy(situation.proxy, surroundingsOfProxy));
  };

  const {trust = 'NODE_EXTRA_CA_CERTS', clientCertificate} = situation;
  const paths = certificatePaths(certificates);
  const secret = platform?.clientSecret ?? 'secret-of-nobody-at-all';
  const env = {
    ...surroundings.env,
    CLI_CLIENT_ID: platform?.clientId ?? 'nobody',
    CLI_CLIENT_SECRET: secret,
    ...(trust === 'NODE_EXTRA_CA_CERTS' || trust === 'SSL_CERT_FILE' ? {[trust]: paths.authority} : {}),
    ...situation.env,
  };
  const scheme = options !== false && options.scheme === 'http' ? 'http' : 'https';
  const own = clientCertificate && {
    certificate: paths.certificate(clientCertificate),
    key: paths.key(clientCertificate),
  };
  const flags = [
    ...['--base-domain', 'acme.test', '--control-plane-url', `${scheme}://${hosts.controlPlane}`],
    ...['--auth-url', `${scheme}://${hosts.identityProvider}`, '--observer-url', `${scheme}://${hosts.observer}`],
    ...['--sign-in', 'service-account'],
    ...(trust === '--ca-file' ? ['--ca-file', paths.authority] : []),
    ...(trust === 'interceptor' ? ['--ca-file', paths.interceptor] : []),
    ...(own ? ['--client-cert', own.certificate, '--client-key', own.key] : []),
    ...(situation.flags ?? []),
  ];
  const instead = {...zone.client, ...(trust === 'system' ? {'/etc/ssl/certs': paths.store} : {})};
  const start: Scene['start'] = (command, {env: more = env, cwd = surroundings.temporary} = {}) =>
    network.start('client', command, {env: more, cwd, instead});
  const setup: Scene['setup'] = async (args, runOptions) => {
    const child = start([process.execPath, launcher, ...args], runOptions);
    const said = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.stdin?.end();
    const [code] = await once(child, 'close');
    return {code, ...said};
  };
  const {home, setupHome, temporary} = surroundings;
  return {network, platform, stopProxy, restartProxy, home, setupHome, project: temporary, env, flags, start, setup};
};

const putUpFirewall = async ({run}: Network, {firewall = [], proxy}: Omit<Situation, 'end' | 'name'>) => {
  const isTransparent = proxy?.kind === 'mitmproxy' && proxy.mode === 'transparent';
  const rules = [
    'table inet firewall {',
    'chain forward { type filter hook forward priority 0; policy accept;',
    // Like firewalls: packets of an unknown flow are dropped silently.
    ...['ct state invalid drop', ...firewall],
    '}',
    'chain prerouting { type nat hook prerouting priority -100;',
    ...(isTransparent ? [`ip daddr ${addresses.platform} tcp dport 443 redirect to :${PROXY_PORT}`] : []),
    '}',
    '}',
  ];
  await run('router', 'nft', rules.join('\n'));
};

/** Runs the command of most situations. */
export const setUp = ({setup, flags}: Scene, ...more: readonly string[]): Promise<Ran> =>
  setup(['--yes', '--json', '--assistants', 'none', ...flags, ...more]);

/** Runs a situation, and compares its end with the expected one. */
export const expectEnd = async ({end, hearsNothing, ...situation}: Situation): Promise<void> => {
  const scene = await sceneFor(situation);
  const ran = await setUp(scene);
  expectNoSecret(scene, ran);
  if (hearsNothing) expect(scene.platform?.told.filter(({type}) => type === 'request')).toEqual([]);
  if (end !== 'connected') return expectFailure(ran, end);

  expect(lastOf(ran), endOf(ran)).toMatchObject({type: 'done', baseDomain: 'acme.test'});
  expect(ran).toMatchObject({code: 0, stderr: ''});
  // A later command reaches the platform with the saved data as well.
  const tools = await scene.setup(['mcp', 'tools', 'control-plane', '--json']);
  expectNoSecret(scene, tools);
  expect(tools).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining('list_organizations')});
};

export const expectFailure = (ran: Ran, {code, exit = 3, says, saysNot}: Failure): void => {
  const failure = lastOf(ran);
  expect(failure, endOf(ran)).toMatchObject({type: 'failed', code, message: expect.stringMatching(says)});
  if (saysNot) expect(`${failure?.message}`).not.toMatch(saysNot);
  expect(ran.code).toBe(exit);
};

/** Returns the last output, for a person who looks into a failed test. */
const endOf = ({stdout, stderr}: Ran) => `it exited with code ${stdout.trimEnd().split('\n').at(-1)}${stderr}`;

const lastOf = ({stdout}: Ran) => (stdout === '' ? undefined : jsonLines(stdout).at(-1));

/** Checks that no secret was printed, and that no file contains one that may not. */
export const expectNoSecret = ({platform, setupHome}: Scene, {stdout, stderr}: Ran): void => {
  const [config, credentials] = ['config.json', 'credentials.json'].map(name => contentOf(join(setupHome, name)));
  const tokens = credentials?.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? [];
  const secrets = [PROXY_PASSWORD, encodeURIComponent(PROXY_PASSWORD), platform?.clientSecret ?? '', ...tokens];
  const said = [stdout, stderr, config].join('\n');
  for (const secret of secrets.filter(one => one !== '')) expect(said.includes(secret), 'a secret').toBe(false);
};

const contentOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
