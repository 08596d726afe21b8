import {useCallback, useSyncExternalStore} from 'react';

/** How soon a change is drawn: at once, with everything else of the same moment, or with the next frame. */
export type Urgency = 'now' | 'soon' | 'frame';

/** From one frame to the next, in milliseconds. Each takes some ten of them, in which no key is read. */
const FRAME = 100;

type Store<State, Change> = {
  state(): State;
  /** Calls the listener after each change; returns how to stop that. */
  subscribe(listener: (change: Change) => void): () => void;
};

/**
 * The state of a store as it is drawn. What happens by itself comes in bursts, faster than anybody reads, and is drawn ten
 * times a second at most.
 *
 * @param urgencyOf how soon a change is drawn; the same function each time
 */
export const useFrames = <State, Change = void>(
  {subscribe, state}: Store<State, Change>,
  urgencyOf: (change: Change) => Urgency,
): State => {
  const subscribeToFrames = useCallback(
    (redraw: () => void) => {
      let drawn = Number.NEGATIVE_INFINITY;
      let soon: NodeJS.Immediate | undefined;
      let frame: NodeJS.Timeout | undefined;
      const settle = () => {
        clearImmediate(soon);
        clearTimeout(frame);
        [soon, frame] = [undefined, undefined];
      };
      const draw = () => {
        settle();
        drawn = performance.now();
        redraw();
      };
      const unsubscribe = subscribe(change => {
        const urgency = urgencyOf(change);
        if (urgency === 'now') return draw();
        const wait = urgency === 'soon' ? 0 : drawn + FRAME - performance.now();
        if (wait <= 0) soon ??= setImmediate(draw);
        else frame ??= setTimeout(draw, wait);
      });
      return () => {
        settle();
        unsubscribe();
      };
    },
    [subscribe, urgencyOf],
  );
  return useSyncExternalStore(subscribeToFrames, state);
};
