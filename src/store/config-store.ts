import {accountIn, type Config, type Context, type ContextEntry, currentContextIn} from '../domain/context.ts';
import {type About, SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {ConfigStore, Files} from '../ports/storage.ts';
import {configFormat} from './config-schema.ts';
import type {ConfigWriter} from './config-writer.ts';
import {invalid, parseJson, problemIn, requireVersion} from './json-files.ts';

/**
 * Creates the store of the contexts: a JSON file without secrets. Reading takes no lock. Every change reads the file
 * again under the lock and writes it whole, so that no process undoes the change of another.
 *
 * @param loadWriter loads the function that builds the text of the file. It is called only for a change, because
 *   loading takes longer than most commands
 */
export const createConfigStore = (files: Files, path: string, loadWriter: () => Promise<ConfigWriter>): ConfigStore => {
  const read = async (): Promise<Config> => {
    const contents = await files.read(path, {own: true});
    return contents ? parseConfig(contents.bytes, path) : configFormat.empty;
  };

  const change = async (next: (config: Config) => Config): Promise<void> => {
    const textOf = await loadWriter();
    await files.withLock(path, async () => {
      const text = await textOf(next(await read()), path);
      await files.write(path, text, {mode: 0o600, tighten: true, own: true, journal: true});
    });
  };

  /** Changes the context of that name. Does nothing if there is none. */
  const changeContext = (name: string, next: (context: Context) => Context): Promise<void> =>
    change(config => ({
      ...config,
      contexts: config.contexts.map(context => (context.name === name ? next(context) : context)),
    }));

  return {
    path,
    read,
    saveContext: (context, entries) =>
      change(config => {
        const {contexts} = config;
        const others = contexts.filter(({name}) => name !== context.name);
        const known = contexts.find(({name}) => name === context.name);
        const own = context.actsAs === undefined ? context : withAccountOf(context, known);
        const saved = withOnlyLook(entries ? withRecords(own, known, entries) : own, known?.onlyLook === true);
        // A new context becomes the current one. A context that is saved again does not change which one is current.
        const current = known ? currentContextIn(config)?.name : undefined;
        return {version: 1, currentContext: current ?? context.name, contexts: [...others, saved]};
      }),
    saveEntries: (name, next) => changeContext(name, context => ({...context, entries: next(context.entries ?? [])})),
    saveCli: (name, cli) => changeContext(name, ({cli: _, ...rest}) => ({...rest, ...(cli ? {cli} : {})})),
    saveAssistantsAccount: (name, account) =>
      changeContext(name, ({assistantsAccount: _, ...rest}) => ({
        ...rest,
        ...(account ? {assistantsAccount: account} : {}),
      })),
    saveOnlyLook: (name, isOn) => changeContext(name, context => withOnlyLook(context, isOn)),
    saveRelease: (name, release) => changeContext(name, context => ({...context, release})),
    useContext: name => change(config => ({...config, currentContext: named(name, config).name})),
    removeContext: name =>
      change(config => {
        const {name: removed} = named(name, config);
        const contexts = config.contexts.filter(one => one.name !== removed);
        const current = config.currentContext === removed ? contexts[0]?.name : config.currentContext;
        return {version: 1, contexts, ...(current === undefined ? {} : {currentContext: current})};
      }),
  };
};

/** Returns the saved context with this account of its assistants. The same client keeps its purpose and its role. */
const withAccountOf = (context: Context, saved: Context | undefined): Context => {
  const account = accountIn(context);
  const {clientId, purpose, granted} = saved?.assistantsAccount ?? {};
  const kept = clientId === account.clientId ? {...(purpose ? {purpose} : {}), ...(granted ? {granted} : {})} : {};
  return {...(saved ?? context), assistantsAccount: {...kept, ...account}};
};

/**
 * Returns the context with the entries and the CLI's file as they are recorded now. Those in `context` itself are
 * ignored.
 */
const withRecords = (
  {entries: _entries, cli: _cli, ...context}: Context,
  {entries: known, cli, assistantsAccount}: Pick<Context, 'entries' | 'cli' | 'assistantsAccount'> = {},
  change: (known: readonly ContextEntry[]) => readonly ContextEntry[],
): Context => {
  const entries = change(known ?? []);
  return {
    ...(assistantsAccount ? {assistantsAccount} : {}),
    ...context,
    ...(known || entries.length > 0 ? {entries} : {}),
    ...(cli ? {cli} : {}),
  };
};

/** Returns the context with the switch in this position: another process may have turned it since it was read. */
const withOnlyLook = ({onlyLook: _, ...context}: Context, isOn: boolean): Context =>
  isOn ? {...context, onlyLook: true} : context;

const named = (name: string, {contexts}: Config): Context => {
  const context = contexts.find(one => one.name === name);
  if (context) return context;
  throw noContext(name, contexts);
};

/** Returns the error for a name that no context has, with the names that there are, or with the way to set one up. */
export const noContext = (name: string, contexts: readonly Context[], about: About = {}): SetupError =>
  contexts.length === 0
    ? new SetupError('input-invalid', `There is no context called ${name}: nothing is set up yet.`, {
        remedy: phrase`Run ${setup()}.`,
        about,
      })
    : new SetupError(
        'input-invalid',
        `There is no context called ${name}. Known: ${contexts.map(one => one.name).join(', ')}.`,
        {about},
      );

/** @throws SetupError `local-config-invalid`, which says what is wrong and where */
const parseConfig = (bytes: Buffer, path: string): Config => {
  const json = parseJson(bytes, path);
  requireVersion(json, path);
  const problem = problemIn(json, configFormat.schema);
  if (problem !== undefined) throw invalid(path, problem);
  // The schema describes every member of the type.
  const {contexts, currentContext} = json as Config;
  return {version: 1, contexts, ...(currentContext === undefined ? {} : {currentContext})};
};
