import type {Config} from '../../domain/context.ts';

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
