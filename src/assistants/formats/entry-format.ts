import type {Scaffolding} from '../../domain/context.ts';

/** Entries by name, as values. */
export type Entries = Readonly<Record<string, unknown>>;

/**
 * Reads and changes the entries in the text of another program's file. Everything else stays: comments, order,
 * indentation, newlines, byte order mark, unknown keys. Every result has been parsed again and compared with the
 * intended one.
 *
 * All methods but `mask` and `textsOf` throw a SetupError `local-file-invalid`, which names `path` and the line, if the
 * file does not parse, contains a conflict marker or the same key twice, or has a root of another type. Such a file is
 * refused, never repaired.
 */
export type Editor = {
  /** Returns the entries; empty for a blank file. */
  read(text: string, path: string): Entries;
  /** Adds or replaces entries. An entry that already has the same value keeps its layout, to the byte. */
  set(text: string, entries: Readonly<Record<string, object>>, path: string): string;
  /** Returns what `set` would have to create in this text. Called before the first `set`, and kept for `remove`. */
  made(text: string, path: string): Scaffolding;
  /**
   * Removes entries, and whatever was created for them once that is empty. Directly after `set`, and with what `made`
   * returned before it, this restores the same text.
   */
  remove(text: string, names: readonly string[], path: string, made?: Scaffolding): string;
  /** Finds the strings of an entry, by their paths in it; empty if the text does not parse. */
  textsOf(text: string, name: string): readonly EntryText[];
  /**
   * Returns the text for showing. In the entries named by `labels`, every value is replaced except those of the keys in
   * `shown`. Elsewhere, values and comments are replaced if they may be secrets, or all of them if `others` is
   * `hidden`. A text that does not parse is replaced completely.
   */
  mask(text: string, labels: readonly string[], shown: readonly string[], others?: 'shown' | 'hidden'): string;
};

/** The range of a string in an entry, including its quotes, in UTF-16 code units. */
export type EntryText = {readonly path: readonly (string | number)[]; readonly start: number; readonly end: number};

/** A large text without its bulk. */
export type Folded = {
  readonly text: string;
  /** Converts a position in an edited `text` into an offset in the bytes that `unfold` returns for it. */
  placeOf(text: string, at: number): number;
  /** Returns the bytes of an edited `text`, with all left-out parts restored. */
  unfold(text: string): Buffer;
};

/** The format of a file with entries. */
export type EntryFormat = {
  readonly name: 'JSON' | 'TOML' | 'YAML';
  /** Loads the editor. A parser is loaded only when there is a file of its format. */
  editor(): Promise<Editor>;
  /**
   * Leaves the bulk of a large file out of the text for an editor. Returns undefined if nothing can be left out safely.
   *
   * @param name returns a placeholder for left-out bytes, for a text that is only shown
   */
  fold?(bytes: Buffer, name?: (part: Buffer) => string): Promise<Folded | undefined>;
};
