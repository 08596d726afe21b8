/** What a code stands for, for who meets it. How it is mended is the remedy of its row in the table of errors. */
export type Explanation = {
  /** A few words, as they stand behind “Broken at:”. */
  readonly name: string;
  /** What happened. */
  readonly means: string;
  /** What it usually comes from. */
  readonly why: string;
};
