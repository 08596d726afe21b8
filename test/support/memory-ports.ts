import type {Config} from '../../src/domain/context.ts';
import {type Credentials, nameOfKey} from '../../src/domain/credentials.ts';
import {sha256} from '../../src/domain/fingerprint.ts';
import {cutTokens, withSignedOut} from '../../src/domain/token-spans.ts';
import {SetupError} from '../../src/errors/errors.ts';
import type {Ports} from '../../src/ports/ports.ts';
import type {FileContents, JournalEntry, TokensInFile, WriteOptions} from '../../src/ports/storage.ts';
import {routeBy} from './route.ts';

const noTokens: TokensInFile = {before: [], after: []};

/**
 * The edges of the program in memory: files, journal, config and credentials, without locks, links and modes. Other
 * ports are absent. For tests that run thousands of flows; the real files have tests of their own.
 */
export const memoryPorts = () => {
  const contents = new Map<string, FileContents>();
  const entries: JournalEntry[] = [];
  const kept = new Map<string, Credentials>();
  const state = {run: 0};

  type Record = Pick<WriteOptions, 'directories' | 'signedOut' | 'isSignOut'> & {readonly tokens: TokensInFile};
  const record = (path: string, after: Buffer | null, {tokens, directories, signedOut, isSignOut}: Record) => {
    const before = contents.get(path);
    const cut = cutTokens(before?.bytes ?? Buffer.alloc(0), tokens.before);
    const left = after && (signedOut === undefined ? withSignedOut(after, tokens.after) : Buffer.from(signedOut));
    entries.push({
      ...{id: String(entries.length + 1), run: String(state.run), at: '2026-01-01T00:00:00.000Z', path},
      before: before ? {mode: before.mode, base64: cut.bytes.toString('base64'), cuts: cut.cuts} : null,
      after: after && sha256(after),
      ...(left && after && !left.equals(after) ? {signedOut: sha256(left)} : {}),
      ...(isSignOut ? {isSignOut} : {}),
      ...(directories ? {directories} : {}),
    });
  };

  const files = {
    exists: async path => contents.has(path),
    holdsOther: async () => false,
    isForOwner: async () => true,
    list: async () => [],
    madeFor: async () => [],
    removeEmpty: async () => {},
    targetOf: async path => path,
    read: async path => contents.get(path),
    write: async (path, content, options) => {
      const bytes = Buffer.from(content as string);
      const before = contents.get(path);
      const {expected} = options;
      if (expected !== undefined && !(expected === null ? !before : before?.bytes.equals(expected)))
        throw new SetupError('local-file-changed', path, {about: {path}});
      if (before?.bytes.equals(bytes)) return;
      if (options.journal) record(path, bytes, {tokens: noTokens, ...options});
      contents.set(path, {bytes, mode: before && !options.tighten ? before.mode : options.mode});
    },
    remove: async (path, {journal = false, tokens = []} = {}) => {
      if (journal && contents.has(path)) record(path, null, {tokens: {before: tokens, after: []}});
      contents.delete(path);
    },
    leftoversOf: async () => [],
    clean: async () => {},
    removeLeftovers: async () => {},
    check: async () => {},
    reserve: async () => ({write: async () => {}, release: async () => {}}),
    withLock: async (_path, work) => work(),
    isLocked: async () => false,
  } satisfies Ports['files'];

  const configPath = '/setup/config.json';
  const readConfig = async (): Promise<Config> =>
    JSON.parse(contents.get(configPath)?.bytes.toString('utf8') ?? '{"version":1,"contexts":[]}');
  const writeConfig = (config: Config) =>
    files.write(configPath, JSON.stringify(config), {mode: 0o600, own: true, journal: true});
  const config = {
    path: configPath,
    read: readConfig,
    saveContext: async (context, change = () => context.entries ?? []) => {
      const {contexts, ...rest} = await readConfig();
      const known = contexts.find(({name}) => name === context.name)?.entries ?? [];
      const others = contexts.filter(({name}) => name !== context.name);
      await writeConfig({...rest, contexts: [...others, {...context, entries: change(known)}]});
    },
    saveEntries: async (name, change) => {
      const {contexts, ...rest} = await readConfig();
      const changed = contexts.map(one => (one.name === name ? {...one, entries: change(one.entries ?? [])} : one));
      await writeConfig({...rest, contexts: changed});
    },
    saveRelease: async (name, release) => {
      const {contexts, ...rest} = await readConfig();
      await writeConfig({...rest, contexts: contexts.map(one => (one.name === name ? {...one, release} : one))});
    },
    saveOnlyLook: async (name, isOn) => {
      const {contexts, ...rest} = await readConfig();
      const changed = contexts.map(({onlyLook: _, ...one}) =>
        one.name === name && isOn ? {...one, onlyLook: true as const} : one,
      );
      await writeConfig({...rest, contexts: changed});
    },
    saveCli: async () => {},
    saveAssistantsAccount: async () => {},
    useContext: async () => {},
    removeContext: async name => {
      const {contexts, ...rest} = await readConfig();
      await writeConfig({...rest, contexts: contexts.filter(one => one.name !== name)});
    },
  } satisfies Ports['config'];

  const keep = (name: string, credentials: Credentials | undefined) => {
    const held = kept.get(name)?.heldTokens;
    if (!credentials) kept.delete(name);
    else kept.set(name, {...(held === undefined ? {} : {heldTokens: held}), ...credentials});
    return credentials;
  };
  const credentials = {
    path: '/setup/credentials.json',
    where: async () => 'file',
    get: async key => kept.get(nameOfKey(key)),
    withClientSecret: async () => [...kept.values()].filter(one => one.clientSecret !== undefined),
    getEach: async keys => keys.map(key => ({status: 'fulfilled', value: kept.get(nameOfKey(key))}) as const),
    transaction: async (key, work) => {
      const read = async () => kept.get(nameOfKey(key));
      const write = async (next: Credentials | undefined) => void keep(nameOfKey(key), next);
      return {value: await work({current: await read(), read, reserve: async () => {}, write})};
    },
    update: async (key, change) => keep(nameOfKey(key), await change(kept.get(nameOfKey(key)))),
    replace: async (key, next) => {
      keep(nameOfKey(key), next);
    },
    purge: async () => {},
  } satisfies Ports['credentials'];

  const absent = (): never => {
    throw new SetupError('network-refused', 'There is no network.');
  };
  const ports = {
    files,
    config,
    credentials,
    journal: {
      list: async () => [...entries],
      damaged: async () => [],
      read: async kept => ('base64' in kept ? Buffer.from(kept.base64, 'base64') : Buffer.alloc(0)),
      forget: async ({id}) => {
        entries.splice(
          entries.findIndex(one => one.id === id),
          1,
        );
      },
    } satisfies Ports['journal'],
    clock: {now: () => 1_800_000_000_000, monotonic: () => 0, sleep: async () => {}},
    processes: {
      find: async () => undefined,
      run: async () => ({outcome: 'missing'}),
      self: () => ({pid: 1, host: 'here'}),
      isRunning: () => false,
      hold: () => {},
    },
    copies: {
      list: async () => [],
      has: async () => true,
      make: async () => {},
      note: async () => {},
      remove: async () => {},
    },
    ownFiles: {
      list: async () => [configPath],
      remove: async () => {
        contents.delete(configPath);
        entries.length = 0;
      },
      removeDirectories: async () => [],
    },
    http: {send: async () => absent(), fetch: () => absent()},
    streams: {},
    providers: {get: async () => ({}), put: async () => {}, keep: async () => {}},
    versions: {get: async () => undefined, put: () => {}, keep: async () => {}},
    route: routeBy(),
    memory: {stored: new Map(), unsaved: new Map(), renewals: new Map(), failures: new Map()},
    record: () => {},
  } as unknown as Ports;
  return {
    ports,
    /** Starts the program anew: undo reverts the writes of each start separately. */
    begin: () => {
      state.run += 1;
    },
    put: (path: string, text: string) => contents.set(path, {bytes: Buffer.from(text), mode: 0o600}),
    text: (path: string) => contents.get(path)?.bytes.toString('utf8'),
    journalText: () =>
      JSON.stringify(
        entries.map(({before}) => before && 'base64' in before && Buffer.from(before.base64, 'base64').toString()),
      ),
  };
};
