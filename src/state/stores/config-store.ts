import type {Context, ContextEntry} from '../../domain/context.ts';
import {type Config, currentContextIn} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {ConfigWriter} from '../../ports/files/config-file.ts';
import type {ConfigStore, Files} from '../../ports/storage.ts';
import {carriedOver, configFormat} from './config-schema.ts';
import {invalid, parseJson} from './json-file.ts';
import {problemIn} from './json-schema.ts';

/**
 * The contexts, in a JSON file without secrets. It is read plainly, as it is found, and written whole under the lock, after
 * reading it again, so that two setups at once lose nothing of each other.
 *
 * @param loadWriter called when something is saved, and only then: what writes the file takes longer to load than most
 *   commands take
 */
export const createConfigStore = (files: Files, path: string, loadWriter: () => Promise<ConfigWriter>): ConfigStore => {
  const read = async (): Promise<Config> => {
    const contents = await files.read(path, {own: true});
    return contents ? parseConfig(contents.bytes, path) : configFormat.empty;
  };

  const change = async (next: (config: Config) => Config): Promise<void> => {
    const writer = await loadWriter();
    await files.withLock(path, async () => {
      await writer.recover(path, bytes => isConfig(bytes, path));
      const config = next(await read());
      const options = {mode: 0o600, tighten: true, own: true, journal: true};
      await files.write(path, writer.textOf(config), {...options, writer: target => writer.write(target, config)});
    });
  };

  const recover = async (): Promise<void> => {
    // The writer is loaded only where it is needed.
    if ((await files.leftoversOf(path)).length === 0 || (await files.isLocked(path))) return;
    const writer = await loadWriter();
    const controller = new AbortController();
    const wait = {signal: controller.signal, onWait: () => controller.abort()};
    await files.withLock(path, () => writer.recover(path, bytes => isConfig(bytes, path)), wait);
  };

  return {
    path,
    read,
    recover,
    saveContext: (context, entries) =>
      change(config => {
        const {contexts} = config;
        const others = contexts.filter(({name}) => name !== context.name);
        const known = contexts.find(({name}) => name === context.name);
        const saved = entries ? withRecords(context, known, entries) : context;
        // A new one is what the person goes on with. Signing in to another that is saved switches nothing.
        const current = known ? currentContextIn(config)?.name : undefined;
        return {version: 1, currentContext: current ?? context.name, contexts: [...others, saved]};
      }),
    saveEntries: (name, next) =>
      change(config => ({
        ...config,
        contexts: config.contexts.map(context =>
          context.name === name ? {...context, entries: next(context.entries ?? [])} : context,
        ),
      })),
    saveCli: (name, cli) =>
      change(config => ({
        ...config,
        contexts: config.contexts.map(context => {
          const {cli: _, ...rest} = context;
          return context.name === name ? {...rest, ...(cli ? {cli} : {})} : context;
        }),
      })),
    saveRelease: (name, release) =>
      change(config => ({
        ...config,
        contexts: config.contexts.map(context => (context.name === name ? {...context, release} : context)),
      })),
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

/** The context with what is known by now of its entries and of the CLI's file, whatever it says of these itself. */
const withRecords = (
  {entries: _entries, cli: _cli, ...context}: Context,
  {entries: known, cli}: Pick<Context, 'entries' | 'cli'> = {},
  change: (known: readonly ContextEntry[]) => readonly ContextEntry[],
): Context => {
  const entries = change(known ?? []);
  return {...context, ...(known || entries.length > 0 ? {entries} : {}), ...(cli ? {cli} : {})};
};

const named = (name: string, {contexts}: Config): Context => {
  const context = contexts.find(one => one.name === name);
  if (context) return context;
  const known = contexts.map(one => one.name).join(', ') || 'none';
  throw new SetupError('input-invalid', `There is no context called ${name}. Known: ${known}.`);
};

/** @throws SetupError `local-config-invalid` that says what is wrong and where */
const parseConfig = (bytes: Buffer, path: string): Config => {
  const json = carriedOver(parseJson(bytes, path));
  if (json.version !== 1)
    throw invalid(path, `its version is ${String(json.version)}, but this program knows only version 1`);
  const problem = problemIn(json, configFormat.schema);
  if (problem !== undefined) throw invalid(path, problem);
  // The schema describes every member of the type.
  const {contexts, currentContext} = json as Config;
  return {version: 1, contexts, ...(currentContext === undefined ? {} : {currentContext})};
};

const isConfig = (bytes: Buffer, path: string): boolean => {
  try {
    parseConfig(bytes, path);
    return true;
  } catch {
    return false;
  }
};
