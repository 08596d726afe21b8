/** Whether an entry is the person's, in every project, or one project's. */
export type Scope = 'user' | 'project';

/**
 * How an entry stays signed in: a command that prints headers, a program in between, a token that ends, or a sign-in of
 * the assistant's own (OAuth).
 */
export type Method = 'helper' | 'bridge' | 'header' | 'oauth';

/** Whether an entry of this method starts this program. */
export const startsProgram = (method: Method): boolean => method === 'helper' || method === 'bridge';

/**
 * What `set` has to create besides the entries, and what stood there before: enough for `remove` to give back the same
 * bytes. Holds layout only, never a value of the file's; plain JSON, so that it can be kept.
 */
export type Scaffolding =
  | {readonly kind: 'nothing'}
  /** There was a place for entries with none in it. `within` is the white space before its closing bracket. */
  | {readonly kind: 'entries'; readonly within: string}
  /** There was no place for entries. `within` belongs to the root, where that was empty. */
  | {readonly kind: 'map'; readonly within?: string}
  /** The file was blank, or there was none. */
  | {readonly kind: 'contents'; readonly text: string};
