import type {ExitCode} from './exit-codes.ts';
import type {Advice} from './remedy.ts';

/** The party that can act after a failure: the person, the platform's operators, either of them, or this project. */
export type Whose = 'you' | 'platform' | 'either' | 'us';

/** Everything that this program knows of one error code. */
export type Row = {
  readonly exit: ExitCode;
  readonly whose: Whose;
  /** The person outside of the platform who can act too: “whoever runs the proxy”. */
  readonly orElse?: string;
  /** A few words, for lists of codes. */
  readonly name: string;
  /**
   * Says what is wrong, as a headline does: without a full stop, and with a small letter at the beginning. `{server}`
   * stands for the part of the platform concerned. Absent if `means` says it as well.
   */
  readonly verdict?: string;
  /** Says what happened. */
  readonly means: string;
  /** Says what usually causes it. */
  readonly why: string;
  /** What to do next, unless the error itself knows better. */
  readonly remedy: Advice;
};
