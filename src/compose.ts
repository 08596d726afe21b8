import type {Dispatcher} from 'undici';
import {createMessageQueue} from './message-queue.ts';
import {createCallback} from './ports/browser/loopback-server.ts';
import {createBrowser} from './ports/browser/system-browser.ts';
import {createExclusiveFiles} from './ports/files/exclusive-files.ts';
import {fileVersion} from './ports/files/file-version.ts';
import {createFiles} from './ports/files/files.ts';
import {createJournal} from './ports/files/journal.ts';
import {createOwnerOnly} from './ports/files/owner-only.ts';
import {counter, createHttp, createStreams, policyOf} from './ports/network/http.ts';
import {createSystemStore, type Route, type SystemStore} from './ports/network/route.ts';
import type {Env, NetworkInspector, Ports, Processes, UserMessage} from './ports/ports.ts';
import {createProcesses} from './ports/processes/processes.ts';
import {shellOf} from './ports/processes/shell.ts';
import {recorded} from './ports/recorded.ts';
import type {Recorder} from './ports/recorder.ts';
import type {OwnCopies, OwnFiles} from './ports/storage.ts';
import {systemClock} from './ports/system-clock.ts';
import {createEraStore, createProviderStore, createVersionStore} from './store/caches.ts';
import {configFormat} from './store/config-schema.ts';
import {createConfigStore} from './store/config-store.ts';
import type {ConfigWriter} from './store/config-writer.ts';
import {createCredentialsStore} from './store/credentials-store.ts';
import {findOwnPaths, type OwnPaths} from './store/own-paths.ts';

/** Loads the inspector at its first use, which is rare. */
const lazyInspector = (route: Route, env: Env): NetworkInspector => {
  const load = async () => (await import('./ports/network/inspector.ts')).createInspector(route, env);
  let loading: ReturnType<typeof load> | undefined;
  const inspector = () => {
    loading ??= load();
    return loading;
  };
  return {
    resolve: async host => (await inspector()).resolve(host),
    proxy: async url => (await inspector()).proxy(url),
    connectToProxy: async (url, signal) => (await inspector()).connectToProxy(url, signal),
    connect: async (url, signal) => (await inspector()).connect(url, signal),
    certificate: async (url, signal) => (await inspector()).certificate(url, signal),
  };
};

/** Loads the code for copies of this program when it is first used: few runs make, list or remove a copy. */
const lazyCopies = (directory: string): OwnCopies => {
  const load = async () => (await import('./store/own-copies.ts')).createOwnCopies(directory);
  return {
    has: async copy => (await load()).has(copy),
    make: async copy => (await load()).make(copy),
    list: async () => (await load()).list(),
    note: async (copy, unusedSince) => (await load()).note(copy, unusedSince),
    remove: async copy => (await load()).remove(copy),
  };
};

/**
 * Returns the port that lists and removes this program's own files. Its code is loaded at the first call, because only an
 * uninstall, and an undo that leaves nothing, need it.
 */
const lazyOwnFiles = (places: OwnPaths): OwnFiles => {
  const {home, config, credentials, resume, providers, versions, eras, helperTokens, programs} = places;
  const {journal, locks, bridges, records, compiled} = places;
  const files = [config, credentials, resume, providers, versions, eras, helperTokens];
  const directories = [journal, locks, bridges, records, ...(compiled === undefined ? [] : [compiled])];
  const load = async () => (await import('./store/own-files.ts')).createOwnFiles({files, directories, programs, home});
  return {
    list: async () => (await load()).list(),
    remove: async () => (await load()).remove(),
    removeDirectories: async () => (await load()).removeDirectories(),
  };
};

/** Returns the system's certificates as a process that starts now sees them. */
const readSystemStore = async ({run}: Processes): Promise<readonly string[] | undefined> => {
  const print = "process.stdout.write(JSON.stringify(require('node:tls').getCACertificates('system')))";
  const {signal} = new AbortController();
  const result = await run(process.execPath, ['--eval', print], {timeout: 10_000, signal, environment: 'shell'});
  return result.outcome === 'exited' && result.code === 0 ? JSON.parse(result.stdout) : undefined;
};

type Options = {
  readonly allowHttp: readonly string[];
  readonly recorder?: Recorder;
  /** The running command. The journal names it in the record of each of its writes. */
  readonly command?: string;
  readonly startApart?: NonNullable<Processes['startApart']>;
  /** Makes the calls. A test passes one of its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Loads what writes the config. A test passes one that needs no schema compiler. */
  readonly loadConfigWriter?: () => Promise<ConfigWriter>;
};

const loadConf = async () => (await import('./store/config-writer.ts')).createConfigWriter(configFormat);

/**
 * Builds the real ports, without the network settings of a deployment. A test may replace the network and the writer of
 * the config. Everything else is the real code.
 */
export const compose = (env: Env, options: Options): Ports => {
  const places = findOwnPaths(env);
  const journal = createJournal(places.journal, systemClock.now, options.command);
  const {startApart} = options;
  const processes = {...createProcesses(env), ...(startApart ? {startApart} : {})};
  const lists = process.platform === 'win32' ? createOwnerOnly(env, processes) : undefined;
  const files = createFiles(journal, places.locks, lists);
  const openKeychain = async () => (await import('./store/keychain.ts')).openKeychain(env);
  const config = createConfigStore(files, places.config, options.loadConfigWriter ?? loadConf);
  const {push: send, next, clear} = createMessageQueue<UserMessage>();
  const exclusiveFiles = createExclusiveFiles();
  const shared: Omit<Ports, keyof NetworkPorts> = {
    clock: systemClock,
    processes,
    files,
    journal,
    config,
    credentials: createCredentialsStore(files, places.credentials, openKeychain),
    providers: createProviderStore(files, places.providers, systemClock.now),
    versions: createVersionStore(files, places.versions, fileVersion),
    eras: createEraStore(files, places.eras, {fileVersion, now: systemClock.now}),
    exclusiveFiles,
    memory: {stored: new Map(), unsaved: new Map(), renewals: new Map(), failures: new Map()},
    copies: lazyCopies(places.programs),
    ownFiles: lazyOwnFiles(places),
    callback: createCallback(processes, {directory: places.locks, exclusiveFiles, now: systemClock.now}),
    browser: createBrowser(env),
    inbox: {send, next, clear},
    record: options.recorder?.record ?? (() => {}),
  };
  const networkBy = networks(
    env,
    createSystemStore(() => readSystemStore(processes)),
    options,
  );
  const withRoute: Ports['withRoute'] = way => Object.freeze({...shared, ...networkBy(way), withRoute});
  const ports = withRoute({settings: {}, passwords: {}});
  return options.recorder ? recorded(ports, options.recorder) : ports;
};

type NetworkPorts = Pick<Ports, 'http' | 'streams' | 'network' | 'route' | 'withRoute'>;

/** Returns the network ports for given settings. Equal settings share their connections. */
const networks = (
  env: Env,
  system: SystemStore,
  {allowHttp, dispatcher}: Pick<Options, 'allowHttp' | 'dispatcher'>,
): ((way: Parameters<Ports['withRoute']>[0]) => Omit<NetworkPorts, 'withRoute'>) => {
  const made = new Map<string, Omit<NetworkPorts, 'withRoute'>>();
  const count = counter();
  const create = (route: Route) => {
    const policy = policyOf({allowHttp}, route);
    const streams = createStreams(env, policy, route, {now: systemClock.now, dispatcher});
    const http = createHttp(streams, policy, systemClock.monotonic, shellOf(env, process.platform), count);
    return {http, streams, route, network: lazyInspector(route, env)};
  };
  return ({settings, passwords}) => {
    const key = JSON.stringify([settings, passwords]);
    const network = made.get(key) ?? create({settings, passwords, system});
    made.set(key, network);
    return network;
  };
};
