import {basename, dirname, extname} from 'node:path';
import Conf, {type Options} from 'conf';
import type {Config} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {ConfigFormat, ConfigWriter} from './config-file.ts';
import {keepingFormer, recover} from './second-name.ts';

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
