import {useCallback, useSyncExternalStore} from 'react';

/** How soon a change is drawn: at once, together with all others of the same moment, or with the next frame. */
export type Urgency = 'now' | 'soon' | 'frame';

/** The time from one frame to the next, in milliseconds. Drawing takes about 10 ms, during which no key is read. */
const FRAME = 100;

type Store<State, Change> = {
  state(): State;
  /** Calls the listener after each change. Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
};

/**
 * Returns the state of a store as it is drawn. Progress comes in bursts, faster than it can be read, so changes of the
 * urgency `frame` cause at most ten frames a second.
 *
 * @param urgencyOf how soon a change is drawn; has to be the same function each time
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
