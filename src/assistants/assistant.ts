/** Where an assistant's files are looked for: absolute paths. */
export type Place = {readonly home: string; readonly project: string};

/** What the writer needs to know of one AI assistant. Data and pure functions: no file is touched here. */
export type Assistant = {
  readonly id: string;
  readonly name: string;
  /** The file that holds the servers, as path segments. */
  readonly file: (place: Place) => readonly string[];
  /** Path of keys to the map that holds the servers. */
  readonly root: readonly string[];
  /** The entry that sends a header with every request, and how to read one back. */
  readonly entry: {
    header(server: {url: string; authorization: string}): object;
    /** Undefined when the value is no entry of this shape. */
    read(entry: unknown): {url: string; headers: Readonly<Record<string, string>>} | undefined;
  };
};
