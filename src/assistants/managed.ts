import type {Method} from '../domain/context.ts';
import type {Connection} from './connection.ts';
import type {Place} from './place.ts';

/**
 * How an organisation handles servers. `servers`: it puts them on every machine, and people cannot add others.
 * `allow-list`: people connect them with this program, and cannot connect others.
 */
export type Handling = 'servers' | 'allow-list';

/** One server that an organisation hands out. */
export type HandedOut = {
  /** Its name in this assistant. */
  readonly name: string;
  /** Its address, with all its tools. */
  readonly url: string;
  /** The address with the tools that are handed out; absent if those are all. */
  readonly narrowed?: string;
  /** The entry in the format of the assistant's own files, connected with the method of `Managed`. */
  readonly entry: object;
  readonly connection: Connection;
};

/** One file that an administrator puts on every machine. */
export type ManagedFile = {
  /** Absolute, on a machine of that system; a mere name if the document is imported there (`.reg`, `.mobileconfig`). */
  readonly path: string;
  readonly text: string;
  /** The effect of the file. One sentence. */
  readonly does: string;
  /** The kinds of handling that use this file. Files of different kinds contradict each other on the same machine. */
  readonly handling: readonly Handling[];
  /** `run` if an assistant was seen to follow this very file; `documentation` if only its documentation says so. */
  readonly evidence: 'run' | 'documentation';
  /**
   * The version of the assistant that was seen to follow it. With evidence `documentation`: the program that was seen
   * to follow the same contents from another place.
   */
  readonly seenWith?: string;
};

/** How an organisation tells an assistant, on every machine, which servers it has or may have. */
export type Managed = {
  /** The method of the entries that are handed out. */
  readonly method: Method;
  /**
   * Returns the files for these servers.
   *
   * @param registry the organisation's own, if it has one
   */
  files(place: Place, servers: readonly HandedOut[], registry?: OwnRegistry): readonly ManagedFile[];
};

/** A registry of MCP servers that serves the files of `registryFiles`. */
export type OwnRegistry = {
  /** Its root; clients append `/v0.1/servers`. */
  readonly url: string;
  /** The namespace given to `registryFiles`. */
  readonly namespace: string;
};

/** Returns JSON, indented for people, with a final newline. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the evidence for a file that was seen to work on Linux; on other systems only the documentation says so. */
export const seenOnLinux = (
  {system}: Pick<Place, 'system'>,
  version: string,
): Pick<ManagedFile, 'evidence' | 'seenWith'> =>
  system === 'linux' ? {evidence: 'run', seenWith: version} : {evidence: 'documentation'};
