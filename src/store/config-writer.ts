import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Options} from 'conf';
import Conf from 'conf';
import type {Config} from '../domain/context.ts';
import {SetupError} from '../errors/errors.ts';

/** The format of this program's config file. */
export type ConfigFormat = {
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

/**
 * Returns the text of a config for the file at `path`, which the caller writes.
 *
 * @throws SetupError `local-config-invalid` if the config violates the schema; `local-write-failed` if the text can be
 *   written to no temporary directory
 */
export type ConfigWriter = (config: Config, path: string) => Promise<string>;

type Store = Record<string, unknown>;

/**
 * Creates the writer of this program's config. It uses `conf`, which validates by JSON schema, but takes no lock and
 * reports success even if a full disk cut the write short. So `conf` writes into a temporary directory, and the text is
 * read back and compared; the caller writes it to its place like every other file of this program.
 *
 * @param write writes a new file with these options; tests replace `conf` to fail as a disk may
 */
export const createConfigWriter =
  (format: ConfigFormat, write: (options: Options<Store>) => unknown = options => new Conf(options)): ConfigWriter =>
  async (config, path) => {
    const expected = serialize(config);
    let failure: unknown;
    // A container may have no temporary directory that can be written, or none with room.
    for (const parent of [tmpdir(), dirname(path)]) {
      try {
        const written = await inDirectoryBelow(parent, async cwd => {
          // `conf` writes the defaults of a new file when it opens it. Setting the contents would be a second write.
          write({...optionsOf(format), defaults: {...config}, cwd});
          return readFile(join(cwd, 'config.json'), 'utf8');
        });
        if (written === expected) return expected;
        failure = new Error('the disk is full');
      } catch (error) {
        if (isViolation(error))
          throw new SetupError('local-config-invalid', `${path} was not written: ${error.message}.`, {cause: error});
        failure = error;
      }
    }
    const reason = failure instanceof Error ? failure.message : String(failure);
    const message = `${path} was not written: no temporary file could be made in ${tmpdir()}, nor beside it (${reason}).`;
    throw new SetupError('local-write-failed', message, {cause: failure, about: {path}});
  };

/** Runs work in a new directory below another, and removes it. */
const inDirectoryBelow = async <T>(parent: string, work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(parent, '.platform-setup-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, {recursive: true, force: true});
  }
};

const serialize = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Whether `conf` has found a violation of the schema. It does not export the class of this error. */
const isViolation = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Config schema violation');

const optionsOf = ({schema, formats}: ConfigFormat): Options<Store> => {
  const {properties, ...rootSchema} = schema;
  return {
    schema: properties,
    rootSchema: {...rootSchema, required: [...rootSchema.required]},
    // A test validates the schema: doing that at each save takes longer than the rest of the save. Optimised code
    // would check one file a little faster, but takes as long again to generate.
    ajvOptions: {formats: {...formats}, validateSchema: false, meta: false, code: {optimize: false}},
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize,
  };
};
