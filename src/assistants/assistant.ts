import type {Method, Scope} from '../domain/context.ts';
import type {Connection} from './connection.ts';
import type {EntryFormat} from './formats/entry-format.ts';
import type {Place, System} from './place.ts';
import type {Rules} from './rules.ts';
import type {Trust} from './trust.ts';

/** The entry names that a client accepts, as a test and in words: “letters, digits and dashes”. */
export type NameRule = {allows(name: string): boolean; readonly words: string};

const rule = (pattern: RegExp, words: string): NameRule => ({allows: name => pattern.test(name), words});

export const wordNames = rule(/^[a-z\d][\w-]*$/i, 'letters, digits, dashes and underscores');

export const dottedNames = rule(/^[a-z\d][\w.-]*$/i, 'letters, digits, dots, dashes and underscores');

/** For clients that split a tool's name at underscores. */
export const dashedNames = rule(/^[a-z\d][a-z\d-]*$/i, 'letters, digits and dashes');

export const anyNames = rule(/^(?!__proto__$)[^\p{Cc}]+$/u, 'anything but control characters');

/**
 * The name and the place of an entry. Some dialects repeat the name inside the entry. A project's file is also read by
 * other clients, so an entry there may need another form.
 */
export type EntryPlace = {
  readonly name: string;
  readonly scope: Scope;
  readonly system: System;
  /** The WSL distribution that this program runs in; absent outside WSL. */
  readonly distro?: string;
};

export type HeaderEntry = EntryPlace & {readonly url: string; readonly authorization: string};
/** `command` is the program and its arguments, unquoted. */
export type HelperEntry = EntryPlace & {readonly url: string; readonly command: readonly [string, ...string[]]};
/** `clientId` is the ID of a public client at the identity provider. */
export type OAuthEntry = EntryPlace & {readonly url: string; readonly clientId: string};
export type CommandEntry = EntryPlace & {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * The entries of one dialect, as values. A missing method means that the client does not support that kind of entry.
 */
export type EntryShape = {
  header?(entry: HeaderEntry): object;
  helper?(entry: HelperEntry): object;
  /** Present only for clients that can sign in by themselves with a registered client, as seen or as documented. */
  oauth?(entry: OAuthEntry): object;
  command(entry: CommandEntry): object;
  /** Returns undefined if the client would not read the value as a connection of one of these kinds. */
  read(entry: unknown): Connection | undefined;
  /**
   * Keys that the person writes into an entry, or the client on the person's behalf: which tools need no confirmation,
   * how long to wait. In a project's file, only these keys and those that this program writes are accepted; in the
   * person's own file, every key is the person's.
   */
  readonly preserved: readonly string[];
  /**
   * More such keys, for files of the person's own only, since a project's file also comes from other people. They
   * change how the program is started: `env` and `cwd`, unless others are named.
   */
  readonly preservedInOwnFile?: readonly string[];
  /**
   * The key with which a person switches an entry off, and its value then; absent if the client stores that elsewhere.
   */
  readonly off?: readonly [key: string, value: boolean];
  /** Keys of our entries whose values may be shown. Any other value may be a secret. */
  readonly shown: readonly string[];
};

/** The facts about one AI assistant. Only data and pure functions: nothing here touches a file or starts a program. */
export type Assistant = {
  readonly id: string;
  readonly name: string;
  /**
   * Returns the files that may hold the assistant's servers: absolute paths, the preferred first. The first that exists
   * is written; if none exists, the first is created. Empty if the assistant has no such scope.
   */
  files(scope: Scope, place: Place): readonly string[];
  /**
   * Returns what the client loses if a file of this scope is created, as the rest of a sentence; undefined if it loses
   * nothing. If it loses something, the file is written only if it already exists.
   */
  losesByNew?(scope: Scope): string | undefined;
  /** Returns every file of the scope that the client merges. It sees an entry of the same name in any of them. */
  alsoReads?(scope: Scope, place: Place): readonly string[];
  /**
   * Returns the IDs of the assistants whose entries of this scope the client reads as well. An entry of its own with
   * the same name takes precedence.
   */
  readsToo?(scope: Scope): readonly string[];
  /**
   * Returns the paths that prove that the assistant is on this machine: files that it made, or directories that contain
   * a file that it made.
   */
  traces(place: Place): readonly string[];
  /** The name of an executable on PATH that prints its version for `--version`. */
  readonly command?: string;
  /** Matches the `--version` output of another program with the same name. */
  readonly namesake?: RegExp;
  readonly format: EntryFormat;
  readonly entry: EntryShape;
  /** The method that this assistant is meant for, if that is not the one that keeps it signed in best. */
  readonly prefers?: Method;
  /** The first version in which its helper works. */
  readonly helperSince?: string;
  /**
   * The first version that was seen to resolve names below `localhost` to this machine by itself (RFC 6761 6.3); the
   * system's resolver may not know them. Absent if no version was seen to do so.
   */
  readonly localhostSince?: string;
  readonly names: NameRule;
  /**
   * The redirect URIs to which a browser returns when the assistant signs in by itself, from its documentation. Its
   * entries request the first.
   */
  readonly redirects?: readonly string[];
  /**
   * Returns the redirect URI, if it depends on the address of the server. A loopback URI without a port stands for any
   * port (RFC 8252 7.3).
   */
  redirectFor?(url: string): string;
  /**
   * True if the assistant signs in by itself only over TLS or to this machine: localhost, 127.0.0.1 or ::1, but no name
   * below localhost.
   */
  readonly signsInOverTls?: true;
  /**
   * What the assistant asks the person before it starts the servers of a project's file. Absent if it asks nothing, or
   * if the answer cannot be read from a file.
   */
  readonly trust?: Trust;
  /**
   * Which servers an organisation lets the assistant use. Absent if, as far as is known, nothing on the machine says
   * so.
   */
  readonly rules?: Rules;
  /** True if its model must search for a tool to get it, so that a conversation carries only a few of the tools. */
  readonly defersTools?: true;
  /**
   * The users for whom its maker discontinued it, and what replaces it. A sentence; absent if it still serves everyone.
   */
  readonly ended?: string;
  /** Returns what the person still has to do in the client after an entry was written. Sentences. */
  afterwards(scope: Scope, method: Method): readonly string[];
};

/** Returns the redirect URIs of an assistant that signs in to the server at `url`; empty if unknown. */
export const redirectsTo = ({redirects = [], redirectFor}: Assistant, url: string): readonly string[] =>
  redirectFor ? [redirectFor(url)] : redirects.slice(0, 1);

/** A redirect URI, and the name of the assistant that listens there. */
export type RedirectAddress = {readonly name: string; readonly address: string};

/** Returns every redirect URI of these assistants for signing in by themselves to these servers. */
export const redirectAddresses = (
  assistants: readonly Assistant[],
  servers: readonly string[],
): readonly RedirectAddress[] =>
  assistants.flatMap(({name, redirects = [], redirectFor}) =>
    [...redirects, ...(redirectFor ? servers.map(url => redirectFor(url)) : [])].map(address => ({name, address})),
  );
