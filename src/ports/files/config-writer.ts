import {copyFile, link, readdir, realpath, rename, rm} from 'node:fs/promises';
import {basename, dirname, extname, join} from 'node:path';
import type {Options} from 'conf';
import Conf from 'conf';
import type {Config} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {limits, readRegular} from './regular-file.ts';

/** The format of the CLI config: what the file may contain, and how files of earlier formats are migrated. */
export type ConfigFormat = {
  /** Semantic version of the format. */
  readonly version: string;
  /** Migration steps from the previous format, each under the version that it leads to, which the file records. */
  readonly migrations: Readonly<Record<string, (config: Readonly<Record<string, unknown>>) => Record<string, unknown>>>;
  /** JSON Schema, draft 2020-12, of the root. */
  readonly schema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  /** The custom formats of the schema, by name. */
  readonly formats: Readonly<Record<string, (text: string) => boolean>>;
  /** The config of a file that does not exist yet. */
  readonly empty: Config;
};

/** Writes the CLI config. The caller holds its lock. */
export type ConfigWriter = {
  /**
   * Cleans up after a killed process. If the file exists under two names, the newer contents stay if they are complete,
   * otherwise the former ones.
   */
  recover(path: string, isWhole: (bytes: Buffer) => boolean): Promise<void>;
  /** Returns the contents that `write` gives the file. */
  textOf(config: Config): string;
  /**
   * Replaces the file, and makes sure that it is complete on disk; otherwise restores the former file.
   *
   * @throws SetupError `local-config-invalid` if the config violates the schema, `local-write-failed`
   */
  write(path: string, config: Config): Promise<void>;
};

/**
 * Lets a library write a file, and reads it back: some libraries treat a short write on a full disk as a success. Until
 * then the former file keeps a second name; it is restored in case of any doubt. The caller holds the file's lock.
 *
 * @param path of the file itself, not of a link to it
 * @throws SetupError `local-write-failed` if other bytes are there; and whatever `write` and the file system throw
 */
export const keepingFormer = async (path: string, text: string, write: () => Promise<void>): Promise<void> => {
  const kept = secondName(path);
  const existed = await giveSecondName(path, kept);
  try {
    await write();
    const found = await read(path);
    if (!found.equals(Buffer.from(text, 'utf8'))) throw shortWrite(path, found.length, existed);
  } catch (error) {
    if (existed) await rename(kept, path);
    else await rm(path, {force: true});
    throw error;
  }
  await rm(kept, {force: true});
};

/**
 * Cleans up after a process that was killed while it wrote: the former file under its second name, beside one that may
 * be incomplete, and temporary files. The caller holds the file's lock.
 *
 * @param named the file's path, which may be a link's
 */
export const recover = async (named: string, isWhole: (bytes: Buffer) => boolean): Promise<void> => {
  const path = await realpath(named).catch(() => named);
  const kept = secondName(path);
  const former = await read(kept).catch(() => undefined);
  if (former) {
    const found = await read(path).catch(() => undefined);
    if (isWhole(former) && !(found && isWhole(found))) await rename(kept, path);
    else await rm(kept);
  }
  const names = await readdir(dirname(path)).catch(() => []);
  const left = names.filter(name => name.startsWith(`${basename(path)}.tmp-`));
  await Promise.all(left.map(name => rm(join(dirname(path), name), {force: true})));
};

const read = async (path: string): Promise<Buffer> => (await readRegular(path, limits.own)).bytes;

const secondName = (path: string): string => `${path}.former`;

/** A link needs no room on a full disk; a copy is for file systems without links. */
const giveSecondName = async (path: string, kept: string): Promise<boolean> => {
  try {
    await link(path, kept).catch(error => (isMissing(error) ? Promise.reject(error) : copyWhole(path, kept)));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

const copyWhole = async (path: string, kept: string): Promise<void> => {
  try {
    await copyFile(path, kept);
    const [one, other] = await Promise.all([read(path), read(kept)]);
    if (!one.equals(other)) throw shortWrite(kept, other.length, true);
  } catch (error) {
    await rm(kept, {force: true});
    throw error;
  }
};

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const shortWrite = (path: string, length: number, existed: boolean): SetupError => {
  const intact = existed ? ' What was there is intact.' : '';
  const reason = `only ${length} bytes of it could be read back, as on a disk that is full`;
  return new SetupError('local-write-failed', `${path} was not written: ${reason}.${intact}`);
};

type Store = Record<string, unknown>;

/**
 * Creates the writer of the CLI config. It uses `conf`, which validates by JSON schema, migrates earlier formats, gives
 * access to the owner only, and never clears the file. `conf` takes no lock, and treats a write that a full disk cut
 * short as a success. Both are handled around it.
 *
 * @param open opens the file with these options; tests replace `conf` to fail as a disk may
 */
export const createConfigWriter = (
  format: ConfigFormat,
  open: (options: Options<Store>) => {store: Store} = options => new Conf(options),
): ConfigWriter => {
  // Includes the migrations that were applied, as `conf` records them.
  const textOf = (config: Config): string =>
    serialize({...config, __internal__: {migrations: {version: format.version}}});

  const write = async (path: string, config: Config) => {
    const conf = open({...optionsOf(format), ...placeOf(path)});
    conf.store = {...config};
  };

  return {
    textOf,
    recover,
    write: (path, config) =>
      keepingFormer(path, textOf(config), () =>
        write(path, config).catch(error => {
          // The class of this error is not exported.
          if (!(error instanceof Error) || !error.message.startsWith('Config schema violation')) throw error;
          throw new SetupError('local-config-invalid', `${path} was not written: ${error.message}.`, {cause: error});
        }),
      ),
  };
};

const serialize = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const placeOf = (path: string): Options<Store> => {
  const extension = extname(path);
  return {cwd: dirname(path), configName: basename(path, extension), fileExtension: extension};
};

const optionsOf = ({version, migrations, schema, formats, empty}: ConfigFormat): Options<Store> => {
  const {properties, ...rootSchema} = schema;
  const steps = Object.entries(migrations).map(([to, step]) => [
    to,
    (conf: {store: Store}) => {
      conf.store = step(conf.store);
    },
  ]);
  return {
    schema: properties,
    rootSchema: {...rootSchema, required: [...rootSchema.required]},
    // A test validates the schema: doing that at each save takes longer than the rest of the save. Optimised code
    // would check one file a little faster, but takes as long again to generate.
    ajvOptions: {formats: {...formats}, validateSchema: false, meta: false, code: {optimize: false}},
    defaults: {...empty},
    projectVersion: version,
    migrations: Object.fromEntries(steps),
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize,
  };
};
