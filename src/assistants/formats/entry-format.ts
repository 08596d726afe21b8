import type {Scaffolding} from '../../domain/context.ts';

/** Entries by name, as values. */
export type Entries = Readonly<Record<string, unknown>>;

/**
 * Reads and changes the entries in the text of another program's file. Nothing else in it changes: comments, order,
 * indentation, newlines, byte order mark, unknown keys. Every result has been parsed again and compared with what was
 * meant.
 *
 * All but `mask` throw a SetupError `local-file-invalid` that names `path` and the line, for a file that does not parse,
 * holds a conflict marker or the same key twice, or whose root is of another type: it is refused, never repaired.
 */
export type Editor = {
  /** The entries; empty for a blank file. */
  read(text: string, path: string): Entries;
  /** Adds or replaces entries. One that says the same already keeps its own layout, to the byte. */
  set(text: string, entries: Readonly<Record<string, object>>, path: string): string;
  /** What `set` would have to create in this text. Asked before the first `set`, and kept for `remove`. */
  made(text: string, path: string): Scaffolding;
  /**
   * Takes entries away, and what was made for them once it is empty. After `set` and nothing else, with what `made` said
   * before it, this gives back the same text.
   */
  remove(text: string, names: readonly string[], path: string, made?: Scaffolding): string;
  /** Where the texts of an entry stand, by their paths in it; none in a text that does not parse. */
  textsOf(text: string, name: string): readonly EntryText[];
  /**
   * The text for showing. Of the entries named by `labels` every value is replaced but those of the keys in `shown`. Of
   * all else, values and comments that may be secrets are, or every one of them where `others` says so. A text that does
   * not parse is replaced whole.
   */
  mask(text: string, labels: readonly string[], shown: readonly string[], others?: 'shown' | 'hidden'): string;
};

/** Where a text in an entry stands, with its quotes, in UTF-16 code units. */
export type EntryText = {readonly path: readonly (string | number)[]; readonly start: number; readonly end: number};

/** A large text without its bulk. */
export type Folded = {
  readonly text: string;
  /** Where a place in a text that an editor made of it is among its bytes. */
  placeOf(text: string, at: number): number;
  /** The bytes of a text that an editor made of it, with all that was left out. */
  unfold(text: string): Buffer;
};

/** How entries lie in a file. */
export type EntryFormat = {
  readonly name: 'JSON' | 'TOML' | 'YAML';
  /** Loads the editor; a parser is not loaded before there is a file of its format. */
  editor(): Promise<Editor>;
  /**
   * Leaves the bulk of a large file out of what an editor is given; undefined where nothing can be left out safely.
   *
   * @param name what stands for bytes that are left out, in a text that is only shown
   */
  fold?(bytes: Buffer, name?: (part: Buffer) => string): Promise<Folded | undefined>;
};
