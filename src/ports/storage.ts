import type {Method, Scope} from '../assistants/assistant.ts';
import type {Made} from '../assistants/formats/entry-format.ts';
import type {Layout} from '../platform/platform.ts';
import type {NetworkSettings} from './network/network-settings.ts';

/** A file as it was read: the exact bytes, and the permission bits. */
export type FileContents = {readonly bytes: Buffer; readonly mode: number};

export type WriteOptions = {
  /** Permission bits of a new file; an existing one keeps its own unless `tighten` asks for these. */
  readonly mode: number;
  /** Sets `mode` on an existing file too: for files that hold a secret. */
  readonly tighten?: boolean;
  /** Keeps the old bytes so that the write can be undone. Off only for the program's own secrets. */
  readonly journal: boolean;
  /** Tokens of our own in the old bytes, which the kept copy leaves out, and in the new ones, which a sign-out takes out. */
  readonly hidden?: readonly string[];
  /** What a sign-out makes of the new bytes, where it does more than to take tokens out of headers. */
  readonly signedOut?: string;
  /** The bytes that the write was planned on, null for none: another program's change in between refuses the write. */
  readonly expected?: Buffer | null;
  /** Puts the bytes there itself, at the path that the file really has; they are the ones that `write` was given. */
  readonly writer?: (path: string) => Promise<void>;
};

/** The old contents of a file as they are kept: as text where they are text, without our own tokens. */
export type KeptContents = {readonly mode: number} & ({readonly text: string} | {readonly base64: string});

/** Stands in a kept copy where an access token of ours stood. */
export const ACCESS_TOKEN = '<access token>';

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT_TOKEN = 'signed-out-run-npx-setup';

/** The same in a header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;

/** One write that can be undone. */
export type JournalEntry = {
  readonly id: string;
  /** The start of the program that made it: what it wrote is put back together. */
  readonly run: string;
  /** When, in ISO 8601. */
  readonly at: string;
  readonly path: string;
  /** As which it was written, where that is a link to it. */
  readonly link?: string;
  /** Null when there was no file. */
  readonly before: KeptContents | null;
  /** SHA-256 of what was written, in hex; null when the file was removed. */
  readonly after: string | null;
  /** The same of what a sign-out makes of it, where it holds tokens of ours. */
  readonly signedOut?: string;
};

/** What was written where, oldest first. */
export type Journal = {
  list(): Promise<readonly JournalEntry[]>;
  forget(entry: JournalEntry): Promise<void>;
};

/** The only way to write. A write is whole or not at all, also when the power fails. */
export type Files = {
  /** Whether there is a file or a directory of this name. What cannot be looked at counts as absent. */
  exists(path: string): Promise<boolean>;
  /** Undefined when there is no such file. */
  read(path: string): Promise<FileContents | undefined>;
  write(path: string, bytes: Buffer | string, options: WriteOptions): Promise<void>;
  remove(path: string, options?: {readonly journal: boolean; readonly hidden?: readonly string[]}): Promise<void>;
  /** @throws SetupError `local-write-failed` when a write there could not be made, before anything is */
  check(path: string): Promise<void>;
  /** One holder at a time across processes, for read-modify-write of `path`. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
};

/** How a context signs in. Each names a client of the identity provider and how it proves itself. */
export type SignInMethod = 'browser' | ClientMethod;

/** The ways of a client that signs in by a secret of its own. */
export type ClientMethod = 'service-account' | 'mcp-client';

/** One deployment that the person is connected to. No secrets. */
export type Context = {
  readonly name: string;
  /** The platform descriptor's id. */
  readonly platform: string;
  readonly baseDomain: string;
  readonly layout: Layout | 'unknown';
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  readonly signIn: SignInMethod;
  readonly clientId: string;
  /** What a person's sign-in asks for. */
  readonly scopes?: readonly string[];
  /** The audience that is asked for (RFC 8707); `none` where the identity provider refused the one that there is. */
  readonly resource?: string;
  /** The server that takes only a token of its own, and the resource that it is asked for; the sign-in's is the control plane's. */
  readonly resources?: {readonly observability?: string};
  /** Where the browser is sent back to, if not to the platform's own redirect URL. */
  readonly redirectUri?: string;
  /** How it is reached, where that was said, or is not as the environment has it. */
  readonly network?: NetworkSettings;
  /** The files of assistants that hold an entry of this context, to be renewed with the sign-in. */
  readonly entries?: readonly ContextEntry[];
  /** The file of the platform's own CLI, where that is signed in as well, to be renewed with the sign-in. */
  readonly cli?: ContextCli;
};

/** What is known of the deployment that was entered in the file of the platform's own CLI. */
export type ContextCli = {
  readonly path: string;
  /** Of the context in it, of its control plane and of its credentials. */
  readonly name: string;
  /** The lists that had nothing of this name before. */
  readonly added: readonly ('controlplanes' | 'credentials' | 'contexts')[];
  /** Whether there was no such file before. */
  readonly created?: true;
  /** The context that was the current one before. */
  readonly previous?: string;
  /** The control plane's release, where it told. */
  readonly version?: string;
};

export type ContextEntry = {
  readonly assistant: string;
  readonly scope: Scope;
  /** The project that the person was in, absolute: where the file is, if it is a project's. */
  readonly project: string;
  readonly method: Method;
  readonly path: string;
  /** The names of the entries in it. */
  readonly names: readonly string[];
  /** What was made for them, to be taken away with them. */
  readonly made?: Made;
  /** Whether there was no such file before them. */
  readonly created?: true;
};

export type Config = {
  readonly version: 1;
  readonly currentContext?: string;
  readonly contexts: readonly Context[];
};

export type ConfigStore = {
  readonly path: string;
  read(): Promise<Config>;
  /** Adds or replaces the context of that name and makes it the current one. */
  saveContext(context: Context): Promise<void>;
  /** Changes what is known of a context's entries, with nobody between. A context that is gone is let go. */
  saveEntries(name: string, change: (entries: readonly ContextEntry[]) => readonly ContextEntry[]): Promise<void>;
  /** Keeps what is known of the own CLI's file; undefined forgets it. A context that is gone is let go. */
  saveCli(name: string, cli: ContextCli | undefined): Promise<void>;
  /** @throws SetupError `input-invalid` when there is none of that name */
  useContext(name: string): Promise<void>;
  /** @throws SetupError `input-invalid` when there is none of that name */
  removeContext(name: string): Promise<void>;
};

/**
 * Which sign-in it is: the client's at an issuer, or the one for a server that takes only a token of its own, by the
 * resource that the token is for.
 */
export type CredentialsKey = {readonly issuer: string; readonly clientId: string; readonly audience?: string};

export const isSameSignIn = (one: CredentialsKey, other: CredentialsKey): boolean =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.audience === other.audience;

/** What is kept of a sign-in. */
export type Credentials = CredentialsKey & {
  readonly clientSecret?: string;
  /** The secret of a client that is being created: kept before it is asked for, so that a client is never without one. */
  readonly createdSecret?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** How the person is called, where a person signed in. */
  readonly account?: string;
  /** Milliseconds since the epoch. */
  readonly obtainedAt?: number;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  /** Not before this is a renewal tried again while the token is good, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Whether the system's keychain has the secrets. Only the store itself sees it. */
  readonly inKeychain?: boolean;
  /** Set when a renewal was refused: the sign-in has ended, and since when. */
  readonly refused?: {readonly at: number; readonly reason: string};
};

/** Whether anything that is secret is kept of a sign-in. */
export const hasSecrets = (kept: Credentials | undefined): boolean =>
  (kept?.accessToken ?? kept?.refreshToken ?? kept?.clientSecret ?? kept?.createdSecret) !== undefined;

export type CredentialsStore = {
  readonly path: string;
  /** Where secrets are kept, or would be: `file`, or the keychain's name. */
  where(): Promise<string>;
  get(key: CredentialsKey): Promise<Credentials | undefined>;
  /**
   * Reads, changes and writes one entry with nobody between: `change` sees what is there now and its result is on disk
   * when the promise resolves. Undefined removes the entry.
   *
   * @throws SetupError `local-keychain-failed` when what is there cannot be read; nothing is changed then
   */
  update(
    key: CredentialsKey,
    change: (current: Credentials | undefined) => Promise<Credentials | undefined>,
  ): Promise<Credentials | undefined>;
  /** Puts one entry in the place of what is there, also where that cannot be read; undefined only removes it. */
  replace(key: CredentialsKey, credentials: Credentials | undefined): Promise<void>;
};

export type SecretName =
  | 'service-account-secret'
  | 'mcp-client-secret'
  | 'admin-password'
  | 'access-token'
  | 'refresh-token'
  | 'observability-access-token'
  | 'observability-refresh-token';

/** Secrets of this run, in memory only: they are in no state, event, log or error. */
export type Vault = {
  get(name: SecretName): string | undefined;
  set(name: SecretName, value: string | undefined): void;
};
