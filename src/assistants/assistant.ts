import type {Method, Scope} from '../domain/context.ts';
import type {Connection} from './connection.ts';
import type {EntryFormat} from './formats/entry-format.ts';
import type {NameRule} from './names.ts';
import type {Place, System} from './place.ts';
import type {Rules} from './rules.ts';
import type {Trust} from './trust.ts';

/** What an entry is for. Some dialects repeat the name inside, and a project's file is read by other clients too. */
export type EntryPlace = {
  readonly name: string;
  readonly scope: Scope;
  readonly system: System;
  /** The distribution of WSL that this program runs in, where it does. */
  readonly distro?: string;
};

export type HeaderEntry = EntryPlace & {readonly url: string; readonly authorization: string};
/** `command` is the program and its arguments, not quoted. */
export type HelperEntry = EntryPlace & {readonly url: string; readonly command: readonly [string, ...string[]]};
/** `clientId` is that of a public client at the identity provider. */
export type OAuthEntry = EntryPlace & {readonly url: string; readonly clientId: string};
export type CommandEntry = EntryPlace & {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** The entries of one dialect, as values. What is absent, the client cannot do. */
export type EntryShape = {
  header?(entry: HeaderEntry): object;
  helper?(entry: HelperEntry): object;
  /** Only for clients that were seen to sign in and to renew well by themselves. */
  oauth?(entry: OAuthEntry): object;
  command(entry: CommandEntry): object;
  /** Undefined for a value that the client would not take for a connection of these kinds. */
  read(entry: unknown): Connection | undefined;
  /**
   * Keys that a person, or the client on their word, writes into an entry: which tools need no question, how long to wait.
   * In a project's file no other key but those that this program writes is taken; in the person's own, every key is theirs.
   */
  readonly kept: readonly string[];
  /**
   * More of them, in a file of the person's own: what changes how the program is started, `env` and `cwd` unless others are
   * named. A project's file comes from others too.
   */
  readonly keptInOwnFile?: readonly string[];
  /** The key by which a person switches an entry off, and its value then; absent where the client keeps that elsewhere. */
  readonly off?: readonly [key: string, value: boolean];
  /** Keys of our entries whose values may be shown; any other may hold a secret. */
  readonly shown: readonly string[];
};

/** What is known of one AI assistant. Data and pure functions: no file is touched here, and nothing is started. */
export type Assistant = {
  readonly id: string;
  readonly name: string;
  /**
   * The files that may hold its servers, absolute, the preferred first: the first that exists is the one to write, and
   * where none does, the first is made. Empty where it has no such scope.
   */
  files(scope: Scope, place: Place): readonly string[];
  /**
   * What the client loses when a file of the scope is made where there is none, as the rest of a sentence; absent where it
   * loses nothing. Such a file is written only where it is there.
   */
  losesByNew?(scope: Scope): string | undefined;
  /** Every file of the scope that the client merges: an entry of the same name in any of them is seen too. */
  alsoReads?(scope: Scope, place: Place): readonly string[];
  /** The assistants whose entries of that scope it reads as well, by their IDs; one of its own of the same name comes first. */
  readsToo?(scope: Scope): readonly string[];
  /** The assistant is on this machine when one of these is a file, or a directory with a file in it, that it made. */
  traces(place: Place): readonly string[];
  /** An executable on PATH that says its version when asked `--version`. */
  readonly command?: string;
  /** What another program of that name says to `--version`. */
  readonly namesake?: RegExp;
  readonly format: EntryFormat;
  readonly entry: EntryShape;
  /** The method that it is for, where that is not the one that keeps it signed in best. */
  readonly prefers?: Method;
  /** The version from which its helper works. */
  readonly helperSince?: string;
  /**
   * The version from which it takes names below `localhost` for this machine by itself (RFC 6761 6.3), where the
   * system's resolver may not know them. Absent: no version was seen to.
   */
  readonly localhostSince?: string;
  readonly names: NameRule;
  /** Where a browser sends a person back to it, where it signs in by itself, as its documentation says. Its entries ask for the first. */
  readonly redirects?: readonly string[];
  /** The same where it differs by server. One on loopback without a port stands for any port (RFC 8252 7.3). */
  redirectFor?(url: string): string;
  /** Set where it signs in by itself over TLS only, or on this machine: localhost, 127.0.0.1, ::1, no name below them. */
  readonly signsInOverTls?: true;
  /** What it asks of the person before it starts what a project's file names. Absent where it asks nothing, or does not tell. */
  readonly trust?: Trust;
  /** Which servers an organisation lets it use. Absent where nothing on the machine says so, as far as is known. */
  readonly rules?: Rules;
  /** Set where its model gets a tool only once it has searched for it, so that a conversation carries few of them. */
  readonly defersTools?: true;
  /** For whom its maker has ended it, and what takes its place. A sentence; absent where it serves everybody. */
  readonly ended?: string;
  /** What the client still asks of the person after an entry was written. Sentences. */
  afterwards(scope: Scope, method: Method): readonly string[];
};
