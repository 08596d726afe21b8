import {createInbox} from './ports/inbox.ts';
import {createHttp} from './ports/network/http-client.ts';
import {createStreams} from './ports/network/streams-by-policy.ts';
import {createCallback} from './ports/node-callback.ts';
import {createFiles} from './ports/node-files.ts';
import {createJournal} from './ports/node-journal.ts';
import {createProcesses} from './ports/node-processes.ts';
import type {Env, NetworkInspector, Ports} from './ports/ports.ts';
import {recorded} from './ports/recorded.ts';
import type {Recorder} from './ports/recorder.ts';
import {createBrowser} from './ports/system-browser.ts';
import {systemClock} from './ports/system-clock.ts';
import {createConfigStore} from './state/config-store.ts';
import {createCredentialsStore} from './state/credentials-store.ts';
import {findPlaces} from './state/places.ts';
import {createVault} from './state/vault.ts';

/** Loaded when something is looked into, which is seldom. */
const lazyInspector: NetworkInspector = {
  resolve: async host => (await inspector()).resolve(host),
  connect: async (host, port, signal) => (await inspector()).connect(host, port, signal),
  certificate: async (host, port, signal) => (await inspector()).certificate(host, port, signal),
};

const inspector = async () => (await import('./ports/network/network-inspector.ts')).networkInspector;

/** Builds the real ports, once per run. Tests replace the edge that they are about, never what lies between. */
export const compose = (
  env: Env,
  options: {readonly allowHttp: readonly string[]; readonly recorder?: Recorder},
): Ports => {
  const places = findPlaces(env);
  const journal = createJournal(places.journal, systemClock.now);
  const files = createFiles(journal);
  const processes = createProcesses(env);
  const openKeychain = async () => (await import('./ports/system-keychain.ts')).openKeychain(env);
  const config = createConfigStore(files, places.config);
  const ports: Ports = Object.freeze({
    http: createHttp(createStreams(env, options), options, systemClock.monotonic),
    clock: systemClock,
    processes,
    files,
    journal,
    config,
    credentials: createCredentialsStore(files, places.credentials, openKeychain),
    vault: createVault(),
    callback: createCallback(processes),
    browser: createBrowser(env),
    network: lazyInspector,
    inbox: createInbox(),
    record: options.recorder?.record ?? (() => {}),
  });
  return options.recorder ? recorded(ports, options.recorder) : ports;
};
