import {createFiles, type Journal} from './ports/node-files.ts';
import {createProcesses} from './ports/node-processes.ts';
import type {Env, Ports} from './ports/ports.ts';
import {systemClock} from './ports/system-clock.ts';
import {createHttp} from './ports/undici-http.ts';
import {createConfigStore} from './state/config-store.ts';
import {createCredentialsStore} from './state/credentials-store.ts';
import {createJournal} from './state/journal-store.ts';
import {findPlaces} from './state/places.ts';
import {createVault} from './state/vault.ts';

/** Builds the real ports, once per run. Tests replace the edge that they are about, never what lies between. */
export const compose = (env: Env, options: {readonly allowHttp: readonly string[]}): Ports => {
  const places = findPlaces(env);
  const journal: Journal = createJournal({
    directory: places.journal,
    now: systemClock.now,
    issuers: async () => (await config.read()).contexts.map(({issuer}) => issuer),
  });
  const files = createFiles(journal);
  const config = createConfigStore(files, places.config);
  return Object.freeze({
    http: createHttp(env, options, systemClock.monotonic),
    clock: systemClock,
    processes: createProcesses(env),
    files,
    config,
    credentials: createCredentialsStore(files, places.credentials),
    vault: createVault(),
  });
};
