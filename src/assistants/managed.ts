import type {Method} from '../domain/context.ts';
import type {Connection} from './connection.ts';
import type {Place} from './place.ts';

/**
 * How an organisation handles servers: it puts them on every machine, and people cannot add others; or it lets people
 * connect them with this program, and no others.
 */
export type Handling = 'servers' | 'allow-list';

/** One server as an organisation hands it out. */
export type HandedOut = {
  /** Its name in this assistant. */
  readonly name: string;
  /** Its address, with all of its tools. */
  readonly url: string;
  /** The same with the tools that are handed out, where these are not all. */
  readonly narrowed?: string;
  /** In the format of the assistant's own files, connected by the method of `Managed`. */
  readonly entry: object;
  readonly connection: Connection;
};

/** One file that an administrator puts on every machine. */
export type ManagedFile = {
  /** Absolute, on a machine of that system; a mere name for a document that is imported there (`.reg`, `.mobileconfig`). */
  readonly path: string;
  readonly text: string;
  /** What it brings about. One sentence. */
  readonly does: string;
  /** The ways to go about it that it is part of. Files of different ways contradict one another on the same machine. */
  readonly handling: readonly Handling[];
  /** Whether an assistant was seen to do so with this very file, or only its documentation says so. */
  readonly evidence: 'run' | 'documentation';
  /** The assistant's version that was seen to; where it is documentation, in what the same contents were seen to hold. */
  readonly seenWith?: string;
};

/** How an organisation tells an assistant, on every machine, which servers it has or may have. */
export type Managed = {
  /** The method of the entries that are handed out. */
  readonly method: Method;
  /** @param registry of the organisation's own, where it has one */
  files(place: Place, servers: readonly HandedOut[], registry?: OwnRegistry): readonly ManagedFile[];
};

/** A registry of MCP servers that serves the files of `registryFiles`. */
export type OwnRegistry = {
  /** Its root; `/v0.1/servers` comes behind it. */
  readonly url: string;
  /** As there. */
  readonly namespace: string;
};

/** JSON as people read it. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** What was seen on Linux is documented for the other systems. */
export const seenOnLinux = (
  {system}: Pick<Place, 'system'>,
  version: string,
): Pick<ManagedFile, 'evidence' | 'seenWith'> =>
  system === 'linux' ? {evidence: 'run', seenWith: version} : {evidence: 'documentation'};
