import type {Config, Context, ContextCli, ContextEntry} from '../domain/context.ts';
import type {Credentials, CredentialsKey} from '../domain/credentials.ts';
import type {OwnCopy} from '../domain/own-command.ts';
import type {TokenCut, TokenSpan} from '../domain/token-spans.ts';

/** A file as it was read: the exact bytes, and the permission bits. */
export type FileContents = {readonly bytes: Buffer; readonly mode: number};

/** Where a file has to be that lies among files which strangers may have made: those of a project. */
export type Confinement = {
  /** The directory in which it is once every link is resolved. */
  readonly root: string;
  /** Set where the file itself may not be a link, not even to another file in there. */
  readonly isNoLink?: true;
};

/** Where tokens of our own stand in a file: the kept copy leaves out those of the old bytes, a sign-out those of the new ones. */
export type TokensInFile = {readonly before: readonly TokenSpan[]; readonly after: readonly TokenSpan[]};

export type WriteOptions = {
  /** Permission bits of a new file; an existing one keeps its own unless `tighten` asks for these. */
  readonly mode: number;
  /** Sets `mode` on an existing file too: for files that hold a secret. */
  readonly tighten?: boolean;
  /**
   * Set for a file with secrets: on Windows, which has no modes, everybody else loses access to it. Where that fails it is
   * written all the same, and `isForOwner` tells.
   */
  readonly secret?: boolean;
  /** Set for this program's own files, which have no more to them than owner, mode and contents: others keep the rest. */
  readonly own?: boolean;
  /** Keeps the old bytes so that the write can be undone. Off only for the program's own secrets. */
  readonly journal: boolean;
  /** Where tokens of our own stand. */
  readonly tokens?: TokensInFile;
  /** Set for the write of a sign-out, which takes nothing out but tokens that have ended. */
  readonly isSignOut?: true;
  /** What a sign-out makes of the new bytes, where it does more than to take tokens out of headers. */
  readonly signedOut?: string;
  /** The bytes that the write was planned on, null for none: another program's change in between refuses the write. */
  readonly expected?: Buffer | null;
  /** Puts the bytes there itself, at the path that the file really has; they are the ones that `write` was given. */
  readonly writer?: (path: string) => Promise<void>;
  /** The directories that are made for the file, the innermost first, to be removed with it. */
  readonly directories?: readonly string[];
  /** Where it has to be: the write is refused where a link leads elsewhere. */
  readonly within?: Confinement | undefined;
  /** The room that was taken for these bytes: with it the write needs none of the disk any more. */
  readonly reserved?: Reservation;
};

/** A file beside another that holds the room for its next contents, until they are written or it is given back. */
export type Reservation = {
  /** Makes these bytes the contents of the file, whole or not at all. */
  write(bytes: Buffer, mode: number): Promise<void>;
  /** Gives back what was not written. */
  release(): Promise<void>;
};

/** The old contents of a file as they are kept: as text where they are text, without our own tokens. */
export type KeptContents = {readonly mode: number; readonly cuts?: readonly TokenCut[]} & (
  | {readonly text: string}
  | {readonly base64: string}
  /** The name of the file in which a large text is kept by itself. */
  | {readonly copy: string}
);

/** One write that can be undone. */
export type JournalEntry = {
  readonly id: string;
  /** The start of the program that made it: what it wrote is put back together. */
  readonly run: string;
  /** When, in ISO 8601. */
  readonly at: string;
  /** The command that wrote it, without its arguments: `setup`, `mcp connect`. Entries of earlier releases have none. */
  readonly command?: string;
  readonly path: string;
  /** As which it was written, where that is a link to it. */
  readonly link?: string;
  /** Null when there was no file. */
  readonly before: KeptContents | null;
  /** SHA-256 of what was written, in hex; null when the file was removed. */
  readonly after: string | null;
  /** The same of what a sign-out makes of it, where it holds tokens of ours. */
  readonly signedOut?: string;
  /** Set where a sign-out made it, which took nothing out but tokens. */
  readonly isSignOut?: true;
  /** The directories that were made for the file, the innermost first. */
  readonly directories?: readonly string[];
  /** The directory that it had to be in, and has to be in when it is put back. */
  readonly root?: string;
};

/** What was written where, oldest first. */
export type Journal = {
  /** @throws SetupError `local-open-to-others` */
  list(): Promise<readonly JournalEntry[]>;
  /** The files of entries that do not read, and are in no list. Never rejects. */
  damaged(): Promise<readonly string[]>;
  /** The bytes that are kept, without the tokens that were cut out. @throws SetupError `local-file-invalid`, `local-read-failed` for a copy that is gone */
  read(kept: KeptContents): Promise<Buffer>;
  forget(entry: JournalEntry): Promise<void>;
};

/** The only way to write. A write is whole or not at all, also when the power fails. */
export type Files = {
  /** Whether there is a file or a directory of this name. What cannot be looked at counts as absent. */
  exists(path: string): Promise<boolean>;
  /** Whether there is a file, at `path` or in a directory below, that is none of these. Links are not followed. */
  holdsOther(path: string, known: ReadonlySet<string>): Promise<boolean>;
  /** Whether nobody but its owner has access to a file, as far as its system tells; also of one that is not there yet. */
  isForOwner(path: string): Promise<boolean>;
  /** The names of what is in a directory; none where it cannot be looked at. */
  list(directory: string): Promise<readonly string[]>;
  /** The directories that a write to `path` makes, or that are among the `known` ones, the innermost first. */
  madeFor(path: string, known: readonly string[]): Promise<readonly string[]>;
  /** Removes those of these directories that are empty and where they have to be, in this order. Never fails. */
  removeEmpty(directories: readonly string[], within?: Confinement): Promise<void>;
  /**
   * Where a write to `path` lands: with every link resolved, also one that leads to nothing yet.
   *
   * @throws SetupError `local-link-outside` where that is not within
   */
  targetOf(path: string, within?: Confinement): Promise<string>;
  /**
   * Undefined when there is no such file. What is no file, or too large, is refused.
   *
   * @param options `own` for one of this program's own: smaller, and refused where others can change it
   * @throws SetupError `local-file-invalid`, `local-open-to-others`, `local-read-failed`
   */
  read(path: string, options?: {readonly own?: boolean}): Promise<FileContents | undefined>;
  write(path: string, bytes: Buffer | string, options: WriteOptions): Promise<void>;
  /** Removes a file: of a link the file that it leads to, because that is the one that was written. */
  remove(
    path: string,
    options?: {
      readonly journal?: boolean;
      /** Where tokens of our own stand in it. */
      readonly tokens?: readonly TokenSpan[];
      readonly within?: Confinement | undefined;
    },
  ): Promise<void>;
  /**
   * What lies beside one of this program's own files and holds what was in it, or was to be: set aside as broken, left by
   * a write that came to no end, or under a second name. To be asked by the holder of its lock.
   */
  leftoversOf(path: string): Promise<readonly string[]>;
  /** Removes the temp files beside `path` whose writers have ended. What cannot be removed stays. */
  clean(path: string): Promise<void>;
  /**
   * Removes the temp files and the locks beside these files whose makers have ended. Beside a file whose lock is held
   * nothing is touched. Never fails.
   */
  removeLeftovers(paths: readonly string[]): Promise<void>;
  /**
   * Finds out whether a write there could be made, before anything is.
   *
   * @param options `overwriteReadOnly: false` to refuse a file that nobody may write, although it could be replaced
   * @throws SetupError `local-write-failed`, `local-file-read-only`, `local-link-outside`
   */
  check(
    path: string,
    options?: {readonly overwriteReadOnly?: boolean; readonly within?: Confinement | undefined},
  ): Promise<void>;
  /**
   * Takes the room for a later write of up to `size` bytes, so that a disk that is full by then does not matter.
   *
   * @throws SetupError `local-write-failed` when there is none, or when nothing can be written there
   */
  reserve(path: string, size: number): Promise<Reservation>;
  /**
   * One holder at a time across processes, for read-modify-write of `path`.
   *
   * @param options `signal` ends the waiting, but not the work; `onWait` is called once, when somebody else holds the
   *   lock; `within` as the write has it
   * @throws SetupError `local-locked` after a minute, or when the lock was lost while it was held; `cancelled`;
   *   `local-write-failed` where no lock can be made; `local-link-outside`
   */
  withLock<T>(
    path: string,
    work: () => Promise<T>,
    options?: {
      readonly signal?: AbortSignal;
      readonly onWait?: () => void;
      readonly within?: Confinement | undefined;
    },
  ): Promise<T>;
  /** Whether somebody holds the lock of `path`, as it seems. */
  isLocked(path: string): Promise<boolean>;
};

/** Copies of this program in a directory of the person's, one for each version, which entries of assistants start. */
export type OwnCopies = {
  /** Whether it is there, byte for byte. */
  has(copy: OwnCopy): Promise<boolean>;
  /** Makes it, or makes it anew where it is not what it should be. @throws SetupError `local-write-failed` */
  make(copy: OwnCopy): Promise<void>;
  /** The directories of all copies, with the time since when nothing names them, in milliseconds since the epoch. */
  list(): Promise<readonly {readonly directory: string; readonly unusedSince: number | undefined}[]>;
  /** Notes since when nothing names it; undefined for one that is named again. */
  note(directory: string, unusedSince: number | undefined): Promise<void>;
  remove(directory: string): Promise<void>;
};

/** What this program keeps for itself: settings, secrets in files, journal, records, copies and compiled code. */
export type OwnFiles = {
  /** What there is of it: paths of files and directories. */
  list(): Promise<readonly string[]>;
  /**
   * Removes all of it but the lock of the entries, which whoever removes the rest holds. Marks the directories that were
   * made for it, so that `removeDirectories` of a later start knows them too. Never fails.
   */
  remove(): Promise<void>;
  /**
   * Removes the directories that are marked, as far as they are empty, and then the marks. Never fails.
   *
   * @returns the paths of what is still in its directories: what could not be removed, and what is not its own
   */
  removeDirectories(): Promise<readonly string[]>;
};

export type ConfigStore = {
  readonly path: string;
  read(): Promise<Config>;
  /**
   * Ends a write that was killed, where one has left anything beside the file, unless somebody holds its lock.
   *
   * @throws SetupError `local-*`
   */
  recover(): Promise<void>;
  /**
   * Adds or replaces the context of that name and makes it the current one.
   *
   * @param entries given what is known of the context's entries by then, what is to be known of them: with it, those of
   *   `context` do not count, and neither does what `context` knows of the CLI's file. Whoever read the context a while
   *   ago passes it, so that what another process has saved since is not lost.
   */
  saveContext(context: Context, entries?: (known: readonly ContextEntry[]) => readonly ContextEntry[]): Promise<void>;
  /** Changes what is known of a context's entries, with nobody between. A context that is gone is let go. */
  saveEntries(name: string, change: (entries: readonly ContextEntry[]) => readonly ContextEntry[]): Promise<void>;
  /** Keeps what is known of the own CLI's file; undefined forgets it. A context that is gone is let go. */
  saveCli(name: string, cli: ContextCli | undefined): Promise<void>;
  /** Keeps the release of a context whose control plane does not say it. */
  saveRelease(name: string, release: string): Promise<void>;
  /** @throws SetupError `input-invalid` when there is none of that name */
  useContext(name: string): Promise<void>;
  /** @throws SetupError `input-invalid` when there is none of that name */
  removeContext(name: string): Promise<void>;
};

/**
 * Takes the room on the disk that the result of a change may need.
 *
 * @throws SetupError `local-write-failed` when the result could not be kept
 */
export type Prepare = () => Promise<void>;

/** Small files by which one process at a time has a right; they outlast it. Reading and removing never fail. */
export type Claims = {
  /** Makes one; false where it is there already. @throws SetupError `local-write-failed` */
  create(path: string, text: string): Promise<boolean>;
  read(path: string): Promise<string | undefined>;
  remove(path: string): Promise<void>;
};

export type CredentialsStore = {
  readonly path: string;
  /** Where secrets are kept, or would be: `file`, or the keychain's name. */
  where(): Promise<string>;
  get(key: CredentialsKey): Promise<Credentials | undefined>;
  /** The same for many, all from one reading of the file. Rejects where that cannot be read. */
  getEach(keys: readonly CredentialsKey[]): Promise<readonly PromiseSettledResult<Credentials | undefined>[]>;
  /**
   * Reads, changes and writes one entry with nobody between: `change` sees what is there now and its result is on disk
   * when the promise resolves. Undefined removes the entry. A change that cannot be made twice calls `prepare` first.
   *
   * @throws SetupError `local-keychain-failed` when what is there cannot be read; nothing is changed then
   */
  update(
    key: CredentialsKey,
    change: (current: Credentials | undefined, prepare: Prepare) => Promise<Credentials | undefined>,
  ): Promise<Credentials | undefined>;
  /** Puts one entry in the place of what is there, also where that cannot be read; undefined only removes it. */
  replace(key: CredentialsKey, credentials: Credentials | undefined): Promise<void>;
  /**
   * Removes the files beside it that hold secrets and that nobody reads any more.
   *
   * @throws SetupError `local-write-failed` that names one that stays
   */
  purge(): Promise<void>;
};

/** What an identity provider says of itself, as it was read, for as long as it may be kept. */
export type ProviderDocuments = {
  /** OpenID Connect Discovery 3, RFC 8414 2. */
  readonly metadata?: KeptDocument;
  /** Its keys, as `{"keys": […]}` (RFC 7517 5). */
  readonly keys?: KeptDocument;
};

/** What programs said when they were asked for their version, by absolute path. Never a reason to fail. */
export type VersionStore = {
  /** Undefined where it was never heard, and of a program that was replaced since. */
  get(program: string): Promise<string | undefined>;
  put(program: string, said: string): void;
  /** Writes what this process has heard for the next ones. */
  keep(): Promise<void>;
};

/** `until` in milliseconds since the epoch. */
export type KeptDocument = {readonly body: Readonly<Record<string, unknown>>; readonly until: number};

/** The documents of identity providers by their issuers. Never a reason to fail: what is not kept is asked for. */
export type ProviderStore = {
  get(issuer: string): Promise<ProviderDocuments>;
  /** Adds to what this process knows; undefined in place of a document forgets it. */
  put(
    issuer: string,
    documents: {readonly [D in keyof ProviderDocuments]: ProviderDocuments[D] | undefined},
  ): Promise<void>;
  /** Writes what this process knows for the next ones, once there is a sign-in that they renew. */
  keep(): Promise<void>;
};

/** Which era of MCP a server speaks alone, by its address. Never a reason to fail: what is not kept is found out. */
export type EraStore = {
  /** Whether nothing is kept of any server; told at once. */
  isEmpty(): boolean;
  get(url: string): Promise<'legacy' | 'modern' | undefined>;
  /** Keeps it for the next processes; undefined forgets it. */
  put(url: string, era: 'legacy' | 'modern' | undefined): Promise<void>;
};
