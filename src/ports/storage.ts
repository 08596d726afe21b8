import type {AssistantsAccount, Config, Context, ContextCli, ContextEntry} from '../domain/context.ts';
import type {Credentials, CredentialsKey} from '../domain/credentials.ts';
import type {OwnCopy} from '../domain/own-command.ts';
import type {TokenCut, TokenSpan} from '../domain/token-spans.ts';
import type {SetupError} from '../errors/errors.ts';

/** A file as it was read: the exact bytes, and the permission bits. */
export type FileContents = {readonly bytes: Buffer; readonly mode: number};

/** The place to which a file of a project is confined, because other people may have created the files around it. */
export type Confinement = {
  /** The directory that has to contain the file once every link is resolved. */
  readonly root: string;
  /** True if the file itself must not be a link, not even to another file in that directory. */
  readonly isNoLink?: true;
};

/**
 * The positions of this program's tokens in a file: the kept copy omits those of the old bytes, a sign-out those of the
 * new.
 */
export type TokensInFile = {readonly before: readonly TokenSpan[]; readonly after: readonly TokenSpan[]};

export type WriteOptions = {
  /** Permission bits of a new file; an existing one keeps its own unless `tighten` is set. */
  readonly mode: number;
  /** Sets `mode` on an existing file too: for files with a secret. */
  readonly tighten?: boolean;
  /**
   * True for a file with secrets: on Windows, which has no modes, other users lose access to it. If that fails, the
   * file is written nevertheless, and `isForOwner` is false.
   */
  readonly secret?: boolean;
  /**
   * True for this program's own files, of which only owner, mode and contents matter. Other files keep all attributes.
   */
  readonly own?: boolean;
  /** Keeps the old bytes so that the write can be undone. */
  readonly journal: boolean;
  /** The positions of this program's tokens. */
  readonly tokens?: TokensInFile;
  /** True for the write of a sign-out, which removes only tokens that have ended. */
  readonly isSignOut?: true;
  /** The text that a sign-out leaves, if it does more than remove tokens from headers. */
  readonly signedOut?: string;
  /**
   * The bytes that the write was planned on, null for no file. If another program has changed them since, the write is
   * refused.
   */
  readonly expected?: Buffer | null;
  /** The directories that are created for the file, the innermost first, and removed with it. */
  readonly directories?: readonly string[];
  /** The place to which the file is confined: the write is refused if a link leads elsewhere. */
  readonly within?: Confinement | undefined;
  /** The room that was taken for these bytes: the write then needs no further space on the disk. */
  readonly reserved?: Reservation;
};

/** A file beside another that holds the room for its next contents, until they are written or the room is released. */
export type Reservation = {
  /** Makes these bytes the contents of the file, completely or not at all. */
  write(bytes: Buffer, mode: number): Promise<void>;
  /** Releases what was not written. */
  release(): Promise<void>;
};

/** The old contents of a file as they are kept: as text if they are text, without this program's tokens. */
export type KeptContents = {readonly mode: number; readonly cuts?: readonly TokenCut[]} & (
  | {readonly text: string}
  | {readonly base64: string}
  /** The name of the file that contains a large text. */
  | {readonly copy: string}
);

/** One write that can be undone. */
export type JournalEntry = {
  readonly id: string;
  /** The run of the program that made the write. The writes of one run are undone together. */
  readonly run: string;
  /** The time, in ISO 8601. */
  readonly at: string;
  /**
   * The command that wrote it, without its arguments: `setup`, `mcp connect`. Entries of earlier releases have none.
   */
  readonly command?: string;
  readonly path: string;
  /** The link through which the file was written, if any. */
  readonly link?: string;
  /** Null if there was no file. */
  readonly before: KeptContents | null;
  /** SHA-256 of the written bytes, in hex; null if the file was removed. */
  readonly after: string | null;
  /** SHA-256 of the bytes that a sign-out leaves, in hex, if it changes the written bytes. */
  readonly signedOut?: string;
  /** True if a sign-out wrote it, which removed only tokens. */
  readonly isSignOut?: true;
  /** The directories that were created for the file, the innermost first. */
  readonly directories?: readonly string[];
  /** The directory to which the file was confined. Restoring it is confined to the same directory. */
  readonly root?: string;
};

/** The list of writes, oldest first. */
export type Journal = {
  /**
   * Returns all entries that can be read.
   *
   * @throws SetupError `local-open-to-others`
   */
  list(): Promise<readonly JournalEntry[]>;
  /** Returns the files of the entries that cannot be read, which `list` omits. Never rejects. */
  damaged(): Promise<readonly string[]>;
  /**
   * Returns the kept bytes, without the tokens that were cut out.
   *
   * @throws SetupError `local-file-invalid`, `local-read-failed` if the copy is gone
   */
  read(contents: KeptContents): Promise<Buffer>;
  forget(entry: JournalEntry): Promise<void>;
};

/**
 * The way to read and change files that must not be lost. A write is complete or not made at all, even if the power
 * fails, unless the existing file itself has to be written (`isWrittenInPlace`).
 */
export type Files = {
  /** Whether a file or a directory exists. One that cannot be examined counts as absent. */
  exists(path: string): Promise<boolean>;
  /** Whether there is a file, at `path` or in a directory below, that is not among `known`. Links are not followed. */
  holdsOther(path: string, known: ReadonlySet<string>): Promise<boolean>;
  /**
   * Whether only its owner has access to a file, as far as the system tells. A file that does not exist yet counts as
   * such, except on Windows.
   */
  isForOwner(path: string): Promise<boolean>;
  /** Returns the names in a directory; none if it cannot be read. */
  list(directory: string): Promise<readonly string[]>;
  /**
   * Returns the directories that a write to `path` creates, or that are among the `known` ones, the innermost first.
   */
  madeFor(path: string, known: readonly string[]): Promise<readonly string[]>;
  /** Removes those of these directories that are empty and within the confinement, in this order. Never fails. */
  removeEmpty(directories: readonly string[], within?: Confinement): Promise<void>;
  /**
   * Returns where a write to `path` lands: with every link resolved, including one whose target does not exist yet.
   *
   * @throws SetupError `local-link-outside` if that is outside `within`
   */
  targetOf(path: string, within?: Confinement): Promise<string>;
  /**
   * Reads a file. Undefined if there is none. Anything but a regular file, and a file that is too large, is refused.
   *
   * @param options `own` for one of this program's own files: its limit is lower, and it is refused if other users can
   *   change it
   * @throws SetupError `local-file-invalid`, `local-open-to-others`, `local-read-failed`
   */
  read(path: string, options?: {readonly own?: boolean}): Promise<FileContents | undefined>;
  write(path: string, bytes: Buffer | string, options: WriteOptions): Promise<void>;
  /** Removes a file. For a link, removes the file that it leads to, because that file was written. */
  remove(
    path: string,
    options?: {
      readonly journal?: boolean;
      /** The positions of this program's tokens in it. */
      readonly tokens?: readonly TokenSpan[];
      readonly within?: Confinement | undefined;
    },
  ): Promise<void>;
  /**
   * Returns the files beside one of this program's own that have its old or new contents: set aside as broken, or left
   * by an incomplete write. The caller holds the lock of that file.
   */
  leftoversOf(path: string): Promise<readonly string[]>;
  /** Removes the temporary files beside `path` whose writers have ended. Files that cannot be removed stay. */
  clean(path: string): Promise<void>;
  /**
   * Removes the temporary files and the locks beside these files whose creators have ended. Nothing is touched beside a
   * file whose lock is held. Never fails.
   */
  removeLeftovers(paths: readonly string[]): Promise<void>;
  /**
   * Checks whether a write could be made, before anything is written.
   *
   * @param options `overwriteReadOnly: false` to refuse a read-only file, although it could be replaced
   * @throws SetupError `local-write-failed`, `local-file-read-only`, `local-link-outside`
   */
  check(
    path: string,
    options?: {readonly overwriteReadOnly?: boolean; readonly within?: Confinement | undefined},
  ): Promise<void>;
  /**
   * Takes the room for a later write of up to `size` bytes, so that the write succeeds even if the disk is full by
   * then.
   *
   * @throws SetupError `local-write-failed` if there is no room, or nothing can be written there
   */
  reserve(path: string, size: number): Promise<Reservation>;
  /**
   * Runs `work` with one holder at a time across processes, for read-modify-write of `path`.
   *
   * @param options `signal` ends the wait, but not the work; `onWait` is called once, if another process holds the
   *   lock; `within` as for a write
   * @throws SetupError `local-locked` after a minute, or if the lock was lost while it was held; `cancelled`;
   *   `local-write-failed` if no lock can be created; `local-link-outside`
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
  /** Whether the lock of `path` seems to be held. */
  isLocked(path: string): Promise<boolean>;
};

/** Copies of this program in a directory of the person, one per version, which entries of assistants start. */
export type OwnCopies = {
  /** Whether the copy exists, byte for byte; of the runtime, only the size is compared. */
  has(copy: OwnCopy): Promise<boolean>;
  /**
   * Creates the copy, or replaces it if it differs.
   *
   * @throws SetupError `local-write-failed`
   */
  make(copy: OwnCopy): Promise<void>;
  /**
   * Returns the directories of all copies, with the time since which no entry names them, in milliseconds since the
   * epoch.
   */
  list(): Promise<readonly {readonly directory: string; readonly unusedSince: number | undefined}[]>;
  /** Notes since when no entry names a copy; undefined for one that is named again. */
  note(directory: string, unusedSince: number | undefined): Promise<void>;
  remove(directory: string): Promise<void>;
};

/**
 * Everything that this program keeps for itself: settings, secrets in files, journal, records, copies and compiled
 * code.
 */
export type OwnFiles = {
  /** Returns the paths of its files and directories. */
  list(): Promise<readonly string[]>;
  /**
   * Removes all of it except the lock of the entries, which the caller holds. Marks the directories that were created
   * for it, so that `removeDirectories` of a later start knows them too. Never fails.
   */
  remove(): Promise<void>;
  /**
   * Removes the marked directories if they are empty, and then the marks. Never fails.
   *
   * @returns the paths that are still in its directories: what could not be removed, and foreign files
   */
  removeDirectories(): Promise<readonly string[]>;
};

export type ConfigStore = {
  readonly path: string;
  read(): Promise<Config>;
  /**
   * Adds a context and makes it the current one, or replaces the saved context of that name. If `context` has
   * `actsAs`, only the account of the assistants is saved.
   *
   * @param entries returns the entries to keep, given those that are saved by then. With it, the entries of `context`
   *   and its facts about the CLI's file are ignored. A caller that read the context earlier passes this function, so
   *   that what another process has saved since is not lost
   */
  saveContext(context: Context, entries?: (known: readonly ContextEntry[]) => readonly ContextEntry[]): Promise<void>;
  /** Changes the saved entries of a context under the lock. Does nothing if the context is gone. */
  saveEntries(name: string, change: (entries: readonly ContextEntry[]) => readonly ContextEntry[]): Promise<void>;
  /** Saves the facts about the own CLI's file; undefined removes them. Does nothing if the context is gone. */
  saveCli(name: string, cli: ContextCli | undefined): Promise<void>;
  /**
   * Saves the account of a context's assistants; undefined removes it, so that they act as the person from then on. Does
   * nothing if the context is gone.
   */
  saveAssistantsAccount(name: string, account: AssistantsAccount | undefined): Promise<void>;
  /** Saves whether the assistants of a context may only look. Does nothing if the context is gone. */
  saveOnlyLook(name: string, isOn: boolean): Promise<void>;
  /** Saves the release of a context whose control plane does not name it. */
  saveRelease(name: string, release: string): Promise<void>;
  /**
   * Makes a context the current one.
   *
   * @throws SetupError `input-invalid` if there is none of that name
   */
  useContext(name: string): Promise<void>;
  /**
   * Removes a context.
   *
   * @throws SetupError `input-invalid` if there is none of that name
   */
  removeContext(name: string): Promise<void>;
};

/** A sign-in while this process alone may change the file. */
export type CredentialsTransaction = {
  /** The sign-in as the file has it. */
  readonly current: Credentials | undefined;
  /** Reads the sign-in again. A process that was suspended may have lost its lock without knowing it. */
  read(): Promise<Credentials | undefined>;
  /**
   * Takes the room on the disk that the next write may need, before something is done that cannot be repeated.
   *
   * @throws SetupError `local-write-failed` if the write would fail
   */
  reserve(): Promise<void>;
  /** Writes the sign-in; undefined removes it. Never rejects: the result of the transaction says why it failed. */
  write(next: Credentials | undefined): Promise<void>;
};

/**
 * Small files that only one process can create. Each gives that process a right, such as to send a refresh token. They
 * outlast the process. Reading and removing never fail.
 */
export type ExclusiveFiles = {
  /**
   * Creates a file; false if it exists already.
   *
   * @throws SetupError `local-write-failed`
   */
  create(path: string, text: string): Promise<boolean>;
  read(path: string): Promise<string | undefined>;
  remove(path: string): Promise<void>;
};

export type CredentialsStore = {
  readonly path: string;
  /** Returns where secrets are kept, or would be: `file`, or the keychain's name. */
  where(): Promise<string>;
  get(key: CredentialsKey): Promise<Credentials | undefined>;
  /** Returns many entries from one read of the file. Rejects if it cannot be read. */
  getEach(keys: readonly CredentialsKey[]): Promise<readonly PromiseSettledResult<Credentials | undefined>[]>;
  /** Returns the sign-ins that have the secret of a client, as far as they can be read. Rejects if the file cannot. */
  withClientSecret(): Promise<readonly CredentialsKey[]>;
  /**
   * Runs work while no other process changes the file. If nothing can be written there at all, the work runs on what
   * can be read, and its `reserve` rejects.
   *
   * @returns the value of the work, and `unwritten`: why the disk does not have what the work wrote
   * @throws SetupError `local-locked`, `local-keychain-failed` if the current sign-in cannot be read; also what the
   *   work throws
   */
  transaction<T>(
    key: CredentialsKey,
    work: (transaction: CredentialsTransaction) => Promise<T>,
  ): Promise<{readonly value: T; readonly unwritten?: SetupError}>;
  /**
   * Reads, changes and writes one entry under the lock: `change` gets the current entry, and its result is on disk when
   * the promise resolves. Undefined removes the entry.
   *
   * @throws SetupError `local-keychain-failed` if the current entry cannot be read; nothing is changed then
   */
  update(
    key: CredentialsKey,
    change: (current: Credentials | undefined) => Promise<Credentials | undefined>,
  ): Promise<Credentials | undefined>;
  /** Replaces one entry, even if the current one cannot be read; undefined only removes it. */
  replace(key: CredentialsKey, credentials: Credentials | undefined): Promise<void>;
  /**
   * Removes the files beside the store's own that contain secrets and are no longer read.
   *
   * @throws SetupError `local-write-failed` that names a file that stays
   */
  purge(): Promise<void>;
};

/** The documents that an identity provider publishes about itself, as read, for as long as they may be cached. */
export type ProviderDocuments = {
  /** OpenID Connect Discovery 3, RFC 8414 2. */
  readonly metadata?: KeptDocument;
  /** The provider's keys, as `{"keys": […]}` (RFC 7517 5). */
  readonly keys?: KeptDocument;
};

/** The versions that programs reported, by absolute path. An error of the store never makes the caller fail. */
export type VersionStore = {
  /** Undefined if the version is unknown, or if the program was replaced since. */
  get(program: string): Promise<string | undefined>;
  put(program: string, said: string): void;
  /** Writes what this process has learnt, for later processes. */
  keep(): Promise<void>;
};

/** `until` in milliseconds since the epoch. */
export type KeptDocument = {readonly body: Readonly<Record<string, unknown>>; readonly until: number};

/**
 * The documents of identity providers by issuer. An error of the store never makes the caller fail: a missing document
 * is fetched.
 */
export type ProviderStore = {
  get(issuer: string): Promise<ProviderDocuments>;
  /** Adds to what this process knows; undefined removes a document. */
  put(
    issuer: string,
    documents: {readonly [D in keyof ProviderDocuments]: ProviderDocuments[D] | undefined},
  ): Promise<void>;
  /** Writes what this process knows, for the later processes that renew a sign-in. */
  keep(): Promise<void>;
};

/**
 * The era of MCP that a server speaks, if it speaks only one, by the server's address. An error of the store never
 * makes the caller fail: a missing era is detected again.
 */
export type EraStore = {
  /** Whether there is no file, and so nothing is kept of any server; synchronous. */
  isEmpty(): boolean;
  get(url: string): Promise<'legacy' | 'modern' | undefined>;
  /** Keeps the era for later processes; undefined removes it. */
  put(url: string, era: 'legacy' | 'modern' | undefined): Promise<void>;
};
