import type {Clock} from '../ports/ports.ts';

export type LookSwitchOptions = {
  /** Returns a text that changes when the saved switch may have changed. */
  readonly version: () => string;
  /** Returns whether the assistants may only look, as it is saved now; undefined if that cannot be read. */
  readonly read: () => boolean | undefined;
  readonly clock: Clock;
};

/** A switch that a person turns while bridges run: whether the assistants of a deployment may only look. */
export type LookSwitch = {
  /** Returns the position now. It is read again only if the version has changed. */
  readonly isOn: () => boolean;
  /** Calls the listener after each change, within a second. Ends when the signal aborts. */
  readonly watch: (changed: () => void, signal: AbortSignal) => Promise<void>;
};

/** How often the version is compared, in milliseconds. */
const LOOK_AGAIN = 500;

/** Creates the bridge's view of the switch. While it cannot be read, it stays in its last position. */
export const createLookSwitch = ({version, read, clock}: LookSwitchOptions): LookSwitch => {
  let seen: string | undefined;
  let position = false;
  const isOn = () => {
    const now = version();
    if (now !== seen) {
      seen = now;
      position = read() ?? position;
    }
    return position;
  };
  return {
    isOn,
    watch: async (changed, signal) => {
      let last = isOn();
      while (!signal.aborted) {
        await clock.sleep(LOOK_AGAIN, signal).catch(() => {});
        if (signal.aborted || isOn() === last) continue;
        last = position;
        changed();
      }
    },
  };
};
