import type {Config} from '../../domain/context.ts';

/** The CLI config as a file: what may be in it, and how a file of before becomes one of now. */
export type ConfigFormat = {
  /** Semantic version of the format. */
  readonly version: string;
  /** Steps from the format before to the version that each is listed under, which is what a file remembers. */
  readonly migrations: Readonly<Record<string, (config: Readonly<Record<string, unknown>>) => Record<string, unknown>>>;
  /** JSON Schema, draft 2020-12, of the root. */
  readonly schema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  /** The schema's own formats by name. */
  readonly formats: Readonly<Record<string, (text: string) => boolean>>;
  /** What a file that is not there yet counts as. */
  readonly empty: Config;
};

/** Writes the CLI config. Asked only while its lock is held. */
export type ConfigWriter = {
  /** Ends what a killed process may have left: of a file under two names, the one with the later contents that is whole. */
  recover(path: string, isWhole: (bytes: Buffer) => boolean): Promise<void>;
  /** The contents that `write` gives the file. */
  textOf(config: Config): string;
  /**
   * Puts a config in the place of the file that is there, and makes sure that it is there to the last byte; else the
   * former file is put back.
   *
   * @throws SetupError `local-config-invalid` when the config is not as the schema says, `local-write-failed`
   */
  write(path: string, config: Config): Promise<void>;
};
