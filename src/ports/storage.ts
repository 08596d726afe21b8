import type {Layout} from '../platform/platform.ts';

/** A file as it was read: the exact bytes, and the permission bits. */
export type FileContents = {readonly bytes: Buffer; readonly mode: number};

export type WriteOptions = {
  /** Permission bits of a new file; an existing one keeps its own unless `tighten` asks for these. */
  readonly mode: number;
  /** Sets `mode` on an existing file too: for files that hold a secret. */
  readonly tighten?: boolean;
  /** Keeps the old bytes so that the write can be undone. Off only for the program's own secrets. */
  readonly journal: boolean;
  /** The bytes that the write was planned on, null for none: another program's change in between refuses the write. */
  readonly expected?: Buffer | null;
};

/** The only way to write. A write is whole or not at all, also when the power fails. */
export type Files = {
  /** Undefined when there is no such file. */
  read(path: string): Promise<FileContents | undefined>;
  write(path: string, bytes: Buffer | string, options: WriteOptions): Promise<void>;
  remove(path: string): Promise<void>;
  /** One holder at a time across processes, for read-modify-write of `path`. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
};

/** How a context signs in. Each names a client of the identity provider and how it proves itself. */
export type SignInMethod = 'service-account' | 'mcp-client';

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
};

/** What is kept of a sign-in, by issuer and client. */
export type Credentials = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly accessToken?: string;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
};

export type CredentialsKey = {readonly issuer: string; readonly clientId: string};

export type CredentialsStore = {
  readonly path: string;
  get(key: CredentialsKey): Promise<Credentials | undefined>;
  /**
   * Reads, changes and writes one entry with nobody between: `change` sees what is there now and its result is on disk
   * when the promise resolves. Undefined removes the entry.
   */
  update(
    key: CredentialsKey,
    change: (current: Credentials | undefined) => Promise<Credentials | undefined>,
  ): Promise<Credentials | undefined>;
};

export type SecretName = 'service-account-secret' | 'mcp-client-secret' | 'admin-password' | 'access-token';

/** Secrets of this run, in memory only: they are in no state, event, log or error. */
export type Vault = {
  get(name: SecretName): string | undefined;
  set(name: SecretName, value: string | undefined): void;
};
