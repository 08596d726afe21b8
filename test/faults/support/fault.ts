import type {ErrorCode} from '../../../src/errors/errors.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import type {FlowName} from './flows.ts';
import type {Place} from './places.ts';

/** What a flow ends with. */
export type Ending =
  | ErrorCode
  | 'ok'
  /** The bridge hands on what the server said. */
  | 'server-error';

/** One thing that is wrong with a platform, and what each flow that comes upon it calls it. */
export type Fault = {
  readonly name: string;
  readonly at: Place;
  readonly answers: Wrap;
  /** What else is wrong then. */
  readonly also?: {readonly [P in Place]?: Wrap};
  /** What every flow ends with that needs the place. */
  readonly means: Ending;
  /** The flows that end otherwise, where there is a reason. */
  readonly but?: {readonly [F in FlowName]?: Ending};
  /** Set where a server says a secret in a message that the bridge hands on as it is, to the client that it is for. */
  readonly isHandedOn?: true;
};
