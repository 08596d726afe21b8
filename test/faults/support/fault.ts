import type {ErrorCode} from '../../../src/errors/errors.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import type {FlowName} from './flows.ts';
import type {Place} from './places.ts';

/** The end of a flow. */
export type Ending =
  | ErrorCode
  | 'ok'
  /** The bridge passes on the server's error. */
  | 'server-error';

/** A fault of a platform, and the end of each flow that meets it. */
export type Fault = {
  readonly name: string;
  readonly at: Place;
  readonly answers: Wrap;
  /** Other faults at the same time. */
  readonly also?: {readonly [P in Place]?: Wrap};
  /** The end of every flow that needs the place. */
  readonly means: Ending;
  /** The flows that end in another way for a reason. */
  readonly but?: {readonly [F in FlowName]?: Ending};
  /**
   * True if a server sends a secret in a message that the bridge passes on unchanged to the client for which it is
   * meant.
   */
  readonly isHandedOn?: true;
};
