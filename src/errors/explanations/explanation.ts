/** The explanation of a code. The solution is the remedy of its row in the table of errors. */
export type Explanation = {
  /** A few words that can follow “Broken at:”. */
  readonly name: string;
  /** The event that led to the code. */
  readonly means: string;
  /** The usual cause. */
  readonly why: string;
};
