import type {ExitCode} from './exit-codes.ts';
import type {Advice} from './remedy.ts';

/** The party that has to act after a failure: the person, the platform's operators, or this project. */
export type Whose = 'you' | 'platform' | 'us';

/** Everything that this program knows of one error code. */
export type Row = {
  readonly exit: ExitCode;
  readonly whose: Whose;
  /** A few words, as in “Broken at: …”. */
  readonly name: string;
  /** Says what happened. */
  readonly means: string;
  /** Says what usually causes it. */
  readonly why: string;
  /** What to do next, unless the error itself knows better. */
  readonly remedy: Advice;
};
